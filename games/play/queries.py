"""Everything that is read. Who may see what is decided here, by the rules' `view` and `redact`, and nowhere else."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.core import Question, StaleDecision, Text
from engine.orders.model import OrderEvent, Sheet
from games.errors import NotFound
from games.log import roll_backs as log_roll_backs
from games.log.log_entries import LogLine, in_words
from games.models import Decision, Extension, Game, ModerationEntry, Move, Seat, User
from games.play import statements
from games.tables.models import as_text
from notifications.database.compiled_query import pad_to_power_of_two

EVENTS_PER_LINE = 3  # public events looked at for a line of the log


@dataclass(frozen=True)
class Access:
    """A game as one person may see it: from a seat, or (seat None) as a spectator."""

    game: Game
    seat: Seat | None
    is_host: bool = False

    @property
    def number(self) -> int | None:
        """The seat's number, for `view` and `redact`."""
        return self.seat.number if self.seat and self.game.started_at else None


@dataclass(frozen=True)
class OpenQuestion:
    """A question put to a seat, with its clock. `decision` is None for what may be done or changed unasked."""

    question: Question
    decision: Decision | None


def visible_to(user: User | int | None) -> Q:
    """The games that a person (he or his key) may see: his own, those he hosts, and those that others may watch."""
    visible = Q(is_listed=True) | Q(is_watchable=True)
    if user is not None:
        visible |= Q(host=user) | Q(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)))
    return visible


def access_game(user: User | None, ref: str) -> Access:
    """The game, if it is one of `visible_to`. Raises NotFound for both "none" and "not yours"."""
    game = next(iter(statements.game_of(ref)), None)
    if game is None:
        raise NotFound(_("There is no such game, or it is not yours to see."))
    game.read_seats()
    seat = _own_seat(game, user)
    may_watch = game.is_listed or game.is_watchable
    if seat is None and not may_watch and game.host_id != (user.pk if user else None):
        raise NotFound(_("There is no such game, or it is not yours to see."))
    return Access(game, seat, is_host=user is not None and game.host_id == user.pk)


def access_to_sit(user: User, ref: str) -> Access:
    """The same, for somebody who wants to sit down there: who may only watch may not."""
    access = access_game(user, ref)
    if access.seat is None and not access.game.is_listed and access.game.host_id != user.pk:
        raise NotFound(_("There is no such game, or it is not yours to see."))
    return access


def access_seat(user: User, ref: str) -> Access:
    """The same, for somebody who wants to act: he must sit there."""
    access = access_game(user, ref)
    if access.seat is None:
        raise NotFound(_("You do not sit at this table."))
    return access


def access_to_answer(user: User, ref: str, read: Callable[[str, int], list[Seat]] = statements.own_seat) -> Access:
    """The same by one small statement, for who acts through a service that reads the game itself once it is locked."""
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
    """What this viewer may see of the game's state. Only for games that have begun."""
    return access.game.rules.view(access.game.load_state(), access.number)


def orders_of(access: Access) -> Sheet:
    """The standing orders of this viewer's own seat, and of no other; only for one who sits there in a running game."""
    assert access.number is not None
    sheet: Sheet = access.game.rules.orders(access.game.look_at_state(), access.number)
    return sheet


def open_questions(access: Access, view: Any | None = None) -> list[OpenQuestion]:
    """What this viewer's seat is asked, or may do unasked, each with its clock; without `view` no rows for orders."""
    game, seat, asked = access.game, access.seat, _questions(access, view)
    if seat is None or not asked:
        return []
    rows = {row.code: row for row in statements.open_of(game.pk, seat.pk)}
    for row in rows.values():
        row.game, row.seat = game, seat
    return [OpenQuestion(one, rows.get(one.decision.id)) for one in asked]


def question(access: Access, code: str, view: Any | None = None) -> Question | None:
    """The one of them with this code, if there is one."""
    return next(iter(_questions(access, view, code)), None)


def _questions(access: Access, view: Any | None, code: str | None = None) -> list[Question]:
    game, seat, number = access.game, access.seat, access.number
    if seat is None or number is None or game.status != Game.Status.RUNNING or not seat.is_person:
        return []
    found = _bare_questions(access, number, code) if view is None else game.rules.questions(view)
    return [one for one in found if one.actions and code in (None, one.decision.id)]


def _bare_questions(access: Access, number: int, code: str | None) -> Iterator[Question]:
    rules, state = access.game.rules, access.game.look_at_state()
    codes = [one.id for one in access.game.look_at_asked() if one.seat == number] if code is None else [code]
    with suppress(StaleDecision):  # there is none with this code
        yield from [rules.question(state, one, number) for one in codes]


def is_predecessors(access: Access, question: Question) -> bool:
    """True for a sealed answer that may be changed and was given for the seat before its player came to it."""
    seat, decision = access.seat, question.decision
    if seat is None or not seat.played_since or not decision.sealed or decision.prompted:
        return False
    answers = access.game.moves.filter(kind=Move.Kind.ANSWER, seat=seat.number, decision=decision.id)
    return not answers.filter(seq__gt=seat.played_since).exists()


