"""`manage.py try_mail you@example.org`: does email go out, and if not, why not?"""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.channels.base import ChannelError
from notifications.channels.mail.channel import CHANNEL
from notifications.ids import new_ref
from notifications.messages import MailMessage
from notifications.models import Delivery, Notice, Recipient
from notifications.reasons import in_words

TEXT = """\
The service handed this email over, so it can send email.

Your mail program can show its source ("show original"). There the receiving server says whether SPF, DKIM and DMARC
passed. All three should say "pass", or players will find their emails in the spam folder.
"""


class Command(BaseCommand):
    """Hands one email over, as the workers do. Raises CommandError with the reason if nobody took it."""

    help = "Send a short email to this address now, and print what the mail server or provider answered."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the address to write to, best one at a large provider")

    def handle(self, *args: object, address: str, **options: object) -> None:
        notice = Notice(recipient=Recipient(address=address), kind="try_mail")
        mail = Delivery(notice=notice, channel=CHANNEL.kind, message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>")
        self.stdout.write(f"From {settings.DEFAULT_FROM_EMAIL}, by {_way()} ...")
        try:
            CHANNEL.send(mail, MailMessage(f"A test of {settings.SITE_NAME}", TEXT))
        except ChannelError as error:
            code = f" ({error.code})" if error.code else ""
            raise CommandError(f"It was not accepted: {in_words(str(error))}{code}.") from error
        self.stdout.write(
            "It was accepted. Is it in the mailbox, and do its headers say that SPF, DKIM and DMARC pass?"
        )


def _way() -> str:
    if settings.MAIL_PROVIDER:
        return f"the provider {settings.MAIL_PROVIDER}"
    if settings.EMAIL_URL.startswith("mailbox:"):
        return "the mailbox page: set EMAIL_URL to send mail to the world"
    tls = "TLS" if settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL else "no TLS"
    return f"{settings.EMAIL_HOST}, port {settings.EMAIL_PORT}, with {tls}"
