"""Whether reviews are right about chances: of positions judged 60 to 70 %, are about two thirds won?

    python -m tests.lab.calibration GAME [--seats 3 4] [--games 100] [--first 1000000] [--bots greedy greedy sultan]
                                [--positions 6] [--playouts 24] [--option NAME=VALUE] [--to FILE]
    python -m tests.lab.calibration --sum FILE ... [--svg FILE]

Bots play games that no weight of `chances` was fitted to (those have numbers below 1,000,000). Of each, positions are
drawn at random and judged as a review judges them; --to adds a line of JSON for each game to a file. The second form
adds such files up: a row for each tenth, with the share that was won and its 95 % interval, in which the positions
of one game count as one. docs/reviews.md has what came of it.
"""

import argparse
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random

from engine.core.games import won
from engine.registry import AnyRules, newest
from engine.reviews.playouts import CONFIDENCE, ChanceEstimate, Playouts
from tests.engine.playing import seed_of

TENTHS = 10
Sample = tuple[float, float]
"""A chance that was judged, and what came of it."""


def play(rules: AnyRules, names: Sequence[str], options: Mapping[str, str], number: int) -> tuple[list[bytes], object]:
    """The positions of one game between bots, packed, and its outcome."""
    random, positions = Random(number), []
    bots = [rules.bots[name] for name in names]
    state, _ = rules.new(len(bots), options, seed_of(number))
    while (outcome := rules.outcome(state)) is None:
        positions.append(rules.dump(state))
        asked = next((one for one in rules.decisions(state) if one.prompted), None)
        if asked is None:
            rules.cross(state)
            continue
        question = rules.question(state, asked.id, asked.seat)
        rules.play(state, asked.seat, bots[asked.seat].choose(rules.view(state, asked.seat), question, random))
    return positions, outcome


def judge(
    rules: AnyRules, names: Sequence[str], options: Mapping[str, str], number: int, positions: int, playouts: int
) -> list[Sample]:
    """Of one game, what was judged of each seat in some positions, and what each seat won."""
    seats, random = len(names), Random(-number)
    every, outcome = play(rules, names, options, number)
    player, samples = Playouts(rules, seats), []
    for packed in random.sample(every, min(positions, len(every))):
        estimate = ChanceEstimate(seats)
        for _ in range(playouts):
            estimate.add(player.play_on(player.redeal(packed, random), random))
        samples += [(round(estimate.mean(seat), 4), share) for seat, share in enumerate(won(outcome, seats))]
    return samples


def rows(games: Sequence[Sequence[Sample]]) -> list[tuple[float, float, float, float, int]]:
    """For each tenth: what was judged on average, the share won with its interval, and how many samples there are."""
    found = []
    for tenth in range(TENTHS):
        inside = [[one for one in game if min(TENTHS - 1, int(one[0] * TENTHS)) == tenth] for game in games]
        inside = [game for game in inside if game]
        samples = [one for game in inside for one in game]
        if not samples:
            continue
        judged = sum(chance for chance, _ in samples) / len(samples)
        share = sum(result for _, result in samples) / len(samples)
        spread = sqrt(sum(sum(result - share for _, result in game) ** 2 for game in inside)) / len(samples)
        reach = CONFIDENCE * max(spread, 1 / len(samples))
        found.append((judged, share, max(0.0, share - reach), min(1.0, share + reach), len(samples)))
    return found


def table(games: Sequence[Sequence[Sample]]) -> str:
    """The rows as a table of Markdown."""
    lines = ["| judged, on average | won | 95 % interval | positions × seats |", "|---|---|---|---|"]
    for judged, share, low, high, count in rows(games):
        lines.append(f"| {judged:.1%} | {share:.1%} | {low:.1%} to {high:.1%} | {count} |")
    return "\n".join(lines)


def svg(curves: Iterable[tuple[str, Sequence[Sequence[Sample]]]]) -> str:
    """The curves as a picture: what was judged to the right, what was won upwards; the diagonal is the truth."""
    colours = ("#0b6e8f", "#a8471d", "#4b7a1f", "#7a3f8f")
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" font-family="sans-serif" font-size="12">',
        "<title>Judged and won: calibration of reviews</title>",
        '<rect width="400" height="400" fill="#fff"/>',
        '<path d="M50 350H370M50 350V30" stroke="#555" fill="none"/>',
        '<path d="M50 350L370 30" stroke="#999" stroke-dasharray="4 4"/>',
    ]
    for tick in range(0, 101, 20):
        at = 50 + 3.2 * tick
        parts.append(f'<text x="{at}" y="368" text-anchor="middle">{tick} %</text>')
        parts.append(f'<text x="44" y="{404 - at}" text-anchor="end">{tick} %</text>')
    parts.append('<text x="210" y="390" text-anchor="middle">judged</text><text x="56" y="24">won</text>')
    for (name, games), colour, place in zip(curves, colours, range(4), strict=False):
        spots = [(50 + 320 * judged, 350 - 320 * share, low, high) for judged, share, low, high, _ in rows(games)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y, low, high in spots:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
            parts.append(f'<path d="M{x:.1f} {350 - 320 * low:.1f}V{350 - 320 * high:.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="90" y="{50 + 18 * place}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def run(asked: argparse.Namespace) -> None:
    """Plays and judges games."""
    rules = {rules.name: rules for rules in newest()}[asked.game]
    options = dict(option.split("=", 1) for option in asked.option)
    began, played = time.process_time(), []
    for number in range(asked.first, asked.first + asked.games):
        seats = asked.seats[number % len(asked.seats)] if asked.seats else rules.seat_counts[number % 3]
        names = [asked.bots[(place + number) % len(asked.bots)] for place in range(seats)]
        played.append(judge(rules, names, options, number, asked.positions, asked.playouts))
        if asked.to:
            with Path(asked.to).open("a") as file:
                file.write(json.dumps(played[-1]) + "\n")
    print(f"{rules.name} {options or ''}: {len(played)} games, {time.process_time() - began:.0f} s\n{table(played)}")


def add_up(files: Sequence[str], picture: str) -> None:
    """Adds up what earlier runs have found."""
    curves = []
    for name in files:
        games = [json.loads(line) for line in Path(name).read_text().splitlines()]
        curves.append((Path(name).stem, games))
        print(f"{name}: {len(games)} games\n{table(games)}\n")
    every = [game for _, games in curves for game in games]
    print(f"all: {len(every)} games\n{table(every)}")
    if picture:
        Path(picture).write_text(svg(curves))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.calibration", description="Are reviews right?")
    parser.add_argument("game", nargs="?", choices=sorted(rules.name for rules in newest()))
    parser.add_argument("--seats", type=int, nargs="*")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=1_000_000)
    parser.add_argument("--bots", nargs="*", default=["greedy"], help="who plays, seat by seat, over and over")
    parser.add_argument("--positions", type=int, default=6)
    parser.add_argument("--playouts", type=int, default=24)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--to", default="")
    parser.add_argument("--sum", nargs="*", default=[])
    parser.add_argument("--svg", default="")
    asked = parser.parse_args()
    if asked.sum:
        add_up(asked.sum, asked.svg)
    elif asked.game:
        run(asked)
    else:
        parser.error("which game?")


if __name__ == "__main__":
    main()
