"""`manage.py try_mail [you@example.org]`: does email go out, do replies come in, and if not, why not?"""

import string
import time
from argparse import ArgumentParser

from django.conf import settings
from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandError
from django.utils.crypto import get_random_string

from notifications.channels.base import ChannelError
from notifications.channels.mail.channel import CHANNEL
from notifications.clock import present
from notifications.ids import new_ref
from notifications.inbound import addresses
from notifications.messages import MailMessage
from notifications.models import Delivery, MailboxPosition, Notice, Recipient
from notifications.reasons import in_words

WAIT = 120  # seconds
LETTERS = string.ascii_lowercase + string.digits
TEXT = """\
The service handed this email over, so it can send email.

Your mail program can show its source ("show original"). There the receiving server says whether SPF, DKIM and DMARC
passed. All three should say "pass", or players will find their emails in the spam folder.
"""


class Command(BaseCommand):
    """Hands one email over, as the workers do, and waits for it, or for the answer to it, to come in.

    Raises CommandError with the reason if nobody took it, or if nothing came.
    """

    help = "Send a short email now, print what the mail server answered, and see whether replies come in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "address",
            nargs="?",
            default="",
            help="the address to write to, best one at a large provider; without one the service writes to itself",
        )
        parser.add_argument(
            "--wait",
            type=int,
            metavar="SECONDS",
            help=f"how long to wait for a reply to it ({WAIT} without an address, else not at all)",
        )

    def handle(self, *args: object, address: str, wait: int | None, **options: object) -> None:
        seconds = wait if wait is not None else 0 if address else WAIT
        if not (address or addresses.are_answered()):
            raise CommandError("Say an address: REPLY_ADDRESS isn't set, so nobody can write to the service.")
        token = addresses.trial_token(get_random_string(12, LETTERS))
        reply_to = addresses.address_of(token)
        to = address or (settings.REPLY_ADDRESS if addresses.has_one_address() else reply_to)
        notice = Notice(recipient=Recipient(address=to), kind="try_mail")
        mail = Delivery(notice=notice, channel=CHANNEL.kind, message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>")
        self._say(f"From {settings.DEFAULT_FROM_EMAIL} to {to}, by {_way()} ...")
        headers = {"Reply-To": reply_to} if reply_to else {}
        try:
            CHANNEL.send(mail, MailMessage(f"A test of {settings.SITE_NAME}", TEXT, headers=headers))
        except ChannelError as error:
            code = f" ({error.code})" if error.code else ""
            raise CommandError(f"It was not accepted: {in_words(str(error))}{code}.") from error
        if address:
            self._say("It was accepted. Is it in the mailbox, and do its headers say that SPF, DKIM and DMARC pass?")
        if seconds and reply_to:
            if address:
                self._say(f"Now reply to it with any word, within {seconds} seconds ...")
            self._wait(token, seconds, has_answer=bool(address))

    def _wait(self, token: str, seconds: int, *, has_answer: bool) -> None:
        began = time.monotonic()
        while (is_authentic := cache.get(token)) is None:
            if time.monotonic() - began > seconds:
                raise CommandError(f"Nothing came within {seconds} seconds. {_what_is_missing()}")
            time.sleep(0.2)
        self._say(f"{'The reply' if has_answer else 'It'} came in after {time.monotonic() - began:.0f} seconds.")
        if is_authentic:
            self._say("Its sender is proved: replies count at once.")
        else:
            self._say("Its sender is not proved, so players have to confirm each reply: see MAIL_AUTHSERV_ID.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _what_is_missing() -> str:
    """Names the way by which mail comes in here, and where it may have stopped."""
    mailbox = MailboxPosition.objects.order_by("-looked_at").first()
    if settings.REPLY_MAILBOX and mailbox is None:
        return "The mailbox was never looked at: is the listener running? Its log says what went wrong."
    if settings.REPLY_MAILBOX and mailbox is not None:
        age = (present.now() - mailbox.looked_at).total_seconds()
        return f"The mailbox {mailbox} was looked at {age:.0f} seconds ago. Does the email lie there, or in its spam?"
    if settings.MAIL_LISTEN:
        return f"Is the listener running at {settings.MAIL_LISTEN}, and does your mail server lead there?"
    if settings.MAIL_EVENTS_SECRET:
        return "Does the provider post what comes in to /anymail/<provider>/inbound/? Its own log says."
    return "Nothing receives mail here: set REPLY_MAILBOX, MAIL_LISTEN, or MAIL_EVENTS_SECRET."


def _way() -> str:
    if settings.MAIL_PROVIDER:
        return f"the provider {settings.MAIL_PROVIDER}"
    if settings.EMAIL_URL.startswith("mailbox:"):
        return "the mailbox page: set EMAIL_URL to send mail to the world"
    tls = "TLS" if settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL else "no TLS"
    return f"{settings.EMAIL_HOST}, port {settings.EMAIL_PORT}, with {tls}"
