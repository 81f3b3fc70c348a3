"""The history of a game as its viewer may read it: the lines of its log, and the board after each step and scene.

A line of the log is an event with text; equal lines are counted in one. A step is a move with public events; hidden
moves belong to the step that follows, so that the numbers have no gap. A step shows the rules' `view` of the state
right after it: what the viewer's seat could see then, and never more.

A whole tally is one step of the rules: it is shown in scenes, one thing after the other. Its move is played again, and
the rules' `still` is taken where a scene ends. Where scenes begin follows from public events alone.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, count, groupby
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from engine.core.games import RecapLine, heaviest
from engine.orders.model import OrderEvent
from engine.records import checking
from games.people import speech
from games.people.models import User
from games.play import queries, replay, stored_moves
from games.play.models import Decision, Look, Move, Snapshot
from games.play.queries import Access
from games.tables.models import Game
from notifications.database.bulk_write import update
from notifications.database.compiled_query import compiled

# The log

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
    merged = []
    for _alike, group in groupby(worded, key=lambda line: (line.number, line.at, line.text)):
        first, *more = group
        merged.append(replace(first, text=f"{first.text} (×{len(more) + 1})") if more else first)
    return merged


def log_lines(access: Access, *, since: int = 0, until: int | None = None) -> list[LogLine]:
    """Returns the log as this viewer may read it, oldest first.

    Arguments:
        since, until: numbers of moves, both included; 0 and None for all.
    """
    last = replay.NEWEST if until is None else until
    return merge_lines(events_of(access, stored_moves.between(access.game, since, last), has_stewards=True))


def events_of(access: Access, moves: Iterable[Move], *, has_stewards: bool = False) -> Iterator[LogLine]:
    """Yields every event of these moves that this viewer may see, including those without text.

    Arguments:
        has_stewards: with a line for each answer of a steward, which is no event of the rules.
    """
    names, language = access.game.spoken_names(), speech.current_language()
    spans = replay.standing_spans(access.game)
    open_codes: set[str] | None = None  # the codes of what is asked now, once they are needed
    for move in moves:
        lines = _lines(access, move, names, language)
        if has_stewards and move.source == Move.Source.STEWARD and move.seat is not None:
            open_codes = _open_codes(access.game) if open_codes is None else open_codes
            lines = lines if move.decision in open_codes else chain(lines, [_steward_line(access, move, language)])
        is_standing = replay.stands(spans, move.seq)
        yield from lines if is_standing else (replace(line, is_taken_back=True) for line in lines)


def _lines(access: Access, move: Move, names: Sequence[str], language: str) -> Iterator[LogLine]:
    rules = access.game.rules
    is_formers = access.seat is not None and move.seq <= access.seat.played_since
    number = move.first_public
    for event in rules.load_events(move.events.encode()):
        is_public = rules.redact(event, None) is not None
        visible = rules.redact(event, access.number)
        if is_formers and isinstance(event, OrderEvent):
            visible = None  # a new player of the seat sees what it has seen, not the plans of its former player
        if visible is not None:
            text = rules.say(visible, language, names, access.reader)
            yield LogLine(number if is_public else None, move.made_at, text, visible)
        number += is_public


def _open_codes(game: Game) -> set[str]:
    return {code for _game, code in queries.open_codes(game.pk)}


def _steward_line(access: Access, move: Move, language: str) -> LogLine:
    """Says that a steward has answered: public once nobody is asked the same any more."""
    assert move.seat is not None
    with translation.override(language):
        text = _("%(name)s’s steward has answered for %(name)s.") % {"name": access.game.spoken_names()[move.seat]}
        text = _("Your steward has answered for you.") if move.seat == access.reader else text
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


def _newest_roll_back(game: Game) -> int:
    return max((move.seq for move in replay.roll_backs(game)), default=0)


def _events_since_last_answer(access: Access) -> Iterator[LogLine]:
    last = last_answer(access)
    since = max(_newest_roll_back(access.game), last - len(_ended_before(access, last)))
    return events_of(access, stored_moves.between(access.game, since, replay.NEWEST))


def recap_since_last_answer(access: Access, most_words: int) -> tuple[list[str], int]:
    """Returns what has happened since this seat's last answer, in about so many words, and how many lines are left out.

    The weightiest stay, in their order; see `Rules.recap`.
    """
    rules, language = access.game.rules, speech.current_language()
    events = (line.event for line in _events_since_last_answer(access) if not line.is_taken_back)
    names = access.game.spoken_names()

    def say(line: RecapLine) -> str:
        return rules.say(line.text, language, names, access.reader)

    lines = [line for line in rules.recap(events, access.number) if line.weight and say(line)]
    kept = heaviest(lines, most_words, lambda line: len(say(line).split()))
    return [say(line) for line in kept], len(lines) - len(kept)


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
    shown = (line.event for line in events_of(Access(game, None), replay.standing_moves(game)))
    return [queries.say(game, text) for text in game.rules.story(shown)]


def turning_point(access: Access) -> str:
    """The story's last sentence of the kind with which it begins, such as who took the lead at last; "" for none."""
    events = [line.event for line in events_of(Access(access.game, None), replay.standing_moves(access.game))]
    texts = access.game.rules.story(events)
    alike = [text for text in texts if text.code == texts[0].code]
    return queries.say(access.game, alike[-1], reader=access.reader) if alike else ""


