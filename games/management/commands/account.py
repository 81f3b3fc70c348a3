"""`manage.py account copy|erase ADDRESS`: for who writes to the operator instead of using his settings."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from games.people.models import User, normal_address
from games.privacy import erasure, personal_data
from notifications.clock import present


class Command(BaseCommand):
    """Prints the personal data of an account, or erases it at once."""

    help = "Print everything stored about a person, or delete the account immediately and permanently."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Takes the action and the address of the account."""
        parser.add_argument("act", choices=("copy", "erase"))
        parser.add_argument("whose", help="the email address; or, after a restore, the reference in the log")
        parser.add_argument(
            "--words", action="store_true", help="with erase: delete what this person wrote at tables, too"
        )
        parser.add_argument("--sure", action="store_true", help="with erase: required, because it cannot be undone")

    def handle(self, *args: object, act: str, whose: str, words: bool, sure: bool, **options: object) -> None:
        """Raises CommandError without such an account, and for an erasure that is not sure or cannot be now."""
        found = User.objects.select_related("recipient").filter(erased_at=None)
        user = found.filter(Q(email=normal_address(whose)) | Q(ref=whose)).first()
        if user is None:
            raise CommandError(f"There is no account of {whose}.")
        now = present.now()
        if act == "copy":
            self.stdout.write(personal_data.as_text(user, now))
            return
        if user.is_staff:
            raise CommandError("This is staff: take its rights away on the admin site first.")
        if not sure:
            raise CommandError("This deletes the account for good. Say --sure.")
        if not erasure.erase(user, takes_words=words, now=now):
            raise CommandError("The account is closed, but a mail is on its way to it. Say it again in a minute.")
        self.stdout.write(f"The account {user.ref} is deleted.")
