"""How strong the bots are: one against others of a kind, each seat in turn.

    python -m tests.lab.strength GAME [--bot B] [--against greedy] [--seats N ...] [--games N] [--option NAME=VALUE]

Prints, for each number of seats, the share of games won with its 95 % interval (Wilson's; a shared victory counts in
parts), what it would be among equals, and what a decision of the bot costs. Game, seed and seat decide everything: a
row can be run again. Times are of the processor, so that a busy machine matters little.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import median, quantiles

from engine.registry import AnyRules, newest
from engine.rules import Bot
from tests.engine.playing import question_of, seed_of

CONFIDENCE = 1.96  # standard deviations for 95 %


@dataclass
class Record:
    """What has been measured with one number of seats."""

    seats: int
    games: int = 0
    wins: float = 0.0
    seconds: list[float] = field(default_factory=list)

    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share of games won."""
        share, weight = self.wins / self.games, CONFIDENCE**2 / self.games
        middle, reach = share + weight / 2, CONFIDENCE * sqrt((share * (1 - share) + weight / 4) / self.games)
        return (middle - reach) / (1 + weight), (middle + reach) / (1 + weight)

    def line(self) -> str:
        """A row of the table."""
        low, high = self.interval()
        costs = [1000 * seconds for seconds in self.seconds]
        return (
            f"{self.seats} seats  {self.games} games  won {self.wins / self.games:6.1%}  [{low:.1%}, {high:.1%}]"
            f"  equals {1 / self.seats:.1%}  decision {median(costs):.1f} ms, p95 {quantiles(costs, n=20)[-1]:.1f},"
            f" most {max(costs):.0f}  ({len(costs)} decisions)"
        )


def play(
    rules: AnyRules, bots: Sequence[Bot], number: int, options: Mapping[str, str], record: Record, seat: int
) -> None:
    """One game into the record; `seat` is the one that is measured."""
    random = Random(number)
    state, _ = rules.new(len(bots), options, seed_of(number))
    while (outcome := rules.outcome(state)) is None:
        if rules.is_advance_pending(state):
            state, _ = rules.advance(state)
            continue
        decision = next(decision for decision in rules.decisions(state) if decision.prompted)
        view, question = rules.view(state, decision.seat), question_of(rules, state, decision)
        started = time.process_time()
        action = bots[decision.seat].choose(view, question, random)
        if decision.seat == seat:
            record.seconds.append(time.process_time() - started)
        state, _ = rules.apply(state, decision.id, decision.seat, action)
    record.games += 1
    record.wins += (seat in outcome.winners) / len(outcome.winners)


def measure(
    rules: AnyRules, seats: int, games: int, bot: Bot, other: Bot, options: Mapping[str, str], first: int = 0
) -> Record:
    """Plays the games; every seat is taken as often as any other, in games that begin alike."""
    record = Record(seats)
    for number in range(games):
        seat = number % seats
        bots = [bot if place == seat else other for place in range(seats)]
        play(rules, bots, first + number // seats, options, record, seat)
    return record


def main() -> None:
    """The command."""
    known = {rules.name: rules for rules in newest()}
    parser = argparse.ArgumentParser(prog="python -m tests.lab.strength", description="How strong a bot is.")
    parser.add_argument("game", choices=sorted(known))
    parser.add_argument("--bot", default="sultan")
    parser.add_argument("--against", default="greedy")
    parser.add_argument("--seats", type=int, nargs="*", help="all numbers the game can have, unless given")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first game; the others follow")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    rules = known[asked.game]
    options = dict(option.split("=", 1) for option in asked.option)
    print(f"{rules.name} {options or ''}: {asked.bot} against {asked.against}")
    for seats in asked.seats or rules.seat_counts:
        bot, other = rules.bots[asked.bot], rules.bots[asked.against]
        print(measure(rules, seats, asked.games, bot, other, options, asked.first).line(), flush=True)


if __name__ == "__main__":
    main()