def describe(access: Access, view: Any, language: str | None = None) -> str:
    """The board as plain text."""
    return access.game.rules.describe(view, language or current_language(), access.game.spoken_names())


def picture(access: Access, view: Any, language: str | None = None) -> Any:
    """What the rule set's board template draws."""
    return access.game.rules.picture(view, language or current_language(), access.game.spoken_names())


def say(game: Game, text: Text, language: str | None = None) -> str:
    """A sentence of the game's rules in words."""
    return game.rules.say(text, language or current_language(), game.spoken_names())


def log_lines(
    access: Access, *, since: int = 0, until: int | None = None, language: str | None = None
) -> list[LogLine]:
    """The log as this viewer may read it, oldest first.

    Arguments:
        since, until: numbers of moves, both included; 0 and None for all.
    """
    last = log_roll_backs.NEWEST if until is None else until
    return in_words(events_of(access, statements.moves_between(access.game.pk, since, last), language))


def events_of(access: Access, moves: Iterable[Move], language: str | None = None) -> Iterator[LogLine]:
    """Every event of these moves that this viewer may know of, those without words included."""
    names, language = access.game.spoken_names(), language or current_language()
    spans = log_roll_backs.standing_spans(access.game)
    for move in moves:
        lines = _lines(access, move, names, language)
        is_standing = log_roll_backs.stands(spans, move.seq)
        yield from lines if is_standing else (replace(line, is_taken_back=True) for line in lines)


def _lines(access: Access, move: Move, names: Sequence[str], language: str) -> Iterator[LogLine]:
    rules = access.game.rules
    is_formers = access.seat is not None and move.seq <= access.seat.played_since
    number = move.first_public
    for event in rules.load_events(move.events.encode()):
        is_public = rules.redact(event, None) is not None
        seen = rules.redact(event, access.number)
        if is_formers and isinstance(event, OrderEvent):
            seen = None  # what a seat has seen goes on with it; what its former player had in mind does not
        if seen is not None:
            yield LogLine(number if is_public else None, move.made_at, rules.say(seen, language, names), seen)
        number += is_public


def recent_lines(access: Access, most: int, language: str | None = None) -> list[LogLine]:
    """The newest lines of the log, oldest first, however long it is: older moves are not read.

    Where they begin is counted in public events, for hidden moves leave no trace; not every event is worth a line.
    """
    begin = access.game.public_events - EVENTS_PER_LINE * most
    newest = statements.newest_moves(access.game.pk, begin)
    return in_words(events_of(access, newest, language))[-most:]


def last_answer(access: Access) -> int:
    """The number of this seat's last move, 0 if it has made none."""
    if access.seat is None:
        return 0
    return next((seq for (seq,) in statements.last_answer_of(access.game.pk, access.seat.number)), 0)


def since_last_answer(access: Access, language: str | None = None) -> list[LogLine]:
    """What has happened since this seat last moved, that move's consequences included.

    After a roll-back that came later, what has happened since: what was taken back is no news.
    """
    newest = max((move.seq for move in log_roll_backs.roll_backs(access.game)), default=0)
    last = last_answer(access)
    return log_lines(access, since=max(newest, last - len(_ended_before(access, last))), language=language)


def lines_of(access: Access, move: Move) -> list[LogLine]:
    """What a move of this viewer's own has done."""
    return in_words(events_of(access, [*_ended_before(access, move.seq), move]))


def _ended_before(access: Access, seq: int) -> list[Move]:
    """What was to stand in for this seat's player until he answers ended just before his move, and belongs to it."""
    return [ended for ended in statements.ended_at(access.game.pk, seq - 1) if ended.seat == access.number]


def asked_rows(game: Game) -> QuerySet[Decision]:
    """The decisions the game waits on; of a sealed question the answered ones too, for who has answered is nobody's."""
    return statements.asked_rows(game.pk)


def asked_in(games: Iterable[Game]) -> dict[int, list[Decision]]:
    """The same for many games at once, by the game's key."""
    found: dict[int, list[Decision]] = {game.pk: [] for game in games}
    keys = pad_to_power_of_two(found)
    waiting = {(pk, code) for pk, code in statements.open_codes(*keys)} if keys else set()
    codes = pad_to_power_of_two({code for _pk, code in waiting})
    for row in statements.asked_among(len(keys))(*keys, *codes) if codes else ():
        if (row.game_id, row.code) in waiting:
            found[row.game_id].append(row)
    return found


def is_asleep(game: Game) -> bool:
    """True if all its people are absent: nothing happens until one comes back."""
    players = [seat for seat in game.seated() if seat.user_id is not None and not seat.is_bot]
    people = [seat for seat in players if seat.status != Seat.Status.RESIGNED]
    is_away = bool(people) and all(seat.status == Seat.Status.ABSENT for seat in people)
    return game.status == Game.Status.RUNNING and is_away


