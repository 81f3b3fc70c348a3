"""The game of the sample letters: opened, played and ended like any other."""

from collections.abc import Callable, Mapping

from engine.core.rng import commitment
from games.lobby import lifecycle
from games.people.models import User
from games.play import automatic_answers, endings, game_moves, phase_boundaries
from games.play.models import Decision
from games.play.notify import thread_of
from games.tables import plans
from games.tables.models import Game
from notifications.clock import present
from notifications.models import Notice, Recipient

PLAYERS = ("Anna", "Ben", "Carla")
MOST_STEPS = 150  # answers after which what the sample waits for has happened
SEED = bytes(32)  # always the same game: in others what a letter tells of may never happen
STEPS = 15  # answers before the sample mail: enough to have news, and no game is over by then
LEFT, KIND, RUDE, SHALL, PEARL, WRONG, WELCOME = SAID = (  # what people have typed stays as it is in every language
    "Two of you have left.",
    "Please be kind at the table.",
    "Ben calls everybody names.",
    "@Ben, shall we wait for Carla?",
    "Do I have a pearl?",
    "Carla answered for Ben by mistake.",
    "We play on Thursdays.",
)


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
        """Whose letters they are."""
        return self.users[1]

    def open(self, rules_name: str, title: str) -> Game:
        """Open a table for three, with a known seed."""
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

    def notice(
        self, kind: str, subject: str, data: Mapping[str, object] | None = None, recipient: Recipient | None = None
    ) -> Notice:
        """Returns a notice for Ben, or another recipient, as the service would write it; never stored."""
        to, thread = recipient or self.ben.recipient, thread_of(self.game)
        return Notice(
            kind=kind, subject=subject, recipient=to, thread=thread, created_at=self.now, data=dict(data or {})
        )


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


def create_moderator() -> User:
    """Create one who may do what moderators do."""
    return User.objects.create_superuser("moderator@sample.invalid", name="Eva")


Sample = Callable[[SampleGame], list[Notice]]
"""Makes that happen of which a letter tells, and returns the notices it is composed of."""
