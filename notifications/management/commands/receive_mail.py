"""`manage.py receive_mail`: a mail server for answers to our mails, for mails that come back, and for nothing else."""

import asyncio
import contextlib
import signal
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.inbound import listener


class Command(BaseCommand):
    """Listens where MAIL_LISTEN says until it is stopped. Raises CommandError if it cannot."""

    help = "Receive replies and bounced emails by SMTP or LMTP from your mail server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--listen", default=settings.MAIL_LISTEN, help="such as lmtp://127.0.0.1:8024")

    def handle(self, *args: object, listen: str, **options: object) -> None:
        if not (settings.REPLY_ADDRESS or settings.BOUNCE_ADDRESS):
            raise CommandError("Neither REPLY_ADDRESS nor BOUNCE_ADDRESS is set: nobody could write to us.")
        try:
            asyncio.run(self._serve(listen))
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"Nothing can listen at {listen}: {error}") from error

    async def _serve(self, url: str) -> None:
        serving = asyncio.create_task(listener.serve(url, lambda port: self.stdout.write(f"Listening on port {port}.")))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await serving
