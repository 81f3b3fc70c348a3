"""A position in bare numbers, for looking ahead: microseconds a turn instead of hundreds of them.

Spaces, squares, kinds and tokens are indices here. The rules in full are in `flow` and `scoring`; a test compares both.
"""

from engine.cave_of_wonders import facts
from engine.cave_of_wonders.facts import KINDS, LINES, NUMBERS, SPACES, SQUARES, TOKENS
from engine.cave_of_wonders.model import State

WIDTH = len(NUMBERS)
SPACE_INDEX = {space: index for index, space in enumerate(SPACES)}
SQUARE_INDEX = {square: index for index, square in enumerate(SQUARES)}
RAYS = [[[SPACE_INDEX[far] for far in line] for line in LINES[space].values() if line] for space in SPACES]
TOKEN_INDEX = {token: index for index, token in enumerate(TOKENS)}
KIND = [KINDS.index(token.kind) for token in TOKENS]
SQUARE = [-1 if token.number is None else SQUARE_INDEX[f"{token.kind}-{token.number}"] for token in TOKENS]
WORTH = [facts.SORCERER_POINTS if token.character == "sorcerer" else token.number or 0 for token in TOKENS]
IS_MONKEY, IS_CARPET, IS_PRINCESS, IS_GENIE = (
    [token.character == character for token in TOKENS] for character in ("monkey", "carpet", "princess", "genie")
)
EMPTY = -1

HIDDEN_WORTH = 2.6  # what a face-down token is taken for: its mean number, and a little for what it may complete
CHAIN_WORTH = 5.0  # another token in the same turn
LINE_OUTLOOK = 3.0  # a line that is nearly full
PAIR_OUTLOOK = 0.7  # a second token on a square: a trio may follow


