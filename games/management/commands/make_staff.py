"""`manage.py make_staff you@example.org --administrator`: makes an account staff."""

from argparse import ArgumentParser

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from games.people import sign_in, staff
from notifications.clock import present


class Command(BaseCommand):
    """Makes an administrator or a moderator of a mail address, with or without an account so far."""

    help = "Create an administrator or moderator and print a sign-in link. Running it twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address, and which of the two."""
        parser.add_argument("address", help="the email address; an account is created if there is none")
        kind = parser.add_mutually_exclusive_group(required=True)
        kind.add_argument("--administrator", action="store_true", help="may do everything on the admin site")
        kind.add_argument(
            "--moderator", action="store_true", help="may moderate, and read everything public on the admin site"
        )

        parser.add_argument(
            "--forget-second-factor",
            action="store_true",
            help="let somebody who has lost the device and the written codes set up new ones",
        )

    def handle(
        self, *args: object, address: str, administrator: bool, forget_second_factor: bool, **options: object
    ) -> None:
        """Raises CommandError for something that is not an email address."""
        try:
            validate_email(address.strip())
        except ValidationError as error:
            raise CommandError(f"{address} is not a mail address.") from error
        make = staff.make_administrator if administrator else staff.make_moderator
        user = make(address)
        if forget_second_factor:
            staff.reset_second_factor(user=user, now=present.now())
        role = "an administrator" if user.is_superuser else "a moderator"
        self.stdout.write(f"{user.email} is {role}. This link signs in once, within ten minutes:")
        self.stdout.write(sign_in.sign_in_link(user, "/admin/"))
        if settings.STAFF_SECOND_FACTOR and not staff.has_second_factor(user):
            self.stdout.write("The admin site asks for a code of an app then; the first visit sets it up.")
