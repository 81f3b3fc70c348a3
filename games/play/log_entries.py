"""The log of a game as its viewer may read it: a line for each event with text; equal lines are counted in one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from engine.core.games import RecapLine, heaviest
from engine.orders.model import OrderEvent
from games.play import queries, roll_backs, statements, stored_moves
from games.play.models import Decision, Move
from games.play.queries import Access
from games.tables.models import Game

EVENTS_PER_LINE = 3  # public events that are read for each line of the log


@dataclass(frozen=True)
class LogLine:
    """One event as its viewer may see it: as text, "" for an event without one, and as data.

    `number` is public and has no gaps; None for an event that only this viewer may see. `is_taken_back` is true of an
    event that a roll-back has undone.
    """

    number: int | None
    at: datetime
    text: str
    event: Any  # the rules' own, redacted for the viewer
    is_taken_back: bool = False

    @property
    def is_stewards(self) -> bool:
        """True if it tells of a steward, which is no event of the rules."""
        return isinstance(self.event, dict)

    @property
    def place(self) -> str:
        """Where on the board it happened, as an event of the rules names it; "" if it says no place."""
        named = (getattr(self.event, name, None) for name in ("space", "room", "source", "to"))
        return next((at for at in named if isinstance(at, str) and at), "")


def merge_lines(lines: Iterable[LogLine]) -> list[LogLine]:
    """Returns the lines with text. Equal lines of one moment become one that ends in a count: "(×3)"."""
    worded = (line for line in lines if line.text)
    told = []
    for _alike, group in groupby(worded, key=lambda line: (line.number, line.at, line.text)):
        first, *more = group
        told.append(replace(first, text=f"{first.text} (×{len(more) + 1})") if more else first)
    return told


def log_lines(access: Access, *, since: int = 0, until: int | None = None) -> list[LogLine]:
    """Returns the log as this viewer may read it, oldest first.

    Arguments:
        since, until: numbers of moves, both included; 0 and None for all.
    """
    last = roll_backs.NEWEST if until is None else until
    return merge_lines(events_of(access, stored_moves.between(access.game, since, last), has_stewards=True))


def events_of(access: Access, made: Iterable[Move], *, has_stewards: bool = False) -> Iterator[LogLine]:
    """Yields every event of these moves that this viewer may see, including those without text.

    Arguments:
        has_stewards: with a line for each answer of a steward, which is no event of the rules.
    """
    names, language = access.game.spoken_names(), queries.current_language()
    spans = roll_backs.standing_spans(access.game)
    asked: set[str] | None = None  # the codes of what is asked now, once they are needed
    for move in made:
        lines = _lines(access, move, names, language)
        if has_stewards and move.source == Move.Source.STEWARD and move.seat is not None:
            asked = _open_codes(access.game) if asked is None else asked
            lines = lines if move.decision in asked else chain(lines, [_steward_line(move, names[move.seat], language)])
        is_standing = roll_backs.stands(spans, move.seq)
        yield from lines if is_standing else (replace(line, is_taken_back=True) for line in lines)


def _lines(access: Access, move: Move, names: Sequence[str], language: str) -> Iterator[LogLine]:
    rules = access.game.rules
    is_formers = access.seat is not None and move.seq <= access.seat.played_since
    number = move.first_public
    for event in rules.load_events(move.events.encode()):
        is_public = rules.redact(event, None) is not None
        seen = rules.redact(event, access.number)
        if is_formers and isinstance(event, OrderEvent):
            seen = None  # a new player of the seat sees what it has seen, not the plans of its former player
        if seen is not None:
            yield LogLine(number if is_public else None, move.made_at, rules.say(seen, language, names), seen)
        number += is_public


def _open_codes(game: Game) -> set[str]:
    return {code for _game, code in statements.open_codes(game.pk)}


def _steward_line(move: Move, name: str, language: str) -> LogLine:
    """That a steward has answered: public once nobody is asked the same any more."""
    with translation.override(language):
        text = _("%(name)s’s steward has answered for %(name)s.") % {"name": name}
    event = {"type": "StewardAnswered", "seat": move.seat, "decision": move.decision}
    return LogLine(move.first_public, move.made_at, text, event)


def recent_lines(access: Access, most: int) -> list[LogLine]:
    """Returns the newest lines of the log, oldest first, without reading older moves.

    Where to start is estimated in public events: hidden moves must not shift it, and not every event has a line.
    """
    begin = access.game.public_events - EVENTS_PER_LINE * most
    return merge_lines(events_of(access, stored_moves.newest(access.game, begin), has_stewards=True))[-most:]


def last_answer(access: Access) -> int:
    """The number of this seat's last move, 0 if it has made none."""
    return 0 if access.seat is None else stored_moves.last_answer(access.game, access.seat.number)


def since_last_answer(access: Access) -> list[LogLine]:
    """Returns the lines since this seat's last answer, including what that answer led to.

    After a later roll-back, the lines since the roll-back.
    """
    return merge_lines(_events_since_last_answer(access))


def _events_since_last_answer(access: Access) -> Iterator[LogLine]:
    newest = max((move.seq for move in roll_backs.roll_backs(access.game)), default=0)
    last = last_answer(access)
    since = max(newest, last - len(_ended_before(access, last)))
    return events_of(access, stored_moves.between(access.game, since, roll_backs.NEWEST))


def recap_since_last_answer(access: Access, most_words: int) -> tuple[list[str], int]:
    """Returns what has happened since this seat's last answer, in about so many words, and how many lines are left out.

    The weightiest stay, in their order; see `Rules.recap`.
    """
    rules, language = access.game.rules, queries.current_language()
    seen = (line.event for line in _events_since_last_answer(access) if not line.is_taken_back)
    names = access.game.spoken_names()

    def say(line: RecapLine) -> str:
        return rules.say(line.text, language, names)

    told = [line for line in rules.recap(seen, access.number) if say(line)]
    kept = heaviest(told, most_words, lambda line: len(say(line).split()))
    return [say(line) for line in kept], len(told) - len(kept)


def lines_of_move(access: Access, move: Move) -> list[LogLine]:
    """Returns the lines of a move made by this viewer."""
    return merge_lines(events_of(access, [*_ended_before(access, move.seq), move]))


def _ended_before(access: Access, seq: int) -> list[Move]:
    """The move that ended the orders standing in for this player, if it came just before his own: shown with it."""
    return [ended for ended in stored_moves.ended_at(access.game, seq - 1) if ended.seat == access.number]


def story(game: Game) -> list[str]:
    """Returns the turning points of a finished game, from its public events; [] if it is not finished."""
    if not game.outcome:
        return []
    shown = (line.event for line in events_of(Access(game, None), roll_backs.standing(game)))
    return [queries.say(game, text) for text in game.rules.story(shown)]


def lines_of_answer(decision: Decision) -> Iterable[LogLine]:
    """Returns the public lines of the answer to a closed decision, for links that have been used."""
    move = stored_moves.last(decision.game, decision=decision.code, seat=decision.seat.number)
    if move is None or (decision.is_sealed and queries.is_open_for_all(decision)):
        return []
    return [line for line in events_of(Access(decision.game, None), [move]) if line.text]
