"""Games kept as text beside those of tests/playthroughs: every way to end, every character, both options.

Regenerate all of them with `python -m tests.engine.cave_of_wonders.transcripts`, and read what changed.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.engine.cave_of_wonders.table import RULES, position
from tests.engine.playing import seed_of
from tests.playthroughs.transcript import played_on

FOLDER = Path(__file__).parent / "playthroughs"
EQUAL, FULL = {"equal_turns": "on"}, {"full_distance": "on"}


class Playthrough(NamedTuple):
    """A game to keep: where it begins, and who answers. `ending` is the code of its last sentence."""

    name: str
    seats: int
    options: dict[str, str]
    number: int
    ending: str


WHOLE_GAMES = (
    Playthrough("fifty-2", 2, {}, 4, "fifty-won"),
    Playthrough("stuck-4", 4, {}, 1, "stuck-won"),
    Playthrough("stuck-after-a-monkey-4", 4, {}, 5, "stuck-won"),
    Playthrough("shared-victory-4", 4, {}, 28, "stuck-tie"),
    Playthrough("equal-turns-3", 3, EQUAL, 0, "round-won"),
    Playthrough("carpet-lapses-4", 4, EQUAL, 52, "stuck-won"),
    Playthrough("full-distance-2", 2, FULL, 1, "fifty-won"),
    Playthrough("full-distance-4", 4, FULL, 1, "stuck-won"),
    Playthrough("both-options-3", 3, EQUAL | FULL, 11, "round-tie"),
)
FULL_BOARD = Playthrough("full-board-2", 2, {}, 1, "full-won")
ABANDONED = Playthrough("abandoned-2", 2, {}, 2, "abandoned")
PLAYTHROUGHS = (*WHOLE_GAMES, FULL_BOARD, ABANDONED)


def path_of(kept: Playthrough) -> Path:
    """Where the transcript is kept."""
    return FOLDER / f"{kept.name}.txt"


def transcript(kept: Playthrough) -> Iterator[str]:
    """The lines of one game."""
    state, events = beginning(kept)
    yield f"{RULES.name} version {RULES.version}, {kept.seats} seats, options {kept.options}, seed {state.rng.seed}"
    yield from played_on(RULES, kept.seats, state, events, Random(kept.number))


def beginning(kept: Playthrough) -> tuple[Any, list[Any]]:
    """The state the game is played on from, and how it came about."""
    if kept == FULL_BOARD:
        return _nearly_full(), []
    state, events = RULES.new(kept.seats, kept.options, seed_of(kept.number))
    if kept == ABANDONED:
        state, resigned = RULES.resign(state, 1)
        state, ended = RULES.end(state, 0)
        events = [*events, *resigned, *ended]
    return state, events


def _nearly_full() -> Any:
    """One square is open, and the treasures for it are all that is left: the rarest end of all (C44)."""
    board = "E1 E2 E3 E4 E5s R1 R2 R3 R4 R5s S1 S2 S3 S4 S5s T1 T2 T3 T4"
    cave = {"E6": "?T5", "E8": "T5", "D4": "?T5s", "C3": "T5", "F5": "T5"}
    return position(cave, boards=[board, "E1"], scores=[36, 1], roll=1, favourites=["ruby", "topaz"])


def main() -> None:
    """Writes all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for kept in PLAYTHROUGHS:
        path_of(kept).write_text("".join(f"{line}\n" for line in transcript(kept)))


if __name__ == "__main__":
    main()
