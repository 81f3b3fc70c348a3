"""Reading a game: who may see it, what a seat is asked, and whom the game waits for.

What a viewer may see is decided here and in `games.play.history`, by the rules' `view` and `redact`. The SQL of what is
asked with every move and every page is made once."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

import msgspec
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import convert

from engine.core import Question, StaleDecision, Text
from engine.orders.model import Sheet
from engine.registry import AnyRules
from games.clubs import clubs
from games.clubs.models import Membership
from games.errors import NotFound
from games.people.models import Block, User
from games.people.speech import current_language
from games.play import stored_moves
from games.play.models import Comment, Decision, Extension, Look, Move, Note, Vacation
from games.tables.audit import ModerationEntry
from games.tables.boards import Shown
from games.tables.models import Game
from games.tables.seats import Seat, read_seats
from notifications.database.compiled_query import compiled, compiled_rows, pad_to_power_of_two

ELSEWHERE = 8  # decisions in other games that are read
TALK_LINES = 100  # shown of the talk at a table
IS_ASKED = Q(status=Decision.Status.OPEN) | Q(is_sealed=True)
"""Filters the decisions that are open as far as everybody may know, among those with the code of an open one."""


@compiled("host")
def game_of(ref: str) -> QuerySet[Game]:
    """The game of this reference, its host, and the earliest of its deadlines."""
    rows = Game.objects.filter(ref=ref)
    return rows.annotate(next_due_at=_earliest(OuterRef("pk")))  # type: ignore[no-redef]  # the model says what it is where it is not read


@compiled("game", without=["game__state"])
def own_seat(ref: str, user: int) -> QuerySet[Seat]:
    """Where a person sits at a table, with the game but not its state, and the earliest of its deadlines."""
    return _own_seats(ref, user)


@compiled("game")
def own_seat_with_state(ref: str, user: int) -> QuerySet[Seat]:
    """The same with the state."""
    return _own_seats(ref, user)


def _own_seats(ref: str, user: int) -> QuerySet[Seat]:
    rows = Seat.objects.filter(game__ref=ref, user_id=user)
    return rows.annotate(next_due_at=_earliest(OuterRef("game")))


def _earliest(game: OuterRef) -> Subquery:
    due = Decision.objects.filter(game=game, status=Decision.Status.OPEN, due_at__isnull=False)
    return Subquery(due.order_by("due_at").values("due_at")[:1])


@compiled()
def open_of(game: int, seat: int) -> QuerySet[Decision]:
    """Finds the open questions of one seat of a game."""
    return Decision.objects.filter(game_id=game, seat_id=seat, status=Decision.Status.OPEN)


def _asked_rows(game: int) -> QuerySet[Decision]:
    """The decisions a game waits on, as they were asked; of a sealed question the answered ones too: who has answered,
    which the database's own order of rows would tell, is secret."""
    waiting = Decision.objects.filter(game_id=game, status=Decision.Status.OPEN)  # few, however much was asked before
    rows = Decision.objects.filter(IS_ASKED, game_id=game, code__among=waiting.values("code"))
    return rows.select_related("seat").order_by("pk")


asked_of = compiled("seat")(_asked_rows)


@cache
def asked_among(games: int) -> Callable[..., list[Decision]]:
    """Returns a statement for the open questions of so many games, with the seats, by the codes of the questions."""

    @compiled("seat")
    def ask(*values: int | str) -> QuerySet[Decision]:
        rows = Decision.objects.filter(IS_ASKED, game__pk__in=values[:games], code__in=values[games:])
        return rows.order_by("pk")

    return ask


@compiled_rows("game_id", "code")
def open_codes(*games: int) -> QuerySet[Decision]:
    """Game and code of what is open in these games."""
    return Decision.objects.filter(game__pk__in=games, status=Decision.Status.OPEN)


@compiled()
def seats_at(*games: int) -> QuerySet[Seat]:
    """The seats of these games, in order."""
    return Seat.objects.filter(game__pk__in=games).order_by("game", "number")


