"""`manage.py resume_channel mail`: the other side is back, so try it now and not when its rest is over."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from notifications import worker_hints
from notifications.channels import base
from notifications.delivery import health


class Command(BaseCommand):
    """Ends the rest of a channel. If its other side still takes nothing, the next try lets it rest again."""

    help = "Let the workers retry a channel right away that is paused after consecutive failures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("channel", choices=base.channel_kinds())

    def handle(self, *args: object, channel: str, **options: object) -> None:
        if not health.end_rest(channel):
            self.stdout.write(f"Nothing to do: {channel} does not rest.")
            return
        worker_hints.hint_workers("deliver")
        self.stdout.write(f"{channel} is tried now. /readyz says whether it works.")
