"""Magic games kept as text: every card, window and number of seats, both readings of the last-first card.

Regenerate all of them with `python -m tests.engine.aladdins_dragons.transcripts`, and read what changed. They begin
late: three artifacts of each room are with the players, and most spells are dealt. A line that begins with seat numbers
in brackets is what these viewers saw ("-" is a spectator).
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engine.aladdins_dragons.model import State
from engine.core import Decision
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, magic_table
from tests.engine.playing import UNASKED, Step, able_of, question_of, seed_of
from tests.playthroughs.transcript import told

FOLDER = Path(__file__).parent / "playthroughs"
SPELLS_IN_HAND = {3: 5, 4: 4, 5: 3}
ARTIFACTS_SOLD = 3
PATIENCE = 0.5
"""How often a seat that could play a card waits."""

RARE = ("play_counterspell", "play_parasite__counterspell", "play_parasite__key", "play_abracadabra")
"""Chances that are always taken."""

COMMON = ("play_parasite__carpet", "play_parasite__double")
"""Powers that are seldom worth a parasite, as rarer ones may come."""

WAITING = ("pass", "stay_out", "decline", "keep", "leave_camel")
"""Answers that do nothing."""


class Playthrough(NamedTuple):
    """A game to keep: `last_first` is the table's option, `number` decides everything else."""

    seats: int
    last_first: str
    number: int
    title: str = "late"

    @property
    def name(self) -> str:
        """Of the file, without its ending."""
        return f"{self.title}-{self.seats}-{self.last_first}-{self.number}"


LATE_GAMES = tuple(
    Playthrough(seats, option, number)
    for seats, option, numbers in (
        (3, "reverse", (4, 14)),
        (3, "swap19", (9, 15)),
        (4, "reverse", (2, 21)),
        (4, "swap19", (11, 23)),
        (5, "reverse", (3, 12)),
        (5, "swap19", (13, 22)),
    )
    for number in numbers
)
"""Chosen for covering everything, and for ending soon."""

BORROWED_KEY = Playthrough(3, "reverse", 1, "borrowed-key")
"""The rarest window: a key is borrowed at the guard, and somebody can negate that."""

PLAYTHROUGHS = (*LATE_GAMES, BORROWED_KEY)


def path_of(kept: Playthrough) -> Path:
    """Where the transcript is kept."""
    return FOLDER / f"{kept.name}.txt"


def beginning(kept: Playthrough) -> State:
    """A game of which some rounds might have been played: artifacts of the rooms and spells are with the players."""
    if kept == BORROWED_KEY:
        return _before_the_guard()
    state, _ = MAGIC_RULES.new(kept.seats, {"last_first": kept.last_first}, seed_of(kept.number))
    for seat, (room, stack) in enumerate(state.stacks.items()):
        for _ in range(ARTIFACTS_SOLD):
            state.artifacts[seat].append(stack.pop())
            state.magic.known[room].pop()
        for _ in range(SPELLS_IN_HAND[kept.seats]):
            state.magic.spells[seat].append(state.magic.spell_deck.pop())
    return state


def _before_the_guard() -> State:
    """All have placed; Anna has a key, Ben has lit his lamp and has the parasite, Carla has a counterspell."""
    state = magic_table(
        tiles=["key", "lamp", "counterspell"], spells=["", "parasite", ""], guard=10,
        spaces={"guard": "B4 C1", "room-1": "A1 B2"}, hoards=[{"gem": 1}, {"gold": 2}],
    )  # fmt: skip
    state.magic.used[1] = ["lamp"]
    for room, stack in state.stacks.items():
        state.stacks[room], state.magic.known[room] = stack[-1:], state.magic.known[room][-1:]
    state.agenda.pop()
    return state


def steps(kept: Playthrough) -> Iterator[Step]:
    """The game to its end."""
    state, random = beginning(kept), Random(kept.number)
    while state.outcome is None:
        yield (step := _step(state, random))
        state = step.after


def _step(state: State, random: Random) -> Step:
    if MAGIC_RULES.is_advance_pending(state):
        return Step(state, None, None, *MAGIC_RULES.advance(state))
    decisions = MAGIC_RULES.decisions(state)
    able = able_of(MAGIC_RULES, state, [one for one in decisions if not one.prompted and not one.sealed])
    asked = [decision for decision in decisions if decision.prompted]
    decision = random.choice(able if able and random.random() < UNASKED else asked)
    action = _choose(state, decision, random)
    return Step(state, decision, action, *MAGIC_RULES.apply(state, decision.id, decision.seat, action))


def _choose(state: State, decision: Decision, random: Random) -> object:
    """What is seldom possible; now and then another card; at the guard, in rooms and the city whatever brings gain."""
    question = question_of(MAGIC_RULES, state, decision)
    rare = [form for form in question.actions if form.type in RARE]
    idle = WAITING if random.random() < PATIENCE**2 else (*WAITING, *COMMON)
    active = rare or [form for form in question.actions if form.type not in idle]
    if decision.kind == "window" and not rare and random.random() < PATIENCE:
        active = []
    return MAGIC_RULES.sample(replace(question, actions=active or question.actions[-1:]), random)


def transcript(kept: Playthrough) -> Iterator[str]:
    """The lines of one game."""
    state = beginning(kept)
    yield f"magic, {kept.seats} seats, last_first {kept.last_first}, seed {state.rng.seed}"
    for seat in range(kept.seats):
        yield f"seat {seat}: {' '.join(state.artifacts[seat])}; {' '.join(state.magic.spells[seat])}"
    for step in steps(kept):
        yield from told(MAGIC_RULES, kept.seats, step)


def main() -> None:
    """Writes all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for kept in PLAYTHROUGHS:
        path_of(kept).write_text("".join(f"{line}\n" for line in transcript(kept)))


if __name__ == "__main__":
    main()
