"""What the sample bot thinks of each answer: one function a game, from the published fields of `view` alone.

`view` and the options of a question are described by the JSON Schema of the rule set (`schema_url` of `GET rules/`). A
game that is not here, and a question of which nothing is known, is left to the dice of `sample_bot.py`.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

Data = dict[str, Any]
Score = Callable[[Data], float]


def judge(rules: str, view: Data, question: Data) -> Score | None:
    """Returns what says how good an answer to this question is, or None if it cannot be told."""
    strategy = STRATEGIES.get((rules, question["kind"]))
    return strategy(view) if strategy else None


# Aladdin and the Cave of Wonders

ANOTHER_TOKEN = 4.0  # points that the token a monkey or a carpet brings is worth
FACE_DOWN = 3.2  # points of a token of which only the back is seen


class Cave:
    """Points that a token brings to the own board: its number, its kind's favour, lines and trios."""

    def __init__(self, view: Data) -> None:
        self.view = view
        self.board: dict[str, list[Data]] = view["boards"][view["seat"]]
        self.favourite: str = view["favourites"][view["seat"]]

    def space(self, action: Data) -> float:
        """Of going where a token lies."""
        token = self.view["spaces"][action["to"]]
        if not token["face_up"]:
            return FACE_DOWN + float(token["kind"] == self.favourite)
        if token["character"] == "genie":
            return max(map(self.square, self.board))
        square = f"{token['kind']}-{token['number']}"
        return self.own(token) + self.square(square) + ANOTHER_TOKEN * (token["character"] in ("monkey", "carpet"))

    def genie(self, action: Data) -> float:
        """Of the square that the genie takes."""
        return self.square(action["square"])

    def own(self, token: Data) -> float:
        """Of the token for itself."""
        if token["character"] == "sorcerer":
            return -3.0 + float(token["kind"] == self.favourite)
        if token["character"] != "princess":
            return float(token["number"] + (token["kind"] == self.favourite))
        on_carpet = any(one.get("character") == "carpet" for one in self.board[f"{token['kind']}-1"])
        return float(token["number"] + 2 * (token["kind"] == self.favourite) + 2 * on_carpet)

    def square(self, square: str) -> float:
        """Of one more token on a square: the lines that it completes, and each third token there."""
        lying = len(self.board[square])
        lines = 0 if lying else sum(all(self.board[other] for other in line) for line in self._lines(square))
        return 5.0 * lines + 3.0 * ((lying + 1) % 3 == 0)

    def _lines(self, square: str) -> Iterator[list[str]]:
        for part in (0, 1):
            name = square.split("-")[part]
            yield [other for other in self.board if other != square and other.split("-")[part] == name]


# Aladdin's Dragons

ARTIFACT = 12.0  # treasures that an artifact is worth
SPREAD = 3.0  # how unsure a guess at a face-down strength is
MEAN_TOKEN = 5.0
STILL_TO_COME = 0.25  # strength that each token in an opponent's hand may yet add to a space
PRIZES = {"market": 2.0, "caravanserai": 1.0, "tent": 2.0, "djinn": 1.0}
GUARDS = range(1, 11)
TOKEN_COST = 0.25


