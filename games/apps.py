"""The service: games, seats, decisions, moves, deadlines; pages, API, admin."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

ROOMS_WITH_LETTERS = ("people", "clubs", "play", "lobby", "archive", "tournaments", "moderation", "inbox")


class GamesConfig(AppConfig):
    """Registers at start-up the letters this service writes, what hears answers and sign-ins, and our lookups."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from allauth.account import signals as accounts
        from django.contrib.auth.signals import user_logged_in, user_logged_out
        from django.db.models import CharField

        from engine import registry, schemas
        from games import lookups
        from games.archive import player_profile, reviews
        from games.inbox import handler
        from games.lobby import puzzles
        from games.people import accounts as own_accounts
        from games.people import limits, notification_preferences, sessions, sign_in
        from games.play import absences, game_moves, notify, pictures
        from games.web import reader
        from notifications.inbound import receiving

        CharField.register_lookup(lookups.Among)
        for module in ("play.digest", "privacy.retention", *(f"{room}.letters" for room in ROOMS_WITH_LETTERS)):
            import_module(f"games.{module}")  # which registers the letters or checks that it defines
        for point, offered in [*registry.INSTALLED.items()]:
            try:
                for rules in offered:
                    schemas.schema_of(rules.name, rules.version)
                    pictures.try_out(rules)
            except Exception as error:  # noqa: BLE001  # whatever goes wrong in another's package stops nothing here
                registry.leave_out(point, error)
        receiving.register(handler)
        game_moves.on_end.append(reviews.expect_review)
        absences.shares_in_time.append(player_profile.share_in_time)
        own_accounts.address_changed.connect(notify.renew_links, dispatch_uid="games.play.notify")
        own_accounts.positions_withdrawn.connect(puzzles.withdraw, dispatch_uid="games.lobby.puzzles")
        user_logged_in.connect(sessions.begin_session, dispatch_uid="games.people.sessions.begin_session")
        user_logged_in.connect(sessions.on_sign_in, dispatch_uid="games.people.sessions.on_sign_in")
        user_logged_in.connect(reader.on_sign_in, dispatch_uid="games.web.guests")
        user_logged_in.connect(limits.on_sign_in, dispatch_uid="games.people.limits")
        accounts.authentication_step_completed.connect(sign_in.on_sign_in_code, dispatch_uid="games.accounts.on_code")
        user_logged_out.connect(
            notification_preferences.on_sign_out, dispatch_uid="games.people.notification_preferences"
        )
        for changed in (accounts.password_changed, accounts.password_set, accounts.password_reset):
            changed.connect(
                notification_preferences.on_password_change, dispatch_uid="games.people.notification_preferences"
            )
        sign_in.connect_security_log()