def lines_of_answer(decision: Decision) -> Iterable[LogLine]:
    """Returns the public lines of the answer to a closed decision, for links that have been used."""
    move = stored_moves.last(decision.game, decision=decision.code, seat=decision.seat.number)
    if move is None or (decision.is_sealed and queries.is_open_for_all(decision)):
        return []
    access = Access(decision.game, None, speaks_to=decision.seat.number)
    return [line for line in events_of(access, [move]) if line.text]


# Read markers: how far each user has read a game, so that the page can mark what is new

VISIT = timedelta(minutes=30)  # page views nearer to each other are one visit: what was new stays new
EXACT = timedelta(minutes=1)  # a page view so soon after the last one, with nothing new, is not stored


class Visit(NamedTuple):
    """The last public event its user had seen before this visit, and before this very view."""

    before: int
    seen: int


def record_visit(*, user: User, game: Game, now: datetime, answered: int = 0) -> Visit | None:
    """Records that a user views a game. Returns what he had seen; None on his first visit: nothing is new to him.

    Arguments:
        answered: the public event before his own answer, if one has just led him here: until then he has seen all.
    """
    row = next(iter(_marker_of(game.pk, user.pk)), None)
    if row is None:
        newest = game.public_events
        first = Look(game=game, user=user, since=newest, until=newest, looked_at=now)
        Look.objects.bulk_create([first], ignore_conflicts=True)  # two tabs at once
        return None
    if now - row.looked_at < EXACT and row.until == game.public_events and row.since >= answered:
        return Visit(row.since, row.until)
    newest = row.until
    if now - row.looked_at > VISIT:
        row.since = newest
    row.since = max(row.since, answered)
    row.until, row.looked_at = game.public_events, now
    update(row, "since", "until", "looked_at")
    return Visit(row.since, newest)


def load_last_seen(*, user: User, game: Game) -> int | None:
    """Returns the last public event the user had seen before this visit, without recording one: for pages that refresh
    by themselves."""
    return next((row.since for row in _marker_of(game.pk, user.pk)), None)


@compiled()
def _marker_of(game: int, user: int) -> QuerySet[Look]:
    return Look.objects.filter(game_id=game, user_id=user)


SNAPSHOT_EVERY = 64  # moves: at most so many are replayed once the snapshots are stored


@dataclass(frozen=True)
class Step:
    """One step: its number of `count`, its time, its log lines, and the view after it."""

    number: int
    count: int
    at: datetime
    lines: list[LogLine]
    view: object


def step_of(access: Access, number: int | None) -> Step:
    """Returns a step of a game that has begun: the last one for None, the nearest one for a number out of range.

    Arguments:
        number: counted from 1.
    """
    count = count_steps(access.game)
    number = count if number is None else min(max(number, 1), count)
    moves = moves_of_step(access.game, number)
    state = state_after(access.game, moves[-1].seq)
    return Step(
        number=number,
        count=count,
        at=moves[-1].made_at,
        lines=[line for line in events_of(access, moves, has_stewards=True) if line.text],
        view=access.game.rules.view(state, access.number),
    )


def moves_of_step(game: Game, number: int) -> list[Move]:
    """Returns the moves of an existing step; the last of them has the public events."""
    return stored_moves.find(game, first_public=stored_moves.first_publics(game)[number - 1])


def newest_steps(game: Game, most: int) -> list[tuple[int, list[Move]]]:
    """Returns number and moves of the newest steps, newest first."""
    firsts = stored_moves.first_publics(game)
    return _moves_of_steps(game, firsts, range(1, len(firsts) + 1)[-most:])[::-1]


def _moves_of_steps(game: Game, firsts: list[int], numbers: Sequence[int]) -> list[tuple[int, list[Move]]]:
    by_first: dict[int, list[Move]] = {firsts[number - 1]: [] for number in numbers}
    for move in stored_moves.find(game, first_public__in=list(by_first)):
        by_first[move.first_public].append(move)
    return [(number, by_first[firsts[number - 1]]) for number in numbers]


def count_steps(game: Game) -> int:
    """How many steps a game has."""
    return len(stored_moves.first_publics(game))


def count_steps_until(game: Game, event: int) -> int:
    """How many steps have begun when a public event happens, by its number."""
    return sum(first <= event for first in stored_moves.first_publics(game))


