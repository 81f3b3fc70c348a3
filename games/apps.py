"""The service: games, seats, decisions, moves, deadlines; pages, API, admin."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Registers the letters this service writes with `notifications` at start-up."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games import letters

        letters.register_all()
