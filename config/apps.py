"""Makes the project itself an app, so that its system checks are registered and its clock is set."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ConfigConfig(AppConfig):
    """Registers the system checks of the settings at start-up, sets the clock, looks at databases, connects Sentry."""

    name = "config"

    def ready(self) -> None:
        from config import (
            checks,  # noqa: F401  # importing registers them
            logging,
        )
        from config.database import clock, former

        clock.install()
        former.install()
        logging.start_sentry()


class StaffAdminConfig(AdminConfig):
    """The admin site, for staff whose second factor is known."""

    default_site = "games.people.staff.StaffSite"

    def ready(self) -> None:
        """Takes out what no moderator should change by hand: addresses are confirmed by mail alone."""
        super().ready()
        from allauth.account.models import EmailAddress
        from django.contrib import admin

        admin.site.unregister(EmailAddress)
