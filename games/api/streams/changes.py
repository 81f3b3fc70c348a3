"""What has changed in one account's games since it was last told, as events.

What a log, a table or a question shows this account comes from `games.play.queries` and `games.api.play.reading`, as
everywhere in the API. An event's id says how far every game has been told; it is encrypted, and made of public numbers
and of what the account was told itself.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from rest_framework.renderers import JSONRenderer

from engine.core import JsonObject
from games import cursors
from games.api.play import reading
from games.api.play.serializers import LogLineShape
from games.api.play.talk import CommentShape
from games.api.streams.shapes import GameStateShape
from games.api.tables.seats import InvitedShape, invitations_of
from games.errors import NotFound
from games.people.models import User
from games.play import queries, table_talk
from games.play.models import Comment, Decision
from games.tables.models import ALIVE, Game, by_known_rules
from games.tables.seats import Seat
from notifications.clock import present

KEPT = timedelta(days=1)  # a game that is over is watched so long: people still talk
OVERLAP = timedelta(minutes=1)  # what was being stored while its account looked may have an earlier time
PIECE = 200  # lines of one game's log told at one look
MOST_GAMES = 180  # in one id, so that it fits into a header: those that changed last
FORMAT = 1


@dataclass(frozen=True)
class StreamEvent:
    """Something that an account is told."""

    name: str
    data: JsonObject

    def as_bytes(self, position: str = "") -> bytes:
        """As the HTML standard writes it (section 9.2).

        Arguments:
            position: its id; the last event of a look has one.
        """
        head = f"event: {self.name}\n" + (f"id: {position}\n" if position else "")
        return head.encode() + b"data: " + JSONRenderer().render(self.data) + b"\n\n"


@dataclass
class Progress:
    """How far an account was told of one game."""

    number: int  # of the last public line of its log
    said: int  # lines of its table talk
    state: str = ""  # digest of its last `game` event


class Changes:
    """Looks at one account's games again and again.

    Arguments:
        user: the account, with its recipient.
        position: the id of the last event that it has seen; "" tells the present state of each game first.
    Raises NotACursor for what is no id of this account.
    """

    def __init__(self, user: User, position: str = "") -> None:
        self.user = user
        self.is_behind = False  # whether there is more to tell than one look has told
        self._is_first = True
        self._since, self._invited = "", ""
        self._told: dict[str, Progress] = {}
        if position:
            self._take_up(position)

    @property
    def position(self) -> str:
        """The id of what was told last."""
        games = [f"{ref}.{one.number}.{one.said}.{one.state}" for ref, one in self._told.items()]
        return cursors.seal([FORMAT, self._since, self._invited, " ".join(games[-MOST_GAMES:])], self._listed)

    def look(self) -> list[StreamEvent]:
        """What has changed since the last look, or since the position. Each first look ends with `ready`."""
        now = present.now()
        events: list[StreamEvent] = []
        self.is_behind = False
        seats = self._seats(now)
        waiting, said = _waiting(seats), _count_comments(seats)
        for seat in seats:
            with suppress(NotFound):
                events += self._of_game(seat, waiting[seat.pk], said[seat.game_id])
        events += self._of_lost({seat.game.ref for seat in seats})
        events += self._of_invitations()
        self._since = now.isoformat()
        if self._is_first:
            self._is_first = False
            events.append(StreamEvent("ready", {}))
        return events

    @property
    def _listed(self) -> str:
        return f"me/events {self.user.pk}"

    def _take_up(self, position: str) -> None:
        try:
            kind, self._since, self._invited, games = cursors.unseal(position, self._listed)
            for one in games.split():
                ref, number, said, state = one.split(".")
                self._told[ref] = Progress(int(number), int(said), state)
        except (ValueError, TypeError, AttributeError) as error:
            raise cursors.NotACursor(position) from error
        if kind != FORMAT:
            raise cursors.NotACursor(position)

    def _seats(self, now: datetime) -> list[Seat]:
        """The account's seats in games that are not over, or have not been for long, or that it does not know are."""
        games = Game.objects.filter(ALIVE | Q(finished_at__gt=now - KEPT) | Q(ref__in=list(self._told)))
        rows = Seat.objects.filter(by_known_rules("game__"), user=self.user, game__in=games)
        seats = list(rows.select_related("game").defer("game__state").order_by("game_id"))
        others: defaultdict[int, list[Seat]] = defaultdict(list)
        for other in Seat.objects.filter(game__in=[seat.game_id for seat in seats]).select_related("owner"):
            others[other.game_id].append(other)
        for seat in seats:
            seat.game.know_seats(others[seat.game_id])
        return seats

    def _of_game(self, seat: Seat, waiting: list[Decision], said: int) -> Iterator[StreamEvent]:
        ref = seat.game.ref
        told = self._told.get(ref) or self._begin(seat.game, said)
        state = GameStateShape({"game": seat.game, "seat": seat, "waiting": waiting}).data
        digest = _digest(state)
        if (seat.game.public_events, said, digest) == (told.number, told.said, told.state):
            return
        if seat.game.public_events != told.number:
            yield from self._lines(ref, told)
        if said != told.said:
            yield from _comments(seat.game, told, self.user)
        if digest != told.state:
            told.state = digest
            yield StreamEvent("game", state)
        self._told.pop(ref, None)
        self._told[ref] = told  # behind all others: what changed last is remembered longest

    def _begin(self, game: Game, said: int) -> Progress:
        """Where a game begins that the account was told nothing of: from its start if it has begun since."""
        if not self._since:
            return Progress(game.public_events, said)
        since = datetime.fromisoformat(self._since) - OVERLAP
        is_begun_since = game.started_at is None or game.started_at > since
        return Progress(0 if is_begun_since else game.public_events, 0 if game.created_at > since else said)

    def _lines(self, ref: str, told: Progress) -> Iterator[StreamEvent]:
        access = queries.access_game(self.user, ref)
        found = reading.public_log_data(access, after=told.number, limit=PIECE)
        for line in found["lines"]:
            told.number = max(told.number, line["number"])
            yield StreamEvent("log", {"game": ref, **LogLineShape(line).data})
        if found["is_complete"]:
            told.number = access.game.public_events
        else:
            self.is_behind = True

    def _of_lost(self, mine: set[str]) -> Iterator[StreamEvent]:
        for ref in [ref for ref in self._told if ref not in mine]:
            del self._told[ref]
            yield StreamEvent("gone", {"game": ref})

    def _of_invitations(self) -> Iterator[StreamEvent]:
        rows = InvitedShape(invitations_of(self.user).order_by("-pk"), many=True).data
        digest = _digest(rows) if rows else ""
        if digest != self._invited:
            self._invited = digest
            yield StreamEvent("invitations", {"invitations": rows})


