"""Positions in one line, and answers to what they ask.

Tokens are written as in the text board: "R3", "S2m" with the monkey, "EG" a genie; "?R3" lies face down.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import CHARACTER_NUMBERS, DIE, KINDS, SQUARES, Token, square_of
from engine.cave_of_wonders.model import Action, CaveToken, Flying, Frame, Moving, State, TurnOver
from engine.cave_of_wonders.rules import CaveOfWonders
from engine.core import Question
from engine.core.rng import Rng

RULES = CaveOfWonders()
SEED = "5eed" * 16
NAMES = ["Anna", "Ben", "Carla", "David"]
A, B, C, D = range(4)
LETTERS = dict(zip("ERST", KINDS, strict=True))
CHARACTERS = {character[0]: character for character in CHARACTER_NUMBERS}
Kind = TypeVar("Kind")


def token(text: str) -> Token:
    """The token of "R3", "S2m" or "EG"."""
    kind = LETTERS[text[0]]
    if text[1] == "G":
        return Token(kind, None, "genie")
    return Token(kind, int(text[1]), CHARACTERS[text[2]] if len(text) > 2 else "")


def position(
    cave: Mapping[str, str],
    *,
    seats: int = 2,
    aladdin: str = "E5",
    frame: Frame | None = None,
    boards: Sequence[str] = (),
    scores: Sequence[int] = (),
    rolls: Sequence[int] = (),
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> State:
    """Turn 1, seat A to move, the cave empty but for `cave`; changed as the arguments say.

    Arguments:
        cave: tokens by space.
        frame: what is asked; a number given as `roll` asks for a move.
        boards: tokens by seat, "E1 R5s EG@E4" (a genie with its square).
        rolls: what the die will show from now on.
        fields: any other field of the state, such as favourites; nobody's favourite is emerald unless it says so.
    """
    state, _ = RULES.new(seats, options or {}, SEED)
    state.start, state.turn, state.taken, state.aladdin = 0, 1, 0, aladdin
    state.favourites = ["topaz", "sapphire", "ruby", "emerald"][:seats]
    state.spaces = dict.fromkeys(state.spaces)
    for space, text in cave.items():
        state.spaces[space] = CaveToken(token(text.removeprefix("?")), face_up=not text.startswith("?"))
    state.boards = [{square: [] for square in SQUARES} for _ in range(seats)]
    for seat, row in enumerate(boards):
        for text in row.split():
            lay(state, seat, text)
    state.scores = [*scores, *[0] * (seats - len(scores))]
    state.frame = Moving(fields.pop("roll", 1)) if frame is None else frame
    state.rng = Rng(seed_rolling(rolls))
    state.held, state.outcome, state.resigned, state.is_last_round = None, None, [], False
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def lay(state: State, seat: int, text: str) -> None:
    """Puts a token on a board without scoring it."""
    name, _, at = text.partition("@")
    square = f"{LETTERS[at[0]]}-{at[1]}" if at else square_of(token(name))
    state.boards[seat][square].append(token(name))


def seed_rolling(rolls: Sequence[int]) -> str:
    """A seed whose die shows these numbers first."""
    for number in count():
        rng = Rng(f"{number:064x}")
        if all(1 + rng.below(DIE) == roll for roll in rolls):
            return f"{number:064x}"
    raise AssertionError


def carpet(cave: Mapping[str, str], **fields: Any) -> State:
    """A position in which the seat to move has just taken a carpet."""
    return position(cave, frame=Flying(), taken=1, **fields)


def over(cave: Mapping[str, str], **fields: Any) -> State:
    """A position in which the turn of A is over."""
    return position(cave, frame=TurnOver(), taken=1, **fields)


def asked(state: State) -> Question:
    """The one question that is open."""
    (decision,) = RULES.decisions(state)
    (question,) = RULES.view(state, decision.seat).questions
    return question


def options(state: State) -> list[str | int]:
    """What may be chosen."""
    (form,) = asked(state).actions
    (field,) = form.fields
    return [option.value for option in field.options]


def play(state: State, *answers: Action) -> tuple[State, list[Event]]:
    """Answers the open decisions in turn."""
    events: list[Event] = []
    for action in answers:
        (decision,) = RULES.decisions(state)
        state, more = RULES.apply(state, decision.id, decision.seat, action)
        events += more
    return state, events


def only(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def words(state: State) -> str:
    """How the game ended, in English."""
    assert state.outcome is not None
    return RULES.say(state.outcome.reason, "en", NAMES)