@compiled("game", "game__host", without=["game__state"])
def seats_of(user: int) -> QuerySet[Seat]:
    """A person's seats with their games and hosts, without the states."""
    return Seat.objects.filter(user_id=user)


@compiled()
def waiting_for(*seats: int) -> QuerySet[Decision]:
    """Finds the questions that wait for the people on these seats."""
    return Decision.objects.filter(seat__pk__in=seats, status=Decision.Status.OPEN, is_automatic=False)


@compiled("game", "seat", without=["game__state"])
def waiting_elsewhere(user: int, game: int) -> QuerySet[Decision]:
    """Finds a few questions that wait for a person in other running games than this one, the most urgent first."""
    rows = Decision.objects.filter(
        seat__user_id=user, status=Decision.Status.OPEN, is_automatic=False, game__status=Game.Status.RUNNING
    )
    rows = rows.filter(game__is_lesson=False, game__sandbox_of__isnull=True).exclude(game_id=game)
    return rows.order_by(F("due_at").asc(nulls_last=True), "pk")[:ELSEWHERE]


@compiled("decision", "decision__seat")
def extensions_of(game: int) -> QuerySet[Extension]:
    """Why deadlines of what a game waits on moved, newest first, with the seats that are asked."""
    rows = Extension.objects.filter(decision__in=_asked_rows(game))
    return rows.order_by("-created_at")


@compiled()
def vacations_at(now: datetime, *users: int) -> QuerySet[Vacation]:
    """The vacations that these people are on."""
    return Vacation.objects.filter(user__pk__in=users, begins_at__lte=now, ends_at__gt=now)


@compiled()
def comments_of(game: int) -> QuerySet[Comment]:
    """The newest lines of the talk at a table, newest first."""
    return Comment.objects.filter(game_id=game).order_by("-pk")[:TALK_LINES]


def unread_talk(user: User, games: Collection[int]) -> dict[int, int]:
    """Counts what others have said at these tables since the user has read the talk there; none that he has blocked."""
    if not games:
        return {}
    rows: list[Any] = _unread(user.pk, user.recipient_id, *pad_to_power_of_two(games))
    return dict(rows)


@compiled_rows("game_id", "unread")
def _unread(user: int, recipient: int, *games: int) -> QuerySet[Any, Any]:
    read = Look.objects.filter(user=user, game=OuterRef("game")).values("talk_read_at")
    said = Comment.objects.filter(game__pk__in=games, hidden_at=None).exclude(author=user).annotate(read=Subquery(read))
    said = said.filter(Q(read=None) | Q(created_at__gt=F("read"))).order_by()
    blocks = Block.objects.filter(recipient=recipient)
    is_blocked = Exists(blocks.filter(Q(blocked=OuterRef("author")) | Q(blocked=OuterRef("author__owner"))))
    said = said.exclude(Q(is_blocked, hidden_seat=None))
    return said.values("game_id").annotate(unread=Count("pk"))


def unread_in_words(count: int) -> str:
    """Says how much is unread; "" for nothing."""
    return ngettext("%(n)d new message", "%(n)d new messages", count) % {"n": count} if count else ""


@compiled()
def note_of(game: int, user: int) -> QuerySet[Note]:
    """Finds this person's private note about a game."""
    return Note.objects.filter(game_id=game, user_id=user)


# Reading a game: who may see it, what a seat is asked, and whom the game waits for.


NOBODY = -1  # no seat has this number


@dataclass(frozen=True)
class Access:
    """A game and its viewer: the player of a seat, or a spectator (seat None).

    Arguments:
        speaks_to: the seat that is "you" in sentences, where that is not the viewer's; NOBODY for who looks from a seat
            that is not his.
    """

    game: Game
    seat: Seat | None
    is_host: bool = False
    speaks_to: int | None = None

    @property
    def number(self) -> int | None:
        """The seat's number, for `view` and `redact`."""
        return self.seat.number if self.seat and self.game.started_at else None

    @property
    def reader(self) -> int | None:
        """The number of the seat that is "you" in sentences."""
        return self.number if self.speaks_to is None else self.speaks_to