class Dragons:
    """Treasures that the own tokens can be expected to bring, against what is seen of the others."""

    def __init__(self, view: Data) -> None:
        self.view, self.seat = view, view["seat"]
        self.hoard: dict[str, int] = view["hoards"][self.seat]
        self.others = [seat for seat in range(len(view["hand_counts"])) if seat != self.seat]
        self.rows = {
            space: [token["value"] for token in row if token["seat"] == self.seat] for space, row in self._spaces()
        }
        self.rivals = {space: [self._strength(seat, row) for seat in self.others] for space, row in self._spaces()}

    def place(self, action: Data) -> float:
        """Of a token on a space; taking back what was placed in a wave is worth nothing."""
        if action["type"] != "place":
            return -math.inf
        rows = {**self.rows, action["space"]: [*self.rows[action["space"]], action["token"]]}
        return self.worth(rows, len(self.view["hand"]) - 1) - TOKEN_COST * int(action["token"])

    def worth(self, rows: dict[str, list[int]], in_hand: int) -> float:
        """Of all own tokens, with so many still in hand."""
        caves = {space: self._cave(space, sum(row)) for space, row in rows.items() if space.startswith("cave-")}
        city = sum(prize * self._first(space, rows[space]) for space, prize in PRIZES.items() if space in rows)
        return sum(caves.values()) + city + self._palace(rows, in_hand, caves)

    def buy(self, action: Data) -> float:
        """Of an artifact: always, with what there is most of."""
        if action["type"] != "buy":
            return 0.0
        left = dict(self.hoard)
        for name, kind in action.items():
            if name.startswith("pay_"):
                left[kind] -= int(name.split("_")[1])  # pay_9, and pay_9_2 for a second token of that value
        return 100.0 + _evenness(left)

    def bribe(self, action: Data) -> float:
        """Of getting into the palace, if something can be bought there."""
        if action["type"] != "bribe":
            return 0.0
        left = {kind: amount - action["pay"].get(kind, 0) for kind, amount in self.hoard.items()}
        goods = sum(self._room(room, self.rows[room], left) for room in self.rows if room.startswith("room-"))
        return goods - float(sum(action["pay"].values())) + 0.01 * _evenness(left)

    def market(self, action: Data) -> float:
        """Of an exchange: three for one."""
        if action["type"] != "exchange":
            return 0.0
        left = {kind: amount + action["take"].get(kind, 0) for kind, amount in self.hoard.items()}
        left[action["give"]] -= 1
        return 2.0 + 0.01 * _evenness(left)

    def camel(self, action: Data) -> float:
        """Of the camel: to oneself."""
        if action["type"] == "give_camel":
            return float(action["seat"] == self.seat)
        return float(self.view["camel"] == self.seat) * 2

    def treasures(self, action: Data) -> float:
        """Of the treasures to begin with: two of one kind and one of another pay for more tokens than one of each."""
        return float(sorted(action["amounts"].values(), reverse=True)[:2] == [2, 1])

    def _spaces(self) -> Iterator[tuple[str, list[Data]]]:
        yield from self.view["spaces"].items()

    def _strength(self, seat: int, row: list[Data]) -> float:
        seen = [token["value"] or MEAN_TOKEN for token in row if token["seat"] == seat]
        return sum(seen) + STILL_TO_COME * int(self.view["hand_counts"][seat])

    def _beaten(self, space: str, strength: int) -> list[float]:
        """For each opponent the chance that he is stronger."""
        return [1 / (1 + math.exp((strength - rival) / SPREAD)) for rival in self.rivals[space]]

    def _first(self, space: str, row: list[int]) -> float:
        return math.prod(1 - beaten for beaten in self._beaten(space, sum(row))) if row else 0.0

    def _cave(self, space: str, strength: int) -> float:
        """The shelf at the expected rank, between two shelves in proportion."""
        shelves = [*self.view["caves"][space.removeprefix("cave-")], 0, 0]
        rank = min(sum(self._beaten(space, strength)), len(shelves) - 2)
        upper = int(rank)
        return float(shelves[upper] + (shelves[upper + 1] - shelves[upper]) * (rank - upper)) if strength else 0.0

    def _palace(self, rows: dict[str, list[int]], in_hand: int, caves: dict[str, float]) -> float:
        """The chance to enter times what the rooms bring, less the bribe to be expected."""
        hoard = {kind: amount + 0.7 * caves[f"cave-{kind}"] for kind, amount in self.hoard.items()}
        goods = sum(self._room(room, row, hoard) for room, row in rows.items() if room.startswith("room-"))
        if not rows["guard"]:
            return goods / 2 if in_hand else 0.0
        missing = [max(0, guard - sum(rows["guard"])) for guard in GUARDS]
        spare = max(0.0, sum(hoard.values()) - 5)
        enter = sum(bribe <= spare for bribe in missing) / len(missing)
        price = sum(min(bribe, spare) for bribe in missing) / len(missing)
        hoped = 5.0 if not goods and in_hand and spare else goods
        return enter * hoped - (price if goods or hoped else 0.0)

    def _room(self, room: str, row: list[int], hoard: Data) -> float:
        """Each token of the room is paid by a kind of its own."""
        tokens, kinds = sorted(row, reverse=True), sorted(hoard.values(), reverse=True)
        can_pay = tokens and len(tokens) <= len(kinds) and all(t <= k for t, k in zip(tokens, kinds, strict=False))
        return (ARTIFACT - sum(tokens)) * self._first(room, row) if can_pay else 0.0


def _evenness(hoard: dict[str, int]) -> float:
    """How well a hoard can pay for several tokens at once."""
    return sum(math.sqrt(amount) for amount in hoard.values())


STRATEGIES: dict[tuple[str, str], Callable[[Data], Score]] = {
    ("cave-of-wonders", "move"): lambda view: Cave(view).space,
    ("cave-of-wonders", "carpet"): lambda view: Cave(view).space,
    ("cave-of-wonders", "genie"): lambda view: Cave(view).genie,
    ("aladdins-dragons", "place"): lambda view: Dragons(view).place,
    ("aladdins-dragons", "buy"): lambda view: Dragons(view).buy,
    ("aladdins-dragons", "bribe"): lambda view: Dragons(view).bribe,
    ("aladdins-dragons", "market"): lambda view: Dragons(view).market,
    ("aladdins-dragons", "camel"): lambda view: Dragons(view).camel,
    ("aladdins-dragons", "take_treasures"): lambda view: Dragons(view).treasures,
    ("aladdins-dragons", "window"): lambda _view: lambda action: float(action["type"] == "pass"),
}
"""By rule set and kind of question."""
