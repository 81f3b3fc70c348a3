"""Artifacts and spells: a card is one class in one file, and says only what it changes.

A class enters itself when it is defined; `deck` imports all of them. Cards never name each other: they meet in the
plays of a window, in effects and in the verbs of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from engine.aladdins_dragons.actions import Action, Reply, play_type
from engine.aladdins_dragons.effects import may_be_moved_to
from engine.aladdins_dragons.facts import GUARD, KINDS
from engine.aladdins_dragons.judging import Case
from engine.aladdins_dragons.model import Ask, Play, SeenToken, State, Token, View, Window
from engine.core import ActionForm, Amounts, Choice, Field, Option, Seat, Text
from engine.orders.model import EVERYTHING

if TYPE_CHECKING:
    from engine.aladdins_dragons.board import Board


# The fields in which cards are aimed, and how a face-down token is named: by space and place in its row.

Found = tuple[str, Token]
"""A token and the space it lies in."""


def token_name(space: str, token: Token) -> str:
    """ "cave-gem:3": public, and not used again for another token in this round."""
    return f"{space}:{token.number}"


def find_token(state: State, name: str) -> Found | None:
    """The token of that name, or None if it has left its place (A78)."""
    space = name.partition(":")[0]
    return next(((space, token) for token in state.spaces[space] if token_name(space, token) == name), None)


def all_tokens(state: State, *, guard: bool) -> list[Found]:
    """Every token on the board in tally order; those at the guard are out of reach for spells (A66)."""
    return [(space, token) for space, row in state.spaces.items() for token in row if guard or space != GUARD]


def text(play: Play, name: str) -> str:
    """Returns what a play names in a choice of spaces, tokens, kinds, cards."""
    return cast(str, play.targets[name])


def number(play: Play, name: str) -> int:
    """Returns what a play names in a choice of seats or plays."""
    return cast(int, play.targets[name])


def treasure(play: Play, name: str) -> dict[str, int]:
    """Returns what a play names in a field of amounts."""
    return cast(dict[str, int], play.targets[name])


def space_field(spaces: Iterable[str], name: str = "space") -> list[Choice]:
    """One of the spaces; an empty list if there are none."""
    options = [Option(space, Text("space", {"space": {"space": space}})) for space in spaces]
    return [Choice(name, Text(f"field-{name}"), options)] if options else []


def token_field(
    viewer: Seat, tokens: Iterable[Found], bars: Callable[[str, Token], list[str | int]] | None = None
) -> list[Choice]:
    """One of the tokens, named as the viewer knows them; `bars` gives the values other fields cannot take then."""
    options = [
        Option(token_name(space, token), _token_label(viewer, space, token), bars=bars(space, token) if bars else [])
        for space, token in tokens
    ]
    return [Choice("token", Text("field-token"), options)] if options else []


def _token_label(viewer: Seat, space: str, token: Token) -> Text:
    params = {"seat": {"seat": token.seat}, "at": {"at": space}, "number": token.number}
    if not token.face_up and token.seat != viewer:
        return Text("token-hidden", params)
    return Text("token-known", {**params, "value": token.value})


def card_field(cards: Iterable[str], name: str = "card") -> list[Choice]:
    """One of the cards; an empty list if there are none."""
    options = [
        Option(card, Text("card", {"card": {"card": card}}), Text("rule", {"rule": {"rule": card}})) for card in cards
    ]
    return [Choice(name, Text(f"field-{name}"), options)] if options else []


def play_field(plays: Iterable[tuple[int, Play]]) -> list[Choice]:
    """One of the plays of a window, by its index; an empty list if there are none."""
    options = [
        Option(index, Text("play-of", {"seat": {"seat": play.seat}, "card": {"card": play.card}}))
        for index, play in plays
    ]
    return [Choice("play", Text("field-play"), options)] if options else []


def amounts_field(name: str, available: Mapping[str, int], total: int) -> list[Amounts]:
    """`total` in any kinds, as far as `available` goes; an empty list if there is nothing to choose."""
    total = min(total, sum(available.values()))
    options = [
        Option(kind, Text("kind", {"kind": {"kind": kind}}), limit=min(total, available[kind]))
        for kind in KINDS
        if available[kind]
    ]
    return [Amounts(name, Text(f"field-{name}"), options, total)] if total else []


def some_amounts(name: str, available: Mapping[str, int], most: int, *, same_as: str = "") -> Amounts:
    """Any amount from 1 to `most`, of other kinds than other such fields of the form; `same_as` as in `Amounts`."""
    options = [
        Option(kind, Text("kind", {"kind": {"kind": kind}}), limit=min(most, available[kind]))
        for kind in KINDS
        if available[kind]
    ]
    return Amounts(name, Text(f"field-{name}"), options, most, least=1, same_as=same_as, distinct="kind")


def possible(wanted: Mapping[str, int], available: Mapping[str, int]) -> dict[str, int]:
    """Returns as much of what is wanted as there is: what a player cannot do in full he does as far as he can."""
    return {kind: min(amount, available[kind]) for kind, amount in wanted.items() if min(amount, available[kind])}


def move_fields(state: State, viewer: Seat, tokens: Iterable[Found]) -> list[Choice]:
    """A token that can be moved and a space it may go to (A24, A89); an empty list if there is none.

    Where a token may go depends on its owner and on where it lies, so each token bars the spaces it cannot enter.
    """
    spaces = list(state.spaces)
    allowed = {seat: may_be_moved_to(state, seat) for seat in range(state.seats)}
    movable = [
        (space, token) for space, token in tokens if token.is_number and any(to != space for to in allowed[token.seat])
    ]
    reachable = [to for to in spaces if any(to in allowed[t.seat] and to != space for space, t in movable)]

    def bars(space: str, token: Token) -> list[str | int]:
        return [to for to in reachable if to == space or to not in allowed[token.seat]]

    return [*token_field(viewer, movable, bars), *space_field(reachable, "to")]


# Names of what a play touches of the orders of others: spaces, kinds of decision, types of facts. Public facts alone.

Shown: TypeAlias = State | View
"""A view or a state; of a state only what everybody sees may be read here."""

TREASURE = ("treasure", "all_treasure", "bribe", "buy", "market")
"""Facts about one's own treasure, and the decisions in which it is spent."""