def on_vacation(game: Game, now: datetime) -> dict[int, datetime]:
    """Which seats' players are on vacation now, as this table counts it: until when, by the seat's number."""
    if not game.allows_vacation or game.status != Game.Status.RUNNING:
        return {}
    numbers = {seat.user_id: seat.number for seat in game.seated() if seat.user_id and seat.is_person}
    rows = statements.vacations_at(now, *numbers) if numbers else []
    return {numbers[row.user_id]: row.ends_at for row in rows}


def waited_for(game: Game, asked: Iterable[Decision] | None = None) -> list[Seat]:
    """Whom the game waits for, as everybody may know it: of a sealed question all who were asked, answered or not.

    Nobody, if all its people are away. `asked` is what `asked_rows` finds, where it is known.
    """
    return waiting(game, asked)[0]


def waiting(game: Game, asked: Iterable[Decision] | None = None) -> tuple[list[Seat], datetime | None]:
    """Whom the game waits for and until when at the latest: `waited_for` and `due_at` in one statement."""
    rows = statements.asked_of(game.pk) if asked is None else list(asked)
    due = max((row.due_at for row in rows if row.due_at), default=None)
    numbers = set() if is_asleep(game) else {row.seat.number for row in rows}
    return [seat for seat in game.seated() if seat.number in numbers], due


def due_at(game: Game) -> datetime | None:
    """When the game goes on at the latest, if a clock runs."""
    found: datetime | None = asked_rows(game).aggregate(last=Max("due_at"))["last"]
    return found


def public_due_at(decision: Decision) -> datetime | None:
    """Until when a decision is open, as everybody may know it, or None.

    Of a sealed question the last deadline of all, for as long as any of them is open: one's own may have moved because
    he has not answered.
    """
    if not decision.is_sealed:
        return decision.due_at if decision.is_open else None
    if not is_open_for_all(decision):
        return None
    rows = decision.game.decisions.filter(code=decision.code)
    found: datetime | None = rows.aggregate(last=Max("due_at"))["last"]
    return found


def is_open_for_all(decision: Decision) -> bool:
    """Whether the question is open as far as everybody may know: a sealed one is until all have answered."""
    if not decision.is_sealed or decision.is_open:
        return decision.is_open
    return decision.game.decisions.filter(code=decision.code, status=Decision.Status.OPEN).exists()


def extensions(game: Game) -> list[Extension]:
    """Why deadlines of what is asked moved, newest first.

    Of a sealed question each reason once: how many were given more time would tell how many have not answered.
    """
    told: dict[object, Extension] = {}
    for row in statements.extensions_of(game.pk):
        told.setdefault((row.decision.code, row.reason) if row.decision.is_sealed else row.pk, row)
    return list(told.values())


def moderation(access: Access) -> list[ModerationEntry]:
    """What hosts and moderators did at this table, newest first: acts on the game, and on no person's account.

    That somebody looked at a hand, or settled what somebody reported, is between him and the moderators.
    """
    quiet = (ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE)
    return list(access.game.moderation.exclude(action__in=quiet).order_by("-pk"))


def rolled_back(game: Game) -> ModerationEntry | None:
    """Why a moderator has taken the game back the last time."""
    return game.moderation.filter(action=ModerationEntry.Action.ROLL_BACK).last()


def cancelled(game: Game) -> ModerationEntry | None:
    """Why a moderator has ended a game; None for one that ended otherwise, such as by agreement."""
    return game.moderation.filter(action=ModerationEntry.Action.CANCEL).last()


@dataclass(frozen=True)
class GameResult:
    """How a game ended, in words and by place."""

    reason: str
    winners: list[Seat]
    places: list[tuple[int, Seat, int]]  # place, seat, score


def result(game: Game, language: str | None = None) -> GameResult | None:
    """The end of a finished game, or None."""
    if not game.outcome:
        return None
    outcome = game.outcome
    seats = {seat.number: seat for seat in game.seated()}
    winners = [seats[number] for number in outcome["winners"]]
    return GameResult(
        reason=say(game, as_text(outcome["reason"]), language),
        winners=winners,
        places=[
            (1 if number in outcome["winners"] else place, seats[number], outcome["scores"][number])
            for place, number in enumerate(outcome["ranking"], start=1)
        ],
    )


def story(game: Game, language: str | None = None) -> list[str]:
    """The turning points of a game that is over, made of what everybody was shown; [] of one that is not."""
    if not game.outcome:
        return []
    shown = (line.event for line in events_of(Access(game, None), log_roll_backs.standing(game), language))
    return [say(game, text, language) for text in game.rules.story(shown)]


def answer_in_words(decision: Decision, language: str | None = None) -> Iterable[LogLine]:
    """What became of a decision that is closed, in public facts only: for links that have been used."""
    move = decision.game.moves.filter(decision=decision.code, seat=decision.seat.number).last()
    if move is None or (decision.is_sealed and is_open_for_all(decision)):
        return []
    return [line for line in events_of(Access(decision.game, None), [move], language) if line.text]


def current_language() -> str:
    """The language of the request or letter that is being made, such as "es"."""
    return (get_language() or "en").split("-", 1)[0]