@dataclass(frozen=True)
class OpenQuestion:
    """A question put to a seat, with its clock. `decision` is None for what the seat may do or change unasked."""

    question: Question
    decision: Decision | None


def visible_to(user: User | int | None) -> Q:
    """Matches the games a user (object or primary key) may see.

    He plays or hosts them, is a member of their club, or anybody may watch them.
    """
    visible = Q(is_listed=True) | Q(is_watchable=True)
    if user is not None:
        visible |= Q(host=user) | Q(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)))
        visible |= Q(Exists(Membership.objects.filter(club=OuterRef("club"), user=user)))
    return visible


def access_game(user: User | None, ref: str) -> Access:
    """Returns the game if this user may see it. Raises NotFound otherwise, whether or not it exists."""
    game = next(iter(game_of(ref)), None)
    if game is None:
        raise NotFound(_("There's no such game, or you don't have access to it."))
    read_seats(game)
    seat = _own_seat(game, user)
    may_watch = game.is_listed or game.is_watchable or (user is not None and game.host_id == user.pk)
    if seat is None and not may_watch and not clubs.is_member(game.club_id, user):
        raise NotFound(_("There's no such game, or you don't have access to it."))
    return Access(game, seat, is_host=user is not None and game.host_id == user.pk)


def access_to_sit(user: User, ref: str) -> Access:
    """Returns a game whose free seats this user may see. Raises NotFound for one he may only watch."""
    access = access_game(user, ref)
    game = access.game
    is_open = game.is_listed or game.host_id == user.pk
    if access.seat is None and not is_open and not clubs.is_member(game.club_id, user):
        raise NotFound(_("There's no such game, or you don't have access to it."))
    return access


def is_alone(game: Game, seat: Seat | None) -> bool:
    """True if a seat's player has nobody but bots of the rules beside him, and nothing counts: he can take back."""
    if seat is None or not seat.is_person or game.is_for_ratings or (game.is_lesson and game.is_guided):
        return False
    others = [other for other in game.seated() if other.number != seat.number]
    return game.status == Game.Status.RUNNING and bool(others) and all(other.user_id is None for other in others)


def access_seat(user: User, ref: str) -> Access:
    """Returns a game in which this user has a seat. Raises NotFound otherwise."""
    access = access_game(user, ref)
    if access.seat is None:
        raise NotFound(_("You're not at this table."))
    return access


def access_to_answer(user: User, ref: str, read: Callable[[str, int], list[Seat]] = own_seat) -> Access:
    """Like `access_seat` in one small statement, for callers whose service reads the game again once it is locked."""
    seat: Any = next(iter(read(ref, user.pk)), None)
    if seat is None:
        return access_seat(user, ref)  # which says why not
    seat.user = user
    seat.game.next_due_at = seat.next_due_at
    return Access(seat.game, seat, is_host=seat.game.host_id == user.pk)


def _own_seat(game: Game, user: User | None) -> Seat | None:
    for seat in game.seated():
        if user is not None and seat.user_id == user.pk:
            seat.user = user
            return seat
    return None


def view_of(access: Access) -> Any:
    """Returns the viewer's view of the game's state. Only for games that have begun."""
    return access.game.rules.view(access.game.load_state(), access.number)


def orders_of(access: Access) -> Sheet:
    """The standing orders of this viewer's own seat, and of no other; only for one who sits there in a running game."""
    assert access.number is not None
    sheet: Sheet = access.game.rules.orders(access.game.look_at_state(), access.number)
    return sheet


def open_questions(access: Access, view: object | None = None) -> list[OpenQuestion]:
    """Returns the questions of the viewer's seat with their clocks; without `view`, no forms for orders."""
    game, seat, questions = access.game, access.seat, _questions(access, view)
    if seat is None or not questions:
        return []
    rows = {row.code: row for row in open_of(game.pk, seat.pk)}
    for row in rows.values():
        row.game, row.seat = game, seat
    return [OpenQuestion(question, rows.get(question.decision.id)) for question in questions]