PLACING = ("place",)
"""Every placement."""

_ASKED_AT = {"caravanserai": "camel"}
"""The spaces whose decision is of a kind that has another name."""


def at(*spaces: str) -> list[str]:
    """Returns what lies in these spaces, who is first there, and what is decided there."""
    return [*spaces, *(_ASKED_AT[space] for space in spaces if space in _ASKED_AT)]


def at_open(spaces: Iterable[str]) -> list[str]:
    """Returns as `at`; at the guard everybody stands for himself, so what comes there touches nobody else (A62)."""
    return at(*(space for space in spaces if space != GUARD))


def space_of(play: Play, name: str = "token") -> str:
    """The space of the token that a play names."""
    return text(play, name).partition(":")[0]


def owner_of(shown: Shown, name: str) -> Seat | None:
    """Says whose token it is; None once it has left its place."""
    space, _, number = name.partition(":")
    rows: dict[str, list[Token]] | dict[str, list[SeenToken]] = shown.spaces
    return next((token.seat for token in rows[space] if str(token.number) == number), None)


def spaces_of(shown: Shown, seats: Iterable[Seat], among: Iterable[str]) -> list[str]:
    """Returns those of the spaces in which one of the seats has tokens."""
    wanted = set(seats)
    rows: dict[str, list[Token]] | dict[str, list[SeenToken]] = shown.spaces
    return [space for space in among if any(token.seat in wanted for token in rows.get(space, ()))]


def without_guard(shown: Shown) -> list[str]:
    """Every space but the guard."""
    return [space for space in shown.spaces if space != GUARD]


def untallied(shown: Shown) -> list[str]:
    """The spaces still to be tallied, the one whose tokens lie open included, but not the guard (A66)."""
    return [space for space in without_guard(shown) if space not in shown.tallied]


CARDS: dict[str, Card] = {}
"""Every card by its name, in the order in which the files were read; `deck` fills it."""


