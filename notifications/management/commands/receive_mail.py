"""`manage.py receive_mail`: takes answers to our mails and mails that come back, by SMTP, LMTP or IMAP."""

import asyncio
import contextlib
import signal
import threading
from argparse import ArgumentParser
from functools import partial

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.inbound import listener, mailbox


class Command(BaseCommand):
    """Listens where MAIL_LISTEN says and reads REPLY_MAILBOX until it is stopped. Raises CommandError if it can't."""

    help = "Receive replies and bounced emails: by SMTP or LMTP from your mail server, or by IMAP from a mailbox."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--listen", default=settings.MAIL_LISTEN, help="such as lmtp://127.0.0.1:8024")

    def handle(self, *args: object, listen: str, **options: object) -> None:
        if not (settings.REPLY_ADDRESS or settings.BOUNCE_ADDRESS):
            raise CommandError("Neither REPLY_ADDRESS nor BOUNCE_ADDRESS is set: nobody could write to us.")
        try:
            place = mailbox.parse(settings.REPLY_MAILBOX) if settings.REPLY_MAILBOX else None
            asyncio.run(self._receive(listen, place))
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"Nothing can listen at {listen}: {error}") from error

    async def _receive(self, url: str, place: mailbox.Mailbox | None) -> None:
        if not (url or place):
            raise CommandError("Neither MAIL_LISTEN nor REPLY_MAILBOX is set: no mail would come.")
        stopping = threading.Event()
        works: list[asyncio.Task[None]] = []
        if url:
            ready = partial(self._say, "Listening on port")
            works.append(asyncio.create_task(listener.serve(url, ready)))
        if place:
            self._say("Reading", place)
            works.append(asyncio.create_task(asyncio.to_thread(mailbox.read, place, stopping)))

        def stop() -> None:
            stopping.set()
            if url:
                works[0].cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*works)

    def _say(self, what: str, about: object) -> None:
        self.stdout.write(f"{what} {about}.")
        self.stdout.flush()
