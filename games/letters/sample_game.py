"""The game of the sample letters: opened, played and ended like any other."""

from collections.abc import Callable

from engine.core.rng import commitment
from games.hosting import handover
from games.hosting import settings as table_settings
from games.models import Decision, Game, User
from games.play import automatic_answers, endings, game_moves, phase_boundaries
from games.tables import lifecycle, plans
from notifications.clock import present
from notifications.models import Recipient

PLAYERS = ("Anna", "Ben", "Carla")
MOST_STEPS = 150  # answers after which what the sample waits for has happened
SEED = bytes(32)  # always the same game: in others what a letter tells of may never happen
HostSample = tuple[str, dict[str, object]]  # subject and data of the notice
STEPS = 15  # answers before the sample mail: enough to have news, and no game is over by then


class SampleGame:
    """The sample game and its people."""

    def __init__(self, rules_name: str, language: str) -> None:
        self.now = present.now()
        self.users = [create_user(name, language) for name in PLAYERS]
        self.game = self.open(rules_name, "Thursday")
        for guest in self.users[1:]:
            lifecycle.join(game_id=self.game.pk, user=guest, now=self.now)

    @property
    def ben(self) -> User:
        return self.users[1]

    def open(self, rules_name: str, title: str) -> Game:
        plan = plans.TablePlan(title=title, rules_name=rules_name, seat_count=3)
        game = lifecycle.open_table(host=self.users[0], plan=plan, now=self.now)
        game.server_seed, game.commitment = SEED.hex(), commitment(SEED)
        game.save(update_fields=["server_seed", "commitment"])
        return game

    def play(self) -> Decision:
        """Start, play some moves, and stop where Ben is asked."""
        lifecycle.start(game_id=self.game.pk, host=self.users[0], now=self.now)
        for step in range(MOST_STEPS):
            row = self.asked()
            if step >= STEPS and row.seat.user == self.ben:
                return row
            self.answer(row)
        raise AssertionError("Ben is never asked")

    def asked(self) -> Decision:
        """What is asked next, after whatever goes by itself."""
        while phase_boundaries.advance_one(self.now) or automatic_answers.answer_one(self.now):
            pass
        rows = Decision.objects.filter(game=self.game, status=Decision.Status.OPEN)
        return rows.select_related("seat__user", "seat__game", "game").order_by("pk")[0]

    def answer(self, row: Decision) -> None:
        """Answer as the bot does that stands in for people."""
        game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=automatic_answers.bot_action(Game.objects.get(pk=row.game_id), row, automatic_answers.SUBSTITUTE),
            source="web",
            received_at=self.now,
            actor=row.seat.user,
        )

    def end(self) -> None:
        """All but Ben resign, and Ben ends the game."""
        seats = {seat.user_id: seat.number for seat in self.game.seated()}
        for user in self.users:
            if user != self.ben:
                endings.resign(game_id=self.game.pk, seat=seats[user.pk], actor=user, source="web", now=self.now)
        endings.end(game_id=self.game.pk, seat=seats[self.ben.pk], actor=self.ben, source="web", now=self.now)


class AnotherTable(SampleGame):
    """A further table of the same people."""

    def __init__(self, made: SampleGame, title: str) -> None:
        self.now, self.users = made.now, made.users
        self.game = self.open("cave-of-wonders", title)
        for guest in self.users[1:]:
            lifecycle.join(game_id=self.game.pk, user=guest, now=self.now)


def create_user(name: str, language: str) -> User:
    """Create a member with a mail address that reaches nobody."""
    user = User.objects.create_user(f"{name.lower()}@sample.invalid", name=name)
    Recipient.objects.filter(pk=user.recipient_id).update(language=language, zone="Europe/Madrid")
    user.recipient.refresh_from_db()
    return user


def _settings_changed(made: SampleGame) -> HostSample:
    wanted = {**plans.agreed_of(made.game), "pace": "brisk", "is_watchable": True}
    plan = plans.TablePlan(title="", rules_name=made.game.rules_name, **wanted)
    game = table_settings.change(game_id=made.game.pk, host=made.users[0], plan=plan, now=made.now)
    return f"player:{game.ref}:{made.ben.ref}", {"version": game.settings_version}


def _host_offered(made: SampleGame) -> HostSample:
    seat = made.game.seats.get(user=made.ben).number
    row = handover.offer(game_id=made.game.pk, host=made.users[0], seat=seat, now=made.now)
    return f"host_offer:{row.ref}", {}


def _host_changed(made: SampleGame) -> HostSample:
    Game.objects.filter(pk=made.game.pk).update(host=made.users[2])
    return f"player:{made.game.ref}:{made.ben.ref}", {"host": made.users[2].pk}


HOSTING: dict[str, Callable[[SampleGame], HostSample]] = {
    "settings_changed": _settings_changed,
    "host_offered": _host_offered,
    "host_changed": _host_changed,
}
"""By kind of letter: what makes a host do it."""