def question(access: Access, code: str, view: object | None = None) -> Question | None:
    """Returns the question with this code that the seat is asked or may answer unasked, or None."""
    return next(iter(_questions(access, view, code)), None)


def _questions(access: Access, view: object | None, code: str | None = None) -> list[Question]:
    game, seat, number = access.game, access.seat, access.number
    if seat is None or number is None or game.status != Game.Status.RUNNING or not seat.is_person:
        return []
    questions = _bare_questions(access, number, code) if view is None else game.rules.questions(view)
    return [question for question in questions if question.actions and code in (None, question.decision.id)]


def _bare_questions(access: Access, number: int, code: str | None) -> Iterator[Question]:
    rules, state = access.game.rules, access.game.look_at_state()
    codes = (
        [decision.id for decision in access.game.look_at_asked() if decision.seat == number] if code is None else [code]
    )
    with suppress(StaleDecision):  # there is none with this code
        yield from [rules.question(state, key, number) for key in codes]


def is_predecessors(access: Access, question: Question) -> bool:
    """True for a sealed answer that may still be changed and was given by the seat's former player."""
    seat, decision = access.seat, question.decision
    if seat is None or not seat.played_since or not decision.sealed or decision.prompted:
        return False
    answer = {"kind": Move.Kind.ANSWER, "seat": seat.number, "decision": decision.id}
    return stored_moves.last(access.game, **answer, seq__gt=seat.played_since) is None


MOST_KEPT = 64  # boards in words, and as data: a page is looked at several times before its board changes


def describe(access: Access, view: object, language: str | None = None) -> str:
    """The board as plain text."""
    return _described(access.game.rules, language or current_language(), _shown(access, view))


@lru_cache(maxsize=MOST_KEPT)
def _described(rules: AnyRules, language: str, shown: Shown) -> str:
    return rules.describe(shown.values[0], language, shown.values[1])


def picture(access: Access, view: object) -> object:
    """Returns the data that the rule set's board template draws; nobody changes it."""
    return _pictured(access.game.rules, current_language(), _shown(access, view))


@lru_cache(maxsize=MOST_KEPT)
def _pictured(rules: AnyRules, language: str, shown: Shown) -> object:
    return rules.picture(shown.values[0], language, shown.values[1])


def _shown(access: Access, view: object) -> Shown:
    """A view and the names beside it: all of what a board shows."""
    values = view, access.game.spoken_names()
    return Shown(msgspec.json.encode(values), *values)


def say(game: Game, text: Text, language: str | None = None, reader: int | None = None) -> str:
    """Renders a text of the game's rules; `reader` is the number of the seat that reads "you" for itself."""
    return game.rules.say(text, language or current_language(), game.spoken_names(), reader)


def asked_rows(game: Game) -> QuerySet[Decision]:
    """The decisions the game waits on, with the answered ones of a sealed question: who has answered it is secret."""
    return _asked_rows(game.pk)


def asked_in(games: Iterable[Game]) -> dict[int, list[Decision]]:
    """Returns the `asked_rows` of many games, by the primary key of the game."""
    by_game: dict[int, list[Decision]] = {game.pk: [] for game in games}
    keys = pad_to_power_of_two(by_game)
    waiting = {(pk, code) for pk, code in open_codes(*keys)} if keys else set()
    codes = pad_to_power_of_two({code for _pk, code in waiting})
    for row in asked_among(len(keys))(*keys, *codes) if codes else ():
        if (row.game_id, row.code) in waiting:
            by_game[row.game_id].append(row)
    return by_game


def is_asleep(game: Game) -> bool:
    """True if all its people are absent: the game stops until one comes back."""
    players = [seat for seat in game.seated() if seat.user_id is not None and not seat.is_bot]
    people = [seat for seat in players if seat.status != Seat.Status.RESIGNED]
    is_away = bool(people) and all(seat.status == Seat.Status.ABSENT for seat in people)
    return game.status == Game.Status.RUNNING and is_away


