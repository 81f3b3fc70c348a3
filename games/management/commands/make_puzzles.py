"""Finds puzzles in games of bots and adds them to the file that is shipped; each takes seconds of processor time."""

from argparse import ArgumentParser
from collections import Counter
from time import process_time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.puzzles import OpenPuzzle, Puzzle, PuzzleSearch, check, pack, regraded
from engine.registry import newest
from games.lobby import puzzles


class Command(BaseCommand):
    """Plays games of bots with dice of a seed, and keeps the positions in which one answer is clearly best."""

    help = "Find puzzles in games of bots and add them to the file that is shipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Of which game, for how long, with which dice; or to look at those that are there once more."""
        parser.add_argument("rules", nargs="?", default="", help="the name of a game; without it nothing is searched")
        parser.add_argument("--minutes", type=float, default=10.0, help="of processor time")
        parser.add_argument("--seed", type=int, default=1, help="of the games; the same finds the same")
        parser.add_argument("--check", type=int, default=0, metavar="COUNT", help="search so many again, further ahead")
        parser.add_argument("--grade", action="store_true", help="let the bots of today answer all of them again")

    def handle(self, *_args: object, **options: Any) -> None:
        """Writes the file when all is done."""
        found = {data.ref: data for data in puzzles.everything()}
        if options["rules"]:
            for data in self._search(options["rules"], 60 * options["minutes"], options["seed"]):
                found[data.ref] = data
        if options["check"]:
            self._check(found, options["check"], options["seed"])
        if options["grade"]:
            found = {ref: regraded(data) for ref, data in found.items()}
        puzzles.FILE.write_bytes(pack(found.values()))
        kinds = Counter((data.rules, data.kind) for data in found.values())
        self.stdout.write(f"{len(found)} puzzles: {dict(kinds)}")

    def _search(self, name: str, seconds: float, seed: int) -> list[Puzzle]:
        rules = next((rules for rules in newest() if rules.name == name and rules.puzzles), None)
        if rules is None:
            raise CommandError(f"{name}: no such game, or it makes no puzzles")
        search = PuzzleSearch(rules, seed)
        found: list[Puzzle] = []
        until = process_time() + seconds
        while process_time() < until:
            found += [data for data in search.find(search.played()) if puzzles.is_short(OpenPuzzle(data))]
        counts = search.counts
        self.stdout.write(
            f"{counts.games} games, {counts.positions} positions, {counts.promising} promising, {len(found)} puzzles"
        )
        return found

    def _check(self, found: dict[str, Puzzle], count: int, seed: int) -> None:
        """Drops those whose solution is not ahead in a search that plays on further, with other dice."""
        sample = list(found.values())[:count]
        doubtful = [data.ref for data in sample if check(data, seed).mean <= 0]
        for ref in doubtful:
            del found[ref]
        self.stdout.write(f"{len(sample) - len(doubtful)} of {len(sample)} confirmed; the others are dropped")
