"""`manage.py sign_in_link you@example.org`: a way in when no mail arrives."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from games.people import sign_in
from games.people.models import User, normal_address


class Command(BaseCommand):
    """Prints a link that signs one person in, once."""

    help = "Print a link that signs this person in once, within ten minutes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address."""
        parser.add_argument("address", help="the email address of an account")

    def handle(self, *args: object, address: str, **options: object) -> None:
        """Raises CommandError if there is no such account."""
        user = User.objects.filter(email=normal_address(address), is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account with the address {address}.")
        self.stdout.write(sign_in.sign_in_link(user))