def state_after(game: Game, seq: int) -> object:
    """The state after a move: from the nearest snapshot before it, or from the beginning."""
    rules = game.rules
    nearest = game.snapshots.filter(seq__lte=seq).order_by("-seq").first()
    state = rules.load(nearest.state.encode()) if nearest else None
    for move in stored_moves.between(game, nearest.seq + 1 if nearest else 1, seq):
        state, _events = replay.step(game, state, move, lambda seq: state_after(game, seq))
        if move.seq % SNAPSHOT_EVERY == 0:
            data = {"state": rules.dump(state).decode()}
            Snapshot.objects.get_or_create(game=game, seq=move.seq, defaults=data)
    return state


# Scenes: a step, shown one thing after the other, as whoever sits at the table would see it happen

UNWATCHED = (Move.Kind.START, Move.Kind.BRANCH)  # they begin something, and are shown as one


@dataclass(frozen=True)
class Scene:
    """One scene: its number of `count` in its step, the step's number of `steps`, its log lines and what they come to,
    its last public event, the lines of the whole step, and the view after it."""

    step: int
    steps: int
    number: int
    count: int
    at: datetime
    lines: list[LogLine]
    caption: str
    event: int
    step_lines: list[LogLine]
    view: object

    @property
    def is_first(self) -> bool:
        """True if nothing comes before it."""
        return (self.step, self.number) == (1, 1)

    @property
    def is_last(self) -> bool:
        """True if nothing comes after it."""
        return (self.step, self.number) == (self.steps, self.count)


def scene_of(access: Access, step: int | None = None, number: int | None = None) -> Scene:
    """Returns a scene of a game that has begun: the last one for None, the nearest one for numbers out of range.

    Arguments:
        step, number: counted from 1.
    """
    steps = count_steps(access.game)
    step = steps if step is None else min(max(step, 1), steps)
    moves = moves_of_step(access.game, step)
    parts = _parts(access, moves)
    number = len(parts) if number is None else min(max(number, 1), len(parts))
    lines = parts[number - 1]
    _state, views = _views(access, state_after(access.game, moves[0].seq - 1), moves, parts)
    return Scene(
        step=step,
        steps=steps,
        number=number,
        count=len(parts),
        at=moves[-1].made_at,
        lines=merge_lines(lines),
        caption=_caption(access, lines),
        event=_end(lines),
        step_lines=[line for part in parts for line in part if line.text],
        view=views[number - 1],
    )


MOST_SCENES = 60  # are played at once


@dataclass(frozen=True)
class PlayedScene:
    """A scene as it is played: its last public event, its caption, where on the board it is, and the view after it.

    Arguments:
        ends: the step that is over with it; 0 if more of its step follows.
        is_apart: steps between it and the one before are left out.
    """

    event: int
    caption: str
    places: list[str]
    is_own: bool  # it tells of nothing but what the viewer has done himself
    view: object
    ends: int = 0
    is_apart: bool = False


@dataclass(frozen=True)
class Playback:
    """What has happened since a public event, scene by scene, and the view before it.

    Arguments:
        since: the public event before the first scene.
        until: the last public event of the last one.
    """

    since: int
    until: int
    before: object
    frames: list[PlayedScene]


def play_since(
    access: Access,
    since: int,
    most: int = MOST_SCENES,
    *,
    is_replay: bool = False,
    wanted: Collection[int] = (),
) -> Playback:
    """Returns scenes after a public event of a game that has begun, oldest first: the newest ones of many.

    Arguments:
        is_replay: of many the next ones.
        wanted: numbers of the steps to show; all if there are none.
    """
    game, until = access.game, access.game.public_events
    game.know_seats(game.seated())  # each scene names them
    since = min(max(since, 0), until)
    if since == until:
        return Playback(since, until, queries.view_of(access), [])
    firsts = stored_moves.first_publics(game)
    first = max(1, bisect_right(firsts, since + 1))
    numbers = [number for number in range(first, len(firsts) + 1) if not wanted or number in wanted]
    if not numbers:
        return Playback(since, until, queries.view_of(access), [])
    made_in = _moves_of_steps(game, firsts, numbers[:most] if is_replay else numbers[-most:])
    steps = [(number, moves, _parts(access, moves)) for number, moves in made_in]
    since = max(since, steps[0][1][-1].first_public - 1)
    state, last = state_after(game, steps[0][1][0].seq - 1), steps[0][0] - 1
    before = None if state is None else game.rules.view(state, access.number)
    frames: list[PlayedScene] = []
    for number, moves, parts in steps:
        if number > last + 1:
            state = state_after(game, moves[0].seq - 1)
        state, views = _views(access, state, moves, parts)
        scenes = [_frame(access, lines, view) for lines, view in zip(parts, views, strict=True)]
        scenes[0] = replace(scenes[0], is_apart=number > last + 1)
        frames += scenes
        frames[-1], last = replace(frames[-1], ends=number), number
    begin = sum(frame.event <= since for frame in frames)
    if not is_replay:
        begin = max(begin, len(frames) - most)
    if begin:
        since, before = frames[begin - 1].event, frames[begin - 1].view
    shown = frames[begin : begin + most]
    captioned = [frame for frame in shown if frame.caption]
    return Playback(since, shown[-1].event, frames[0].view if before is None else before, captioned)


