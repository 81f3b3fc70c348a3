"""`manage.py receive_mail`: a mail server for answers to our mails, and for nothing else."""

import asyncio
import contextlib
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.inbound import addresses, listener


class Command(BaseCommand):
    """Listens where MAIL_LISTEN says until it is stopped. Raises CommandError if it cannot."""

    help = "Receives answers to our mails by SMTP or LMTP, from this machine's or your own mail server."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--listen", default=settings.MAIL_LISTEN, help="such as lmtp://127.0.0.1:8024")

    def handle(self, *args: Any, **options: Any) -> None:
        if not addresses.is_on():
            raise CommandError("REPLY_ADDRESS is not set: nobody could write to us.")
        try:
            asyncio.run(self._serve(options["listen"]))
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error

    async def _serve(self, url: str) -> None:
        serving = asyncio.create_task(listener.serve(url, lambda port: self.stdout.write(f"Listening on port {port}.")))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await serving