class Card:
    """Holds what a card is to the rules. All hooks do nothing unless a card says otherwise.

    Arguments:
        name: the name of its file.
        title, rule: its name and what it does in one or two sentences, marked for translation with `text._`.
        short: a shorter name where there is little room, if the name is long.
        other_rules: what it does at tables where the option of its name has another value than the default.
        sentences: further sentences of its own by code, each code beginning with the card's name and "-".
        moments: in which kinds of `Window` it can be declared.
        keep: how useful it is to a bot to have it, in treasure, beside counting for victory.
        is_answer: it answers a spell that has just been shown, so it can also be declared in a reply.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    short: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    other_rules: ClassVar[dict[str, str]] = {}
    sentences: ClassVar[dict[str, str]] = {}
    moments: ClassVar[frozenset[str]] = frozenset({"window"})
    is_answer: ClassVar[bool] = False
    keep: ClassVar[float]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.name:
            assert cls.name not in CARDS, cls.name
            CARDS[cls.name] = cls()

    # It is declared

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Returns what it may be aimed at now, one field for each thing to name; None if it cannot be declared."""
        return []

    def forms(self, state: State, seat: Seat, window: Window) -> list[ActionForm]:
        """The ways to declare it now: one, unless a card has variants."""
        fields = self.targets(state, seat, window) if window.kind in self.moments else None
        return [] if fields is None else [self.form(state, fields)]

    def form(self, state: State, fields: list[Field], variant: str = "") -> ActionForm:
        """The form that declares the card with these fields."""
        label = Text("do-play", {"card": {"card": self.name}})
        return ActionForm(play_type(self.name, variant), label, fields, rule_text(self.name, state.magic.last_first))

    def declared(self, board: Board, play: Play) -> None:
        """It has just been shown: for what is paid on declaration."""

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Names what a play of it touches of a seat's orders, as everybody can see: everything, unless a card says
        what; nothing, if it acts on its player alone. Of its own player it is what negating it would change."""
        return (EVERYTHING,)

    # Its window closes

    def first(self, board: Board, play: Play, plays: list[Play]) -> None:
        """Before anything takes effect: negation lives here (A79). `plays` are all of the window, as declared."""

    def struck(self, board: Board, play: Play) -> None:
        """Its turn comes, but it has been negated."""

    def resolve(self, board: Board, play: Play) -> None:
        """Its turn comes: what it does, judged by what is possible now (A78)."""

    # A bot thinks about it

    def judge(self, case: Case) -> float:
        """Returns what playing it so brings the viewer, in treasure, before what it costs."""
        raise AssertionError(self.name)

    # It has asked something, with an `Ask` frame

    def question(self, state: State, ask: Ask, seat: Seat) -> tuple[Text, list[ActionForm]]:
        """The title, and every way to answer, each of a type made by `actions.answer_type`."""
        raise AssertionError(self.name)

    def answer(self, board: Board, ask: Ask, seat: Seat, reply: Reply) -> None:
        """Takes an answer. The seat has already left `ask.waiting`; a card that asks again puts it back."""
        raise AssertionError(self.name)

    def default(self, state: State, ask: Ask, seat: Seat) -> Action:
        """Returns what the deadline answers (A99)."""
        raise AssertionError(self.name)

    def default_text(self, state: State, ask: Ask, seat: Seat) -> Text:
        """Returns what the deadline answers, as a sentence."""
        return Text(f"{self.name}-default")


def rule_text(card: str, last_first: str) -> Text:
    """Returns what a card does at a table with that value of the option `last_first` (S3)."""
    code = f"{card}-{last_first}" if last_first in CARDS[card].other_rules else card
    return Text("rule", {"rule": {"rule": code}})


class Artifact(Card):
    """A tile its owner keeps; declaring it costs one of the uses of the round (A82, A83).

    Arguments:
        can_be_borrowed: a spell may have its power as well (S13).
    """

    can_be_borrowed: ClassVar[bool] = True

    def borrowed_targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Returns what a spell that has its power may be aimed at: never the guard's space (S13, A66)."""
        return self.targets(state, seat, window)

    def fits(self, state: State, seat: Seat, window: Window) -> bool:
        """Could a seat that had it declare it here, as far as everybody can see? Decides who is asked."""
        return False


class Spell(Card):
    """A card played once under a lamp that is lit (A84); never at the guard, and never to a tallied space."""
