"""`manage.py receive_mail`: what is a part of the listener since 1.1."""

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Says what takes its place. Raises CommandError."""

    help = "Gone: the listener receives replies and bounced emails."

    def handle(self, *args: object, **options: object) -> None:
        raise CommandError(
            "Replies are received by the listener: `python -m config.listener` in place of `manage.py receive_mail`, "
            "with the same settings (caravanserai-listener.service, or `listener` of the compose file)."
        )