def on_vacation(game: Game, now: datetime) -> dict[int, datetime]:
    """Which seats' players are on vacation now, as this table counts it: until when, by the seat's number."""
    if not game.allows_vacation or game.status != Game.Status.RUNNING:
        return {}
    numbers = {seat.user_id: seat.number for seat in game.seated() if seat.user_id and seat.is_person}
    rows = vacations_at(now, *numbers) if numbers else []
    return {numbers[row.user_id]: row.ends_at for row in rows}


def waiting(
    game: Game, reader: Seat | None, asked: Iterable[Decision] | None = None
) -> tuple[list[Seat], datetime | None]:
    """Returns the seats the game waits for and `due_at`, by one statement.

    Of a sealed question all that were asked: whether another has answered is secret. The reader knows of himself, and
    is among them until he has. None if all people are absent.

    Arguments:
        reader: the seat of whoever is told; None for a spectator.
        asked: the result of `asked_rows`, if the caller has it.
    """
    rows = asked_of(game.pk) if asked is None else list(asked)
    due = max((row.due_at for row in rows if row.due_at), default=None)
    is_told = [row for row in rows if reader is None or row.seat_id != reader.pk or row.is_open]
    numbers = set() if is_asleep(game) else {row.seat.number for row in is_told}
    return [seat for seat in game.seated() if seat.number in numbers], due


def due_at(game: Game) -> datetime | None:
    """When the game goes on at the latest, if a clock runs."""
    last: datetime | None = asked_rows(game).aggregate(last=Max("due_at"))["last"]
    return last


def public_due_at(decision: Decision) -> datetime | None:
    """Returns the deadline of a decision as shown to everybody, or None.

    Of a sealed question the last deadline of all seats while any is open: the deadline of one seat may have moved
    because it has not answered.
    """
    if not decision.is_sealed:
        return decision.due_at if decision.is_open else None
    if not is_open_for_all(decision):
        return None
    rows = decision.game.decisions.filter(code=decision.code)
    last: datetime | None = rows.aggregate(last=Max("due_at"))["last"]
    return last


def is_open_for_all(decision: Decision) -> bool:
    """Whether the decision is shown as open to everybody: a sealed one until all have answered."""
    if not decision.is_sealed or decision.is_open:
        return decision.is_open
    return decision.game.decisions.filter(code=decision.code, status=Decision.Status.OPEN).exists()


def extensions(game: Game) -> list[Extension]:
    """Why deadlines of what is asked moved, newest first.

    Each reason once for a sealed question: the number of extensions would tell how many have not answered.
    """
    visible: dict[object, Extension] = {}
    for row in extensions_of(game.pk):
        visible.setdefault((row.decision.code, row.reason) if row.decision.is_sealed else row.pk, row)
    return list(visible.values())


def moderation(access: Access) -> list[ModerationEntry]:
    """Acts of hosts and moderators on this game, newest first, as shown at the table.

    Left out: views of a hand, copies to a sandbox, settled reports, and acts on accounts.
    """
    quiet = (ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE, ModerationEntry.Action.SANDBOX)
    return list(access.game.moderation.exclude(action__in=quiet).order_by("-pk"))


def cancelled(game: Game) -> ModerationEntry | None:
    """The entry of the moderator who ended a game; None if it ended otherwise, such as by agreement."""
    return game.moderation.filter(action=ModerationEntry.Action.CANCEL).last()


@dataclass(frozen=True)
class GameResult:
    """The result of a game: the reason as text, the winners and the places."""

    reason: str
    winners: list[Seat]
    places: list[tuple[int, Seat, int]]  # place, seat, score


def result(game: Game, reader: int | None = None) -> GameResult | None:
    """The end of a finished game, or None; `reader` as in `say`."""
    if not game.outcome:
        return None
    outcome = game.outcome
    seats = {seat.number: seat for seat in game.seated()}
    return GameResult(
        reason=say(game, convert(outcome["reason"], Text), reader=reader),
        winners=[seats[number] for number in outcome["winners"]],
        places=[
            (1 if number in outcome["winners"] else place, seats[number], outcome["scores"][number])
            for place, number in enumerate(outcome["ranking"], start=1)
        ],
    )
