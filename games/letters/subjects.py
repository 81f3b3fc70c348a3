"""Base classes for letters by their object, which they load by the subject key of a notice."""

from datetime import datetime

from django.db.models import QuerySet

from games import links
from games.letters import reasons
from games.letters.base import Letter, OwedAnswer
from games.play import queries
from games.play.models import Decision
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from notifications.channels.mail.letter import one_line
from notifications.database.compiled_query import compiled
from notifications.models import Notice, Recipient


@compiled("game", "game__host")
def _decisions(ref: str) -> QuerySet[Decision]:
    return Decision.objects.filter(ref=ref)


@compiled("host")
def _games(ref: str) -> QuerySet[Game]:
    return Game.objects.filter(ref=ref)


@compiled("user", "user__recipient")
def _seats(game: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game_id=game).order_by("number")


class DecisionLetter(Letter[Decision]):
    """A letter about a question that was put to a seat."""

    def find(self, key: str) -> Decision | None:
        """The decision of a key such as "decision:k3v9pq2mzt7a"."""
        for row in _decisions(_rest(key)):
            row.seat = seats_of(row.game)[row.seat_id]
            return row
        return None

    def game_of(self, about: Decision) -> Game:
        """The decision's game."""
        return about.game

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale if the seat has another player now."""
        return "" if is_of(about.seat, notice.recipient) else reasons.SEAT_CHANGED_HANDS

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Returns the question and its deadline. Reminders override it: of a sealed one they tell who is missing."""
        due = self.until(about)
        return {"decision": about.code, "kind": about.kind, "due_at": due.isoformat() if due else None}

    def seat_of(self, about: Decision) -> Seat:
        """The seat that is asked."""
        return about.seat

    def waits_for(self, about: Decision) -> OwedAnswer | None:
        """The question itself; once it is closed, what its seat is asked now."""
        if about.is_open and not about.is_automatic:
            return _waiting(about, is_news=False)
        return _waits_for(about.seat)

    def until(self, about: Decision) -> datetime | None:
        """The public deadline."""
        return queries.public_due_at(about)


class SeatLetter(Letter[Seat]):
    """A letter about a seat in a game."""

    def find(self, key: str) -> Seat | None:
        """The seat of a key such as "seat:k3v9pq2mzt7a:2"."""
        ref, _colon, number = _rest(key).rpartition(":")
        seats = [seat for game in _games(ref) for seat in seats_of(game).values()]
        return next((seat for seat in seats if str(seat.number) == number), None)

    def game_of(self, about: Seat) -> Game:
        """The seat's game."""
        return about.game

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale if the seat has another player now."""
        return "" if is_of(about, notice.recipient) else reasons.SEAT_CHANGED_HANDS

    def seat_of(self, about: Seat) -> Seat | None:
        """The seat itself."""
        return about

    def waits_for(self, about: Seat) -> OwedAnswer | None:
        """What the seat is asked: the notification takes the place of the one that asked it."""
        return _waits_for(about)


class PlayerLetter(SeatLetter):
    """A letter about a person's seat, whatever its number: before the game seats move up when somebody leaves."""

    def find(self, key: str) -> Seat | None:
        """The seat of a key such as "player:k3v9pq2mzt7a:6hq2w8rt5c4x", of a game and of a person."""
        ref, _colon, person = _rest(key).rpartition(":")
        seats = [seat for game in _games(ref) for seat in seats_of(game).values()]
        return next((seat for seat in seats if seat.user is not None and seat.user.ref == person), None)


class GameLetter(Letter[Game]):
    """A letter about a table."""

    def find(self, key: str) -> Game | None:
        """The game of a key such as "game:k3v9pq2mzt7a"."""
        game = next(iter(_games(_rest(key))), None)
        if game is not None:
            seats_of(game)
        return game

    def game_of(self, about: Game) -> Game:
        """The game itself."""
        return about


class InvitationLetter(Letter[Invitation]):
    """A letter about an invitation."""

    def find(self, key: str) -> Invitation | None:
        """The invitation of a key such as "invitation:k3v9pq2mzt7a"."""
        row = Invitation.objects.filter(ref=_rest(key)).select_related("game__host", "inviter", "seat").first()
        if row is not None:
            seats_of(row.game)
        return row

    def game_of(self, about: Invitation) -> Game:
        """The game it invites to."""
        return about.game


def _waits_for(seat: Seat) -> OwedAnswer | None:
    """What a seat is asked now, the most urgent first."""
    if seat.status != Seat.Status.ACTIVE or seat.game.status != Game.Status.RUNNING:
        return None
    asked = seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).order_by("due_at", "pk").first()
    if asked is None:
        return None
    asked.game, asked.seat = seat.game, seat
    return _waiting(asked, is_news=True)


def _waiting(decision: Decision, *, is_news: bool) -> OwedAnswer:
    due_at = decision.due_at if decision.left is None else None
    return OwedAnswer(links.act_url(decision), due_at, is_news)


def _rest(key: str) -> str:
    return key.partition(":")[2]


def seats_of(game: Game) -> dict[int, Seat]:
    """Loads the game's seats by primary key; `game.seated()` returns the same objects afterwards.

    Names and title are brought onto one line without control and direction signs, in memory only: a letter's lines
    are its own, whatever somebody managed to store.
    """
    game.know_seats(_seats(game.pk))
    for seat in game.seated():
        seat.name = one_line(seat.name, 40) or ("?" if seat.name else "")
    game.title = one_line(game.title, 60) or "?"
    return {seat.pk: seat for seat in game.seated()}


def is_of(seat: Seat, recipient: Recipient) -> bool:
    """Whether this is the recipient's own seat."""
    return seat.user is not None and seat.user.recipient_id == recipient.pk
