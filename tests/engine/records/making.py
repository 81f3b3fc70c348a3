"""Records of games played at random by the rules alone: with orders, plans, deadlines, roll-backs and resignations."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from engine.core import Decision
from engine.core.rng import commitment
from engine.orders import checking
from engine.records.checking import Origin, beginning, seating
from engine.records.model import (
    FORMAT,
    VERSION,
    Agreed,
    Record,
    RecordedMove,
    RecordedOutcome,
    RecordedSeat,
    ReplayedMove,
    encoded,
    genesis,
    link,
    position_of,
)
from engine.registry import AnyRules, newest
from tests.engine.orders.test_properties import random_order
from tests.engine.playing import MOST_STEPS, question_of

NAMES = ("Anna", "Ben", "Carla", "David", "Eva")


class Making:
    """A game that is written down as it is played; `number` decides everything."""

    def __init__(self, rules: AnyRules, seats: int, number: int, options: dict[str, str]) -> None:
        self.rules, self.random = rules, Random(number)
        server_seed = self.random.randbytes(32)
        sat = [RecordedSeat(NAMES[i], i, f"words of {NAMES[i]}" if i else "") for i in range(seats)]
        self.seats = seating(server_seed.hex(), [seat.entropy for seat in sat]).shuffled(sat)
        self.agreed = Agreed(
            ref="Sample123456",
            rules=rules.name,
            version=rules.version,
            options=options,
            commitment=commitment(server_seed),
            server_seed=server_seed.hex(),
            entropies=tuple(seat.entropy for seat in self.seats),
        )
        self.moves: list[RecordedMove] = []
        self.states: list[bytes] = []
        self.state: Any = None
        self._head = genesis(self.agreed)

    def add(self, stepped: tuple[Any, list[Any]], kind: str, by: str = "player", **facts: Any) -> None:
        """Writes down a move that was made."""
        self.state, events = stepped
        data = self.rules.dump(self.state)
        seq = len(self.moves) + 1
        told = msgspec.json.decode(self.rules.dump_events(events))
        action = encoded(facts["action"]) if facts.get("action") is not None else ""
        taken = ReplayedMove(seq, kind, facts.get("seat"), facts.get("decision", ""), action, encoded(told), "", by)
        outcome = self.rules.outcome(self.state)
        self._head = link(self._head, taken, data, outcome)
        facts |= {"chain": self._head, "events": told, "position": position_of(data)}
        self.moves.append(RecordedMove(number=seq, kind=kind, by=by, **facts))  # type: ignore[arg-type]
        self.states.append(data)

    def begin(self) -> None:
        """The first move."""
        first = ReplayedMove(1, "start", None, "", "", "", "", "service")
        self.add(beginning(self.rules, self.agreed, first, lambda seq: None), "start", "service")

    def step(self) -> None:
        """The next boundary; or an answer at random, now and then by default as at the deadline."""
        rules = self.rules
        if rules.is_advance_pending(self.state):
            return self.add(rules.advance(self.state), "advance", "service")
        asked: Decision = self.random.choice([one for one in rules.decisions(self.state) if one.prompted])
        is_missed = self.random.random() < 0.1
        sampled = rules.sample(question_of(rules, self.state, asked), self.random)
        action = rules.default(self.state, asked) if is_missed else sampled
        facts = {"seat": asked.seat, "decision": asked.id, "action": msgspec.json.decode(rules.dump_action(action))}
        opened = rules.open(self.state, asked.id, asked.seat)
        by = "deadline" if is_missed else "player"
        return self.add(opened.apply(action, by_player=not is_missed), "answer", by, **facts)

    def give_orders(self, seat: int) -> None:
        """A seat gives an order, if it can, and if the game has any."""
        if not self.rules.vocabulary.kinds(self.rules.view(self.state, seat)):
            return
        orders = [random_order(self.rules, self.rules.view(self.state, seat), self.random)]
        move = checking.parse({"orders": msgspec.to_builtins(orders)})
        action = msgspec.json.decode(self.rules.dump_orders(move))
        try:
            given = self.rules.instruct(self.state, seat, move)
        except ValueError:
            return
        self.add(given, "orders", seat=seat, action=action)

    def take_back(self, moves: int, branch: int) -> None:
        """A moderator takes the game back by so many moves."""
        seq = max(1, len(self.moves) - moves)
        origin = Origin(seq, seq, branch)
        branched = self.rules.branch_off(
            self.rules.load(self.states[seq - 1]), self.agreed.seed(branch), origin.step, branch
        )
        self.add(branched, "branch", "moderator", action=msgspec.to_builtins(origin))

    def all_but_one_resign(self) -> None:
        """And that one ends the game."""
        for seat in range(1, len(self.seats)):
            if seat != 1:  # who has resigned before
                self.add(self.rules.resign(self.state, seat), "resign", seat=seat)
        self.add(self.rules.end(self.state, 0), "end", seat=0)

    def record(self) -> Record:
        """What has been written down."""
        return Record(
            format=FORMAT,
            format_version=VERSION,
            ref=self.agreed.ref,
            title="Thursday",
            rules=self.agreed.rules,
            rules_version=self.agreed.version,
            options=dict(self.agreed.options),
            seats=self.seats,
            commitment=self.agreed.commitment,
            server_seed=self.agreed.server_seed,
            started_at="2025-11-01T18:00:00.000000Z",
            finished_at="2025-11-20T21:30:00.000000Z",
            moves=self.moves,
            outcome=msgspec.convert(msgspec.to_builtins(self.rules.outcome(self.state)), RecordedOutcome),
        )


@cache
def played(name: str, seats: int, number: int = 7, most: int = MOST_STEPS, **options: str) -> Record:
    """A whole game with everything in it: orders, defaults, two roll-backs, a resignation.

    After `most` steps everybody but one resigns, and that one ends it.
    """
    rules = next(rules for rules in newest() if rules.name == name)
    game = Making(rules, seats, number, options)
    game.begin()
    for step in range(most + 1):
        if step == most:
            game.all_but_one_resign()
        if rules.outcome(game.state) is not None:
            return game.record()
        if step in (12, 31):
            game.take_back(7, 1 if step == 12 else 2)
        if step == 40:
            game.add(rules.resign(game.state, 1), "resign", seat=1)
        if game.random.random() < 0.2:
            game.give_orders(game.random.randrange(seats))
        game.step()
    raise AssertionError("the game does not end")
