"""`manage.py try_mail you@example.org`: does mail go out, and if not, why not?"""

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from notifications.channels.base import ChannelError
from notifications.channels.mail.channel import CHANNEL
from notifications.ids import new_ref
from notifications.messages import MailMessage
from notifications.models import Delivery, Notice, Recipient

TEXT = """\
The service handed this mail over, so it can send mail.

Your mail program can show all of it ("show original"). There the server that received it says of SPF, DKIM and DMARC
whether it believes the sender. All three should say "pass", or players will find their mails among the unwanted ones.
"""


class Command(BaseCommand):
    """Hands one mail over, as the workers do. Raises CommandError with the reason if nobody took it."""

    help = "Send a short email to this address now, and print what the mail server or provider answered."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the address to write to, best one at a large provider")

    def handle(self, *args: object, address: str, **options: object) -> None:
        notice = Notice(recipient=Recipient(address=address), kind="try_mail")
        mail = Delivery(notice=notice, channel=CHANNEL.kind, message_id=f"<{new_ref()}@{settings.MAIL_DOMAIN}>")
        self.stdout.write(f"From {settings.DEFAULT_FROM_EMAIL}, by {_way()} ...")
        try:
            CHANNEL.send(mail, CHANNEL.pack(mail, MailMessage(f"A test of {settings.SITE_NAME}", TEXT)))
        except ChannelError as error:
            raise CommandError(f"It was not taken: {error}{f' ({error.code})' if error.code else ''}.") from error
        self.stdout.write("It was taken. Is it in the mailbox, and does its head say that SPF, DKIM and DMARC pass?")


def _way() -> str:
    if settings.MAIL_PROVIDER:
        return f"the provider {settings.MAIL_PROVIDER}"
    if settings.EMAIL_URL.startswith("mailbox:"):
        return "the mailbox page: set EMAIL_URL to send mail to the world"
    tls = "TLS" if settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL else "no TLS"
    return f"{settings.EMAIL_HOST}, port {settings.EMAIL_PORT}, with {tls}"
