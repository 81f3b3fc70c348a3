"""The measuring process of `bots`: `python -m tests.bench.beside_work NAME PORT`, beside a running service.

Moves of people by the links in their emails, in turns: alone, while workers make nothing but proposals, and while one
makes a review. Nobody is written to, and where people answer nothing is proposed, so that a worker does nothing else.
"""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import django

from tests.bench.measuring import Contestant, take_turns
from tests.bench.posted import Request
from tests.bench.report import Goal, heading, note
from tests.bench.submitting import Web

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from games.models import Decision, GameReview, SealedProposal
    from tests.bench.answered import Supply

ROUNDS = 8
TABLES = 40  # at which people answer
SHEETS = 16  # tables at which four people are asked for a whole sheet, which takes longest to propose
PATIENCE = 120  # seconds
PAUSE = 0.05
TICK = 0.5  # seconds between two looks of a worker, as `bots.py` has it
MOST = Goal("beside work", most=1.2)


def main(database: str, port: int) -> None:
    """Prints the figures of one database."""
    django.setup()
    from tests.bench.answered import Supply

    work = {"alone": Work(), "beside proposals": Proposals(), "beside a review": Review()}
    webs = {name: Web(port, 1) for name in work}
    supply = Supply(size=TABLES)
    moves = [_moves(name, webs[name], supply, work[name]) for name in work]
    take_turns(moves, ROUNDS, lambda: 0.0)
    heading(f"A move of a person while workers do something else, {database}, by the clock")
    usual, slow = webs["alone"].milliseconds()
    for name, web in webs.items():
        median, late = web.milliseconds()
        ratios = f"{median / usual:.2f} and {late / slow:.2f} of alone  {MOST.verdict(round(late / slow, 2))}"
        note(f"{name:<18} p50 {median:6.1f} ms, p99 {late:6.1f} ms  {ratios if name != 'alone' else ''}")
    note(f"{len(webs['alone'].seconds)} moves each, in turns")


class Work:
    """What workers do meanwhile: nothing."""

    def begin(self) -> None:
        """Lets them begin, and returns when they have."""

    def is_done(self) -> bool:
        """True if they have come to an end before the turn did, which is then worth nothing."""
        return False

    def stop(self) -> None:
        """Ends it, and returns when it has ended."""


class Proposals(Work):
    """Proposals to what is asked at some tables, one after the other and again and again."""

    def __init__(self) -> None:
        from tests.bench.answered import Supply

        tables = Supply(size=SHEETS, options={"version": "magic", "tally": "plan"})
        tables.answers()
        _write_to_nobody()
        self._games = tables.games
        self.stop()

    def begin(self) -> None:
        """Lets all that is asked there want a proposal again."""
        from notifications.worker_hints import hint_workers

        self._made().delete()
        self._asked().update(wants_proposal=True, held_until=None)
        hint_workers("play")
        _until(self._made().exists)

    def is_done(self) -> bool:
        """True if all are made."""
        return not self._asked().filter(wants_proposal=True).exists()

    def stop(self) -> None:
        """Lets nothing want one."""
        self._asked().update(wants_proposal=False)
        time.sleep(1)  # longer than those take that have been begun

    def _asked(self) -> "QuerySet[Decision]":
        from games.models import Decision

        return Decision.objects.filter(game__in=self._games, status=Decision.Status.OPEN, is_automatic=False)

    def _made(self) -> "QuerySet[SealedProposal]":
        from games.models import SealedProposal

        return SealedProposal.objects.filter(decision__in=self._asked())


class Review(Work):
    """The review of a game of bots, anew each time."""

    def __init__(self) -> None:
        from games.models import Game
        from tests.bench.bot_tables import TABLES, open_table

        self._game = open_table(*TABLES["Cave of Wonders, 4 seats"])
        _until(Game.objects.filter(pk=self._game, status=Game.Status.FINISHED).exists)
        self.stop()

    def begin(self) -> None:
        """Asks for it, and waits until it is begun."""
        from games.archive.reviews import request_review
        from games.models import Game
        from notifications.clock import present

        game = Game.objects.select_related("host").get(pk=self._game)
        request_review(game, game.host, present.now())
        _until(self._row().filter(state="running").exists)

    def is_done(self) -> bool:
        """True if it is made."""
        return not self._row().filter(state="running").exists()

    def stop(self) -> None:
        """Removes it: at its next look the worker ends the process that makes it."""
        self._row().delete()
        time.sleep(3 * TICK)

    def _row(self) -> "QuerySet[GameReview]":
        from games.models import GameReview

        return GameReview.objects.filter(game=self._game)


def _moves(name: str, web: Web, supply: "Supply", work: Work) -> Contestant:
    """An answer at every table while this work is done."""
    from games.models import Game
    from tests.bench.answered import by_link

    ready: list[Request] = []

    def prepare(number: int) -> None:
        ready[:] = supply.requests(by_link)
        Game.objects.filter(pk__in=supply.games).update(proposals=Game.Proposals.OFF)
        _write_to_nobody()
        if number == 1:
            web.seconds.clear()
        work.begin()

    def turn(_: int) -> float:
        web.ask(ready)
        return len(ready)

    def check() -> None:
        assert not work.is_done(), f"{name}: the work was done before the moves were"
        work.stop()

    return Contestant(name, turn, prepare, check)


def _write_to_nobody() -> None:
    """Emails cost more than all that is measured here: they wait."""
    from notifications.clock import present
    from notifications.models import Delivery, DeliveryState, Recipient

    later = present.now() + timedelta(days=1)
    Recipient.objects.update(snoozed_until=later)
    Delivery.objects.filter(state=DeliveryState.WAITING).update(attempt_after=later)


def _until(is_so: Callable[[], bool]) -> None:
    stop = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < stop, "the workers do not work"
        time.sleep(PAUSE)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