def _waiting(seats: Iterable[Seat]) -> defaultdict[int, list[Decision]]:
    """What each of these seats is asked."""
    rows = Decision.objects.filter(seat__in=[seat.pk for seat in seats], status="open", is_automatic=False)
    found: defaultdict[int, list[Decision]] = defaultdict(list)
    for row in rows.order_by("code"):
        found[row.seat_id].append(row)
    return found


def _count_comments(seats: Iterable[Seat]) -> defaultdict[int, int]:
    """How many lines of talk there are at each table."""
    rows = Comment.objects.filter(game__in=[seat.game_id for seat in seats]).order_by()
    return defaultdict(int, rows.values("game").annotate(count=Count("pk")).values_list("game", "count"))


def _comments(game: Game, told: Progress, reader: User) -> Iterator[StreamEvent]:
    rows = list(game.comments.order_by("pk")[told.said :])
    table_talk.fold(rows, reader)
    for comment in rows:
        told.said += 1
        yield StreamEvent("talk", {"game": game.ref, **CommentShape(comment).data})


def _digest(data: object) -> str:
    return hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:6]


def as_stream(changes: Changes) -> bytes:
    """Takes a look, and writes its events; the last one has the id."""
    events = changes.look()
    if not events:
        return b""
    *before, last = events
    return b"".join([*(event.as_bytes() for event in before), last.as_bytes(changes.position)])
