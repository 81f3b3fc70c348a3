"""The fields in which cards are aimed, and how a face-down token is named: by space and place in its row."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from engine.aladdins_dragons.board.effects import may_be_moved_to
from engine.aladdins_dragons.board.facts import GUARD, KINDS
from engine.aladdins_dragons.board.model import Play, State, Token
from engine.core import Amounts, Choice, Option, Seat, Text

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
    """What a play names in a choice of spaces, tokens, kinds, cards."""
    return cast(str, play.targets[name])


def number(play: Play, name: str) -> int:
    """What a play names in a choice of seats or plays."""
    return cast(int, play.targets[name])


def treasure(play: Play, name: str) -> dict[str, int]:
    """What a play names in a field of amounts."""
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
    """As much of what is wanted as there is: what a player cannot do in full he does as far as he can."""
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
