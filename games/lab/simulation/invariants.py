"""Invariants that must hold after every step and at the end; a violation raises InvariantBroken."""

from datetime import datetime

from engine.records import chain
from games.lab.simulation.timeline import expect
from games.log.history import state_after
from games.log.replay import genesis_hash, step
from games.models import Decision, Game, Move, Seat
from games.play.notify import thread_of
from notifications.models import OPEN_STATES, Delivery, DeliveryState

LOOK_EVERY = 10  # steps without a new move, such as an email that arrives
UNSENT = frozenset({DeliveryState.FAILED, DeliveryState.QUARANTINED, DeliveryState.STALE})


class InvariantChecker:
    """Checks one game after each step, by replaying its new moves in a state of its own.

    Arguments:
        game: has begun.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state: object = None
        self._head = genesis_hash(game)
        self._public = 0
        self._steps = 0
        self.seq = 0
        self.moves: list[Move] = []

    def after_step(self, now: datetime) -> None:
        """Checks the new moves and the open questions."""
        game = self._game
        game.refresh_from_db()
        expect(game.quarantined_at is None, f"the game broke at move {game.seq}")
        self._steps += 1
        is_new = game.seq != self.seq
        if is_new:
            self._replay()
        if game.status == Game.Status.RUNNING and (is_new or self._steps % LOOK_EVERY == 0):
            self._check_asked()

    def _replay(self) -> None:
        """Checks that the log has no gap, leads to the same states and hashes, and that nobody was passed too early."""
        game, rules, data = self._game, self._game.rules, b""
        for move in game.moves.filter(seq__gt=self.seq).order_by("seq"):
            self.seq += 1
            expect(move.seq == self.seq, f"move {self.seq} is missing")
            expect(move.first_public == self._public + 1, f"move {self.seq}: public numbers have a gap")
            before = self._state
            self._state, events = step(game, before, move, lambda seq: state_after(game, seq))
            data = rules.dump(self._state)
            expect(rules.dump_events(events).decode() == move.events, f"move {self.seq} leads to other events")
            self._head = chain.link(self._head, move, data, rules.outcome(self._state), game.chain_version)
            expect(self._head == move.chain, f"the hash chain breaks at move {self.seq}")
            self._public += sum(rules.redact(event, None) is not None for event in events)
            self._check_secrecy(move, before)
            self._check_passed(move)
            self.moves.append(move)
        expect(self.seq == game.seq, f"the last move is {self.seq}, the game says {game.seq}")
        expect(data.decode() == game.state, f"the stored state is not the one after move {self.seq}")

    def _check_secrecy(self, move: Move, before: object) -> None:
        """Checks that orders change nothing that anybody else can see."""
        if move.kind != Move.Kind.ORDERS:
            return
        rules = self._game.rules
        for viewer in (None, *range(self._game.seat_count)):
            if viewer != move.seat:
                is_same = rules.view(before, viewer) == rules.view(self._state, viewer)
                expect(is_same, f"seat {viewer} sees that seat {move.seat} gave orders (move {move.seq})")

    def _check_passed(self, move: Move) -> None:
        if move.source not in (Move.Source.DEADLINE, Move.Source.STEWARD) or move.seat is None:
            return
        row = self._game.decisions.get(code=move.decision, seat__number=move.seat)
        instant = row.due_at if move.source == Move.Source.DEADLINE else row.steward_at
        is_time = instant is not None and move.made_at >= instant
        expect(is_time, f"{row.code} of seat {move.seat} was answered by the {move.source} before its time")

    def _check_asked(self) -> None:
        """Checks that the service asks what the rules ask, with a deadline, of an active player who is notified."""
        game = self._game
        asked = {(one.id, one.seat) for one in game.rules.decisions(game.load_state()) if one.prompted}
        rows = list(game.decisions.filter(status=Decision.Status.OPEN).select_related("seat"))
        found = {(row.code, row.seat.number) for row in rows}
        expect(found == asked, f"the rules ask {sorted(asked)}, the service {sorted(found)}")
        waited = [row for row in rows if not row.is_automatic]
        told = set(
            Delivery.objects.filter(notice__dedupe_key__in=[row.due_key for row in waited])
            .exclude(state__in=UNSENT)
            .values_list("notice__dedupe_key", flat=True)
        )
        for row in waited:
            who = f"{row.code} of seat {row.seat.number}"
            expect(row.due_at is not None or bool(game.paused_by), f"{who} waits without a deadline")
            expect(row.seat.status == Seat.Status.ACTIVE, f"{who} waits for somebody who is away")
            expect(row.due_key in told, f"nobody tells that {who} is asked")

    def at_the_end(self, now: datetime) -> None:
        """Checks that a finished game has no open questions and no unsent emails."""
        game = self._game
        open_rows = game.decisions.filter(status=Decision.Status.OPEN).count()
        expect(not open_rows, f"{open_rows} questions of a finished game are open")
        owed = Delivery.objects.filter(notice__thread=thread_of(game), state__in=OPEN_STATES, attempt_after__lte=now)
        expect(not owed.exists(), "mails of a finished game are due and were not sent")
        leases = Delivery.objects.filter(lease_until__lte=now, state=DeliveryState.SENDING)
        expect(not leases.exists(), "a lapsed lease was not taken up")