class Sketch:
    """A position that can be played on. Face-down tokens have been dealt, but nobody looks at them.

    Arguments:
        cave: token by space, or EMPTY.
        is_open: by space, whether the token there lies face up.
        aladdin: the space of the figure.
        stacks: number of tokens by square, by seat.
        rows, columns: how many squares of each are filled, by seat.
        carpets: whether the seat has a carpet of a kind, by seat.
        scores: points by seat.
        favourites: favourite kind by seat.
        is_full_distance: whether shorter moves are legal only where no direction allows the full number (C17).
    """

    __slots__ = (
        "aladdin", "carpets", "cave", "columns", "favourites", "is_full_distance", "is_open", "rows", "scores",
        "stacks",
    )  # fmt: skip

    cave: list[int]
    is_open: list[bool]
    aladdin: int
    stacks: list[list[int]]
    rows: list[list[int]]
    columns: list[list[int]]
    carpets: list[list[bool]]
    scores: list[int]
    favourites: list[int]
    is_full_distance: bool

    @classmethod
    def of(cls, state: State) -> "Sketch":
        """The sketch of a state."""
        sketch, lying = cls(), list(state.spaces.values())
        sketch.cave = [EMPTY if here is None else TOKEN_INDEX[here.token] for here in lying]
        sketch.is_open = [here is not None and here.face_up for here in lying]
        sketch.aladdin = SPACE_INDEX[state.aladdin]
        sketch.stacks = [[len(tokens) for tokens in board.values()] for board in state.boards]
        sketch.rows = [
            [sum(map(bool, row[start : start + WIDTH])) for start in range(0, len(row), WIDTH)] for row in sketch.stacks
        ]
        sketch.columns = [[sum(map(bool, row[start::WIDTH])) for start in range(WIDTH)] for row in sketch.stacks]
        sketch.carpets = [
            [any(token.character == "carpet" for token in board[f"{kind}-1"]) for kind in KINDS]
            for board in state.boards
        ]
        sketch.scores = list(state.scores)
        sketch.favourites = [KINDS.index(kind) for kind in state.favourites]
        sketch.is_full_distance = state.full_distance
        return sketch

    def copy(self) -> "Sketch":
        """A position of its own."""
        other = Sketch()
        other.cave, other.is_open, other.aladdin = self.cave[:], self.is_open, self.aladdin
        other.stacks = [row[:] for row in self.stacks]
        other.rows = [row[:] for row in self.rows]
        other.columns = [row[:] for row in self.columns]
        other.carpets = [row[:] for row in self.carpets]
        other.scores, other.favourites = self.scores[:], self.favourites
        other.is_full_distance = self.is_full_distance
        return other

    def pattern(self, seat: int, square: int) -> int:
        """Returns what one more token on a square brings by rows, columns and trios."""
        height = self.stacks[seat][square]
        points = facts.TRIO_BONUS if height % facts.TRIO_SIZE == facts.TRIO_SIZE - 1 else 0
        if not height:
            if self.rows[seat][square // WIDTH] == len(NUMBERS) - 1:
                points += facts.LINE_BONUS
            if self.columns[seat][square % WIDTH] == len(KINDS) - 1:
                points += facts.LINE_BONUS
        return points

    def own(self, seat: int, token: int) -> int:
        """Returns what the token itself brings: number, favourite, princess."""
        kind = KIND[token]
        if IS_GENIE[token]:
            return 0
        points = WORTH[token]
        if IS_PRINCESS[token]:
            points += facts.PRINCESS_ON_CARPET_BONUS if self.carpets[seat][kind] else 0
            return points + (facts.FAVOURITE_PRINCESS_BONUS if self.favourites[seat] == kind else 0)
        return points + (facts.FAVOURITE_BONUS if self.favourites[seat] == kind else 0)

    def outlook(self, seat: int, square: int) -> float:
        """Values what one more token on a square may help to complete: the fuller its row and column, the more."""
        if self.stacks[seat][square]:
            return PAIR_OUTLOOK if self.stacks[seat][square] == 1 else 0.0
        row, column = self.rows[seat][square // WIDTH], self.columns[seat][square % WIDTH]
        return LINE_OUTLOOK * ((row / len(NUMBERS)) ** 2 + (column / len(KINDS)) ** 2)

    def best_square(self, seat: int) -> int:
        """Where a genie is worth most."""
        return max(range(len(SQUARES)), key=lambda square: self.pattern(seat, square) + self.outlook(seat, square))

    def promise(self, seat: int, space: int) -> float:
        """Returns what landing on a space looks like to the seat, as far as it can see."""
        token = self.cave[space]
        if not self.is_open[space]:
            return HIDDEN_WORTH + (facts.FAVOURITE_BONUS if self.favourites[seat] == KIND[token] else 0)
        if IS_GENIE[token]:
            return self.pattern(seat, self.best_square(seat))
        chain = CHAIN_WORTH if IS_MONKEY[token] or IS_CARPET[token] else 0.0
        return self.own(seat, token) + self.pattern(seat, SQUARE[token]) + chain

    def landings(self, roll: int) -> list[int]:
        """Where a roll may end."""
        ends, whole = [], []
        cave = self.cave
        for ray in RAYS[self.aladdin]:
            left, last = roll, EMPTY
            for space in ray:
                if cave[space] != EMPTY:
                    last = space
                    left -= 1
                    if not left:
                        whole.append(space)
                        break
            if last != EMPTY:
                ends.append(last)
        return whole if whole and self.is_full_distance else ends

    def targets(self) -> list[int]:
        """Where a carpet may fly."""
        return [
            space
            for space, token in enumerate(self.cave)
            if token != EMPTY and not (self.is_open[space] and TOKENS[token].character)
        ]

    def lift(self, space: int) -> int:
        """Aladdin goes to a space; the token there leaves the cave."""
        token = self.cave[space]
        self.cave[space], self.aladdin = EMPTY, space
        return token

    def place(self, seat: int, token: int, square: int) -> None:
        """The token goes on a square of the seat's board and is scored."""
        points = self.pattern(seat, square) + self.own(seat, token)
        self.scores[seat] = max(0, self.scores[seat] + points)
        if not self.stacks[seat][square]:
            self.rows[seat][square // WIDTH] += 1
            self.columns[seat][square % WIDTH] += 1
        self.stacks[seat][square] += 1
        if IS_CARPET[token]:
            self.carpets[seat][KIND[token]] = True
