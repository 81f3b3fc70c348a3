"""Judges what a round looks like to one seat, and what things are worth to it in treasure: by this cards are judged."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import ge
from typing import NamedTuple, cast

from engine.aladdins_dragons.actions import Amounts, Targets
from engine.aladdins_dragons.effects import FIRST, LAST_FIRST
from engine.aladdins_dragons.facts import CAVES, GUARD, KINDS, PIECES, cave_kind, rooms
from engine.aladdins_dragons.model import Bribes, Play, View, Window
from engine.core import Amounts as AmountsField
from engine.core import Seat

# Which treasure to take and to give: several kinds pay for more tokens than much of one kind.


def usefulness(hoard: Mapping[str, int]) -> float:
    """Different kinds pay for more tokens than much of one kind."""
    return sum(sqrt(amount) for amount in hoard.values())


def change(hoard: dict[str, int], amounts: Mapping[str, int], sign: int) -> None:
    """Adds amounts to a hoard, or takes them from it."""
    for kind, amount in amounts.items():
        hoard[kind] += sign * amount


def best_gift(hoard: Mapping[str, int], field: AmountsField) -> dict[str, int]:
    """Returns as much as the field asks for, unit by unit of the kind the hoard has least of."""
    return _split(hoard, field, 1)


def best_payment(hoard: Mapping[str, int], field: AmountsField) -> dict[str, int]:
    """Returns as much as the field asks for, unit by unit of the kind the hoard has most of."""
    return _split(hoard, field, -1)


def _split(hoard: Mapping[str, int], field: AmountsField, sign: int) -> dict[str, int]:
    limits = _limits(field)
    kinds, left, chosen = [kind for kind in KINDS if kind in limits], dict(hoard), dict.fromkeys(KINDS, 0)
    for _ in range(field.total):
        open_kinds = [kind for kind in kinds if chosen[kind] < limits[kind]]
        kind = min(open_kinds, key=lambda kind: sign * left.get(kind, 0))
        chosen[kind] += 1
        left[kind] = left.get(kind, 0) + sign
    return {kind: amount for kind, amount in chosen.items() if amount}


def evened(hoard: Mapping[str, int], give: AmountsField, take: AmountsField) -> Targets | None:
    """Trades the kinds above the mean so that the others come nearer to it; None for nothing."""
    mean = sum(hoard.values()) // len(KINDS)
    over = {kind: min(hoard[kind] - mean, _limits(give).get(kind, 0)) for kind in KINDS if hoard[kind] > mean + 1}
    under = {kind: min(mean - hoard[kind], _limits(take).get(kind, 0)) for kind in KINDS if hoard[kind] < mean}
    amount = min(sum(over.values()), sum(under.values()), give.total)
    if amount < give.fewest or not amount:
        return None
    return {give.name: _part(over, amount), take.name: _part(under, amount)}


def _part(amounts: Mapping[str, int], total: int) -> dict[str, int]:
    left = dict(amounts)
    for _ in range(total):
        left[max(left, key=lambda kind: left[kind])] -= 1
    return {kind: amount - left[kind] for kind, amount in amounts.items() if amount > left[kind]}


def _limits(field: AmountsField) -> dict[str, int]:
    return {str(option.value): field.total if option.limit is None else option.limit for option in field.options}


# The worth of things to a bot, in treasure. Only artifacts win; treasure is what they are bought with.

MEAN_TOKEN = sum(PIECES.tokens) / len(PIECES.tokens)
ARTIFACT = 12.0  # above the usual price
SATURATION = 20.0  # a hoard that large halves what further treasure is worth
EXCHANGE = 2.0  # the gain at the market
CAMEL = 1.5  # what going first in every tie is worth
DJINN = 1.5  # a second artifact in the round
SPELL = 2.5  # a card in hand
VICTORY = 60.0  # winning, against losing
RIVALRY = 0.5  # what is taken from all others counts half of what one gains


def greed(total: float) -> float:
    """Returns what one treasure more counts to somebody who holds so much."""
    return 1 / (1 + max(0.0, total) / SATURATION)


# How a round would end if nobody did anything more, as one seat guesses it from what it sees.

SPARE = 6.0  # what a purchase costs, which nobody bribes the guard with
PRIZES = {"tent": SPELL, "djinn": DJINN, "market": EXCHANGE, "caravanserai": CAMEL}


class Piece(NamedTuple):
    """A token as it is guessed: one in view by its value, one face down by the mean of those not seen."""

    seat: Seat
    value: float
    name: str
    face_up: bool
    source: str


Row = tuple[Piece, ...]


@dataclass(frozen=True)
class Outlook:
    """A guess at the rest of the round.

    Arguments:
        rows: what lies in each space.
        caves: shelves by kind.
        hoards: treasure by seat; None if hidden.
        gains: treasure each seat has won or lost beside its hoard.
        inside: seats in the palace, or certain to enter.
        is_turned: the weakest ranks first (S3).
        smuggler: who counts as first in the empty spaces of the city (S15).
    """

    view: View
    rows: Mapping[str, Row]
    caves: Mapping[str, Sequence[int]]
    hoards: Sequence[Mapping[str, int] | None]
    gains: Sequence[float]
    inside: frozenset[Seat]
    is_turned: bool = False
    smuggler: Seat | None = None

    @classmethod
    def of(cls, view: View) -> "Outlook":
        """Returns what lies there now."""
        unseen = [_mean_unseen(view, seat) for seat in range(view.seats)]
        rows = {
            space: tuple(
                Piece(
                    token.seat,
                    unseen[token.seat] if token.value is None else token.value,
                    f"{space}:{token.number}",
                    token.face_up,
                    token.source,
                )
                for token in row
            )
            for space, row in view.spaces.items()
        }
        effects = view.magic.effects if view.has_magic else []
        first = [effect.seat for effect in effects if effect.name == FIRST]
        return cls(
            view,
            rows,
            view.caves,
            view.hoards,
            [0.0] * view.seats,
            frozenset(view.admitted),
            any(effect.name == LAST_FIRST for effect in effects),
            first[0] if first else None,
        )

    def with_row(self, space: str, change: Callable[[Row], Row]) -> "Outlook":
        """The outlook with one row changed."""
        return replace(self, rows={**self.rows, space: change(self.rows[space])})

    def with_gain(self, seat: Seat, amount: float) -> "Outlook":
        """The outlook once a seat has won or lost treasure."""
        return replace(self, gains=[gain + amount * (seat == own) for own, gain in enumerate(self.gains)])

    def with_cave(self, cave: str, shelves: Sequence[int]) -> "Outlook":
        """The outlook with that treasure in a cave."""
        return replace(self, caves={**self.caves, cave_kind(cave): shelves})

    def with_token(self, space: str, seat: Seat, value: float) -> "Outlook":
        """The outlook with one face-up token more."""
        return self.with_row(space, lambda row: (*row, Piece(seat, value, "", True, "added")))

    def with_moved(self, name: str, to: str) -> "Outlook":
        """The outlook with a token moved to another space; unchanged if there is no token of that name."""
        token = self.find(name)
        return self if token is None else self.without([name]).with_row(to, lambda row: (*row, token[1]))

    def without(self, names: Iterable[str]) -> "Outlook":
        """The outlook without these tokens."""
        gone = set(names)
        rows = {space: tuple(piece for piece in row if piece.name not in gone) for space, row in self.rows.items()}
        return replace(self, rows=rows)

    def find(self, name: str) -> tuple[str, Piece] | None:
        """The token of that name and its space; that of a carpet on its way is none."""
        space = name.partition(":")[0]
        return next(((space, piece) for piece in self.rows.get(space, ()) if piece.name == name), None)

    def worth(self, seat: Seat) -> float:
        """How the seat fares, less how its rivals do; in treasure."""
        fares = self.fares()
        own = fares.pop(seat)
        return own - RIVALRY * sum(fares) / len(fares)

    def fares(self) -> list[float]:
        """Returns what each seat may expect of the rest of the round, in treasure."""
        treasure = list(self.gains)
        for space in self._left(CAVES):
            for seat, shelf in zip(self.order(space), self.caves[cave_kind(space)], strict=False):
                treasure[seat] += shelf
        for space in self._left(PRIZES):
            for seat in self.order(space)[:1]:
                treasure[seat] += PRIZES[space]
        hoards = [self.hoard(seat) + gain for seat, gain in enumerate(treasure)]
        goods = self._goods(hoards)
        return [greed(hoards[seat]) * gain + goods[seat] for seat, gain in enumerate(treasure)]

    def _left(self, spaces: Iterable[str]) -> list[str]:
        return [space for space in spaces if space in self.rows and space not in self.view.tallied]

    def order(self, space: str) -> list[Seat]:
        """The seats of a space, strongest first, ties by player sequence (A35)."""
        totals = self._totals(space)
        if self.smuggler is not None and space in PRIZES and not totals:
            return [self.smuggler]
        if len(totals) < 2:
            return list(totals)
        sign = 1 if self.is_turned and space != GUARD else -1
        return sorted((seat for seat in self.view.sequence() if seat in totals), key=lambda seat: sign * totals[seat])

    def _totals(self, space: str) -> dict[Seat, float]:
        totals: dict[Seat, float] = {}
        for piece in self.rows[space]:
            totals[piece.seat] = totals.get(piece.seat, 0.0) + piece.value
        return totals

    def hoard(self, seat: Seat) -> float:
        """Treasure in all; of a hidden hoard a guess."""
        hoard = self.hoards[seat]
        return SPARE if hoard is None else sum(hoard.values())

    def _goods(self, hoards: Sequence[float]) -> list[float]:
        """Returns what each seat may buy, less the price: who cannot enter or pay leaves it to the next."""
        goods = [0.0] * len(hoards)
        entries = [self.entry(seat, amount) for seat, amount in enumerate(hoards)]
        for room in self._left(rooms(self.view.seats)):
            chance, totals = 1.0 if self.view.offers[room] else 0.0, self._totals(room)
            for seat in self.order(room):
                if totals[seat] <= hoards[seat] and self._can_pay(seat, room):
                    goods[seat] += chance * entries[seat] * max(0.0, ARTIFACT - greed(hoards[seat]) * totals[seat])
                    chance *= 1 - entries[seat]
        return goods

    def _can_pay(self, seat: Seat, room: str) -> bool:
        """Kind by kind (A69); before the guard's turn the hoard may still change, so the sum decides alone."""
        hoard = self.hoards[seat]
        if hoard is None or (GUARD not in self.view.tallied and self.view.tallying != GUARD):
            return True
        tokens = sorted((piece.value for piece in self.rows[room] if piece.seat == seat), reverse=True)
        kinds = sorted(hoard.values(), reverse=True)
        return len(tokens) <= len(kinds) and all(map(ge, kinds, tokens))

    def entry(self, seat: Seat, hoard: float) -> float:
        """The chance to enter the palace, a bribe included; 1 or 0 once the guard is done with."""
        if seat in self.inside:
            return 1.0
        if GUARD in self.view.tallied and not self._is_to_bribe(seat):
            return 0.0
        own = [piece.value for piece in self.rows[GUARD] if piece.seat == seat]
        if not own:
            return 0.0
        reach = sum(own) + max(0.0, hoard - SPARE) / 2
        guards = PIECES.guards if self.view.guard is None else [self.view.guard]
        return sum(reach >= guard for guard in guards) / len(guards)

    def _is_to_bribe(self, seat: Seat) -> bool:
        """Will another seat be asked at the guard? For the seat that looks, it is what it decides."""
        frame = self.view.agenda[-1] if self.view.agenda else None
        return isinstance(frame, Bribes) and seat in frame.waiting and seat != self.view.seat


