"""How strong proposals are: half of the seats answer with them, the other half as `greedy` with its sheet.

    python -m tests.lab.duel GAME [--seats 4] [--games 1000] [--first 0] [--option NAME=VALUE ...]

Each game is played twice, the second time with the seats of the two sides exchanged. Prints the share of games that
proposals win (a shared victory counts in parts) with its 95 % interval, what it would be among equals, and what a
proposal costs by kind of decision, in processor time. Game, seed and seats decide everything: a game can be run again.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Mapping
from random import Random

import msgspec

from engine.core import JsonObject, Question
from engine.orders.answers import GATHERINGS
from engine.registry import AnyRules, newest
from tests.engine.playing import question_of, seed_of
from tests.lab.people import Habits, Planner
from tests.lab.strength import Record

GREEDY = "greedy"
DILIGENT = Habits(sheets=1, ordered=1, plans=1, ahead=1, asks=0, even_so=0)
"""Of a simulated person who gives all orders that such people give."""


class GreedySheets:
    """Answers as greedy does, and plans sheets as the simulator's diligent people who think like it."""

    def __init__(self, rules: AnyRules, random: Random) -> None:
        self._rules, self._random = rules, random
        self._planner = Planner(DILIGENT, GREEDY, random)

    def answer(self, view: object, question: Question) -> JsonObject:
        """The answer in plain data."""
        if question.decision.kind in GATHERINGS:
            return self._planner.plan_sheet(self._rules, view, question)
        chosen = self._rules.bots[GREEDY].choose(view, question, self._random)
        return msgspec.json.decode(self._rules.dump_action(chosen), type=dict[str, object])


class Duel:
    """The games of one table, and what has come of them."""

    def __init__(self, rules: AnyRules, seats: int, options: Mapping[str, str]) -> None:
        self.rules, self.seats, self.options = rules, seats, options
        self.record = Record(seats)
        self.rounds: list[int] = []
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def play(self, number: int, proposing: set[int]) -> None:
        """One game into the record; `proposing` are the seats that take what is proposed."""
        rules = self.rules
        greedy = GreedySheets(rules, Random(number))
        state, _ = rules.new(self.seats, self.options, seed_of(number))
        while (outcome := rules.outcome(state)) is None:
            if rules.is_advance_pending(state):
                state, _ = rules.advance(state)
                continue
            decision = next(one for one in rules.decisions(state) if one.prompted)
            view, question = rules.view(state, decision.seat), question_of(rules, state, decision)
            if decision.seat in proposing:
                started = time.process_time()
                answer = rules.propose(view, question).answer
                self.seconds[decision.kind].append(time.process_time() - started)
            else:
                answer = greedy.answer(view, question)
            state, _ = rules.apply(state, decision.id, decision.seat, rules.parse(answer))
        self.record.games += 1
        self.record.wins += sum(seat in proposing for seat in outcome.winners) / len(outcome.winners)
        self.rounds.append(rules.vocabulary.period(state))

    def play_both(self, number: int) -> None:
        """The game, and the same with the sides exchanged: of an odd number of seats each side has once one more."""
        even = {seat for seat in range(self.seats) if seat % 2 == 0}
        for proposing in (even, set(range(self.seats)) - even):
            self.play(number, proposing)

    def lines(self) -> list[str]:
        """What is printed."""
        low, high = self.record.interval()
        games, share = self.record.games, self.record.wins / self.record.games
        costs = [
            f"  {kind}: {len(found)} proposals, mean {1000 * sum(found) / len(found):.1f} ms, most"
            f" {1000 * max(found):.0f} ms"
            for kind, found in sorted(self.seconds.items())
        ]
        rounds = sum(self.rounds) / len(self.rounds)
        return [
            f"{self.seats} seats  {games} games  won {share:.1%}  [{low:.1%}, {high:.1%}]  equals 50 %"
            f"  rounds {rounds:.1f}",
            *costs,
        ]


def main() -> None:
    """The command."""
    known = {rules.name: rules for rules in newest()}
    parser = argparse.ArgumentParser(prog="python -m tests.lab.duel", description="Proposals against greedy's sheet.")
    parser.add_argument("game", choices=sorted(known))
    parser.add_argument("--seats", type=int, nargs="*", default=[4])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game; the others follow")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    options = dict(option.split("=", 1) for option in asked.option)
    print(f"{asked.game} {options or ''}: proposals against greedy's sheet, each game with the sides exchanged")
    for seats in asked.seats:
        duel = Duel(known[asked.game], seats, options)
        for number in range(asked.first, asked.first + asked.games // 2):
            duel.play_both(number)
        print("\n".join(duel.lines()), flush=True)


if __name__ == "__main__":
    main()
