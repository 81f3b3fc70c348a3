"""How strong proposals are: half of the seats answer with them, the other half as `greedy` with its sheet.

    python -m tests.duel GAME [--seats 4] [--games 1000] [--first 0] [--option NAME=VALUE ...]

Each game is played twice, the second time with the seats of the two sides exchanged. Prints the share of games that
proposals win (a shared victory counts in parts) with its 95 % interval, what it would be among equals, and what a
proposal costs by kind of decision, in processor time. Game, seed and seats decide everything: a game can be run again.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from engine.core import Question
from engine.orders.actions import GATHERINGS, SHEET
from engine.orders.model import MOST_ORDERS
from engine.registry import AnyRules, newest
from tests.engine.playing import question_of, seed_of
from tests.strength import Record

GREEDY = "greedy"
MOST_STEPS = 200  # of a placing part that is played on in mind
Entry = dict[str, Any]
TALLY: Mapping[str, list[Entry]] = {
    "bribe": [{"type": "bribe_up_to", "limit": 8, "spare": "none"}, {"type": "stay_out"}],
    "buy": [{"type": "buy_up_to", "limit": 30, "spare": "none"}, {"type": "decline"}],
    "market": [{"type": "exchange_for", "kind": "gold"}, {"type": "keep"}],
    "camel": [{"type": "leave_camel"}],
    "tent": [{"type": "default"}],
    "ask": [{"type": "default"}],
}
"""What greedy's sheet says of the tally, by kind of decision."""
KEY: Entry = {
    "kind": "bribe",
    "answers": [{"type": "card", "card": "key"}, *TALLY["bribe"]],
    "conditions": [{"type": "guard", "is": "at_least", "value": 5}],
    "until": "round",
}


class GreedySheets:
    """Answers as greedy does; fills in a sheet by playing the placing part on in mind, and says the rest by habit."""

    def __init__(self, rules: AnyRules, random: Random) -> None:
        self._rules, self._random = rules, random

    def answer(self, view: Any, question: Question) -> Entry:
        """The answer in plain data."""
        if question.decision.kind not in GATHERINGS:
            chosen = self._rules.bots[GREEDY].choose(view, question, self._random)
            answer: Entry = msgspec.json.decode(self._rules.dump_action(chosen))
            return answer
        form = question.actions[0]
        said = {"windows": "quiet", "tally": "same"}
        placed = self._placements(view) if form.type == SHEET else []
        orders = [*placed, *self._tally(view)][:MOST_ORDERS]
        return {"type": form.type, **{field.name: said[field.name] for field in form.fields}, "orders": orders}

    def _tally(self, view: Any) -> list[Entry]:
        kinds = [kind.name for kind in self._rules.order_kinds(view)]
        orders = [
            {"kind": kind, "answers": answers, "until": "round", "stays": True}
            for kind, answers in TALLY.items()
            if kind in kinds
        ]
        return [KEY, *orders] if "window" in kinds else orders

    def _placements(self, view: Any) -> list[Entry]:
        """The tokens as greedy would place them one by one if the others placed at random."""
        rules, random, seat = self._rules, self._random, view.seat
        orders: list[Entry] = []
        state = rules.determinise(view, random)
        for _ in range(MOST_STEPS):
            if rules.is_advance_pending(state):
                if orders:
                    break
                state, _events = rules.advance(state)
            asked = next((one for one in rules.decisions(state) if one.prompted), None)
            if asked is None or asked.kind == "plan":
                break
            if asked.kind != "place":
                action = rules.default(state, asked)
            elif asked.seat != seat:
                action = rules.draw(state, asked, random)
            else:
                mine = rules.view(state, seat)
                question = next(one for one in rules.questions(mine) if one.decision.id == asked.id)
                if question.actions[0].type != "place":
                    break
                action = rules.bots[GREEDY].choose(mine, question, random)
                entry = msgspec.json.decode(rules.dump_action(action))
                orders.append({"kind": "place", "answers": [entry], "until": "round"})
            rules.play(state, asked.seat, action)
        return orders


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
    parser = argparse.ArgumentParser(prog="python -m tests.duel", description="Proposals against greedy's sheet.")
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