def _mean_unseen(view: View, seat: Seat) -> float:
    values = [t.value for row in view.spaces.values() for t in row if t.seat == seat and not t.source]
    shown = [value for value in values if value is not None]
    left = len(PIECES.tokens) - len(shown)
    return (sum(PIECES.tokens) - sum(shown)) / left if left else MEAN_TOKEN


# A card that is about to be played, aimed, as one seat looks at it.


@dataclass(frozen=True)
class Case:
    """Holds what `Card.judge` judges.

    Arguments:
        outlook: the round without the card.
        before: what it is worth to the viewer.
        viewer: whose gain counts.
        caster: who plays it.
        targets: what it is aimed at; maybe without treasure to pay or take.
    """

    outlook: Outlook
    before: float
    viewer: Seat
    caster: Seat
    targets: Targets

    def gain(self, changed: Outlook) -> float:
        """Returns what the viewer gains if the round looks like that instead."""
        return changed.worth(self.viewer) - self.before

    def text(self, name: str) -> str:
        """A target that is a name."""
        return cast(str, self.targets[name])

    def number(self, name: str) -> int:
        """A target that is a seat or the index of a play."""
        return cast(int, self.targets[name])

    def treasure(self, name: str) -> Amounts:
        """A target that is amounts of treasure."""
        return cast(Amounts, self.targets[name])

    @property
    def shown_plays(self) -> list[Play]:
        """The plays of the window that is open."""
        frame = self.outlook.view.agenda[-1]
        return frame.plays if isinstance(frame, Window) else []

    def turned_against(self, play: Play) -> "Case":
        """Another's play, looked at by the same viewer."""
        return replace(self, caster=play.seat, targets=play.targets)
