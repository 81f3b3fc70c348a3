"""The service: games, seats, decisions, moves, deadlines; pages, API, admin."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Registers the letters this service writes, and what hears the answers, with `notifications` at start-up."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games import letters
        from games.replies import handler
        from notifications.inbound import handling

        letters.register_all()
        handling.register(handler)