def play_since_last_answer(access: Access, most: int) -> Playback:
    """Returns the scenes since this seat's last answer, but for its own: at most so many, the newest ones."""
    newest = max(_newest_roll_back(access.game), last_answer(access))
    moves = stored_moves.between(access.game, newest, newest)
    played = play_since(access, moves[0].first_public - 1 if moves else 0, most)
    return replace(played, frames=[frame for frame in played.frames if not frame.is_own])


def _frame(access: Access, lines: list[LogLine], view: object) -> PlayedScene:
    texts = [line for line in lines if line.text]
    return PlayedScene(
        event=_end(lines),
        caption=_caption(access, lines),
        places=list(dict.fromkeys(line.place for line in texts if line.place)),
        is_own=access.seat is not None and all(getattr(line.event, "seat", None) == access.number for line in texts),
        view=view,
    )


def _caption(access: Access, lines: list[LogLine]) -> str:
    """What is said while a scene is shown: its line, or what its lines come to."""
    merged = merge_lines(lines)
    if len(merged) > 1 and not any(line.is_stewards or line.is_taken_back for line in merged):
        rules, language, names = access.game.rules, speech.current_language(), access.game.spoken_names()
        recap = rules.recap((line.event for line in lines), access.number)
        if said := " ".join(rules.say(line.text, language, names, access.reader) for line in recap).strip():
            return said
    return " ".join(f"{line.text} ({_('taken back')})" if line.is_taken_back else line.text for line in merged)


def find_scene(access: Access, event: int) -> tuple[int, int]:
    """Returns step and number of the scene in which a public event happened; the nearest one if there is none.

    Arguments:
        event: the public number of it, as in the log.
    """
    event = min(max(event, 0), access.game.public_events)
    step = max(1, count_steps_until(access.game, event))
    parts = _parts(access, moves_of_step(access.game, step))
    return step, next((at for at, lines in enumerate(parts, start=1) if _end(lines) >= event), len(parts))


def tally_begins(game: Game, lines: Iterable[LogLine]) -> int:
    """Returns the public number of the event with which the latest tally begins; 0 if there has been none.

    Arguments:
        told: the events of the game.
    """
    begun = (line.number + 1 for line in lines if line.number is not None and _begins_tally(game, line))
    return max((number for number in begun if number <= game.public_events), default=0)


def _begins_tally(game: Game, line: LogLine) -> bool:
    return not line.is_stewards and game.rules.begins_tally(line.event)


def _parts(access: Access, moves: list[Move]) -> list[list[LogLine]]:
    """The events of a step by its scenes. What has no words for anybody stands in no scene of its own."""
    rules = access.game.rules
    parts: list[list[LogLine]] = [[]]
    before: object = None
    for line in events_of(access, moves, has_stewards=True):
        if line.number is not None and not line.is_stewards:
            is_opening = before is not None and rules.opens_scene(line.event, before)
            if is_opening and moves[-1].kind not in UNWATCHED and any(said.text for said in parts[-1]):
                parts.append([])
            before = line.event
        parts[-1].append(line)
    return parts


def _end(lines: list[LogLine]) -> int:
    """The number of the last public event of a scene."""
    return max((line.number for line in lines if line.number is not None), default=0)


def _views(access: Access, state: object, moves: list[Move], parts: list[list[LogLine]]) -> tuple[object, list[object]]:
    """Returns the state after a step, and the viewer's view after each of its scenes.

    Arguments:
        state: the one before it, None before the first.
    """
    game, rules = access.game, access.game.rules
    *hidden, move = moves
    for earlier in hidden:
        state, _events = replay.step(game, state, earlier, lambda seq: state_after(game, seq))
    ends = {_end(lines) for lines in parts[:-1]}
    if not ends:
        state, _events = replay.step(game, state, move, lambda seq: state_after(game, seq))
        return state, [rules.view(state, access.number)]
    numbers = count(move.first_public)
    stills: list[object] = []

    def see(state: object, happened: object) -> None:
        if rules.redact(happened, None) is not None and next(numbers) in ends:
            stills.append(rules.still(state, access.number))

    state, _events = checking.step(rules.watched(see), state, move)
    return state, [*stills, rules.view(state, access.number)]
