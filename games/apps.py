"""The service: games, seats, decisions, moves, deadlines; pages, API, admin."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Registers the letters this service writes with `notifications` at start-up."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        from games import letters

        letters.register_all()
