"""Plays the bots' season, with which the archive of each installation begins, reviews its games and writes the file."""

import hashlib
import secrets
from argparse import ArgumentParser
from random import Random
from time import process_time
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from engine.records import checking, model
from engine.records.model import Record, RecordedMove, RecordedOutcome, RecordedSeat, ReplayedMove
from engine.registry import newest
from engine.reviews.model import Review
from engine.reviews.reviewing import review
from engine.rules import AnyRules
from games.archive import finished_games
from games.archive.finished_games import SeasonGame
from games.archive.review_sentences import count_turns
from games.ids import random_ref
from games.lobby.practice import first_game
from games.people.characters import CHARACTERS, ladder
from games.tables.settings import checked_options
from notifications.clock import present

FEWEST_TURNS = 3


class Command(BaseCommand):
    """Plays games of the characters, each of them about as often as the others, and keeps those that had a turn."""

    help = "Play the bots' season that is shipped, review its games, and write its file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Takes how many games of each rule set, and how long each is reviewed."""
        parser.add_argument("--games", type=int, default=30, help="of each game")
        parser.add_argument("--seconds", type=float, default=15.0, help="of processor time for each review")
        parser.add_argument("--rules", default="", help="play games of these rules alone, and keep the others")

    def handle(self, *_args: object, **options: Any) -> None:
        """Writes the file after each game, so that one can stop."""
        season = [] if not finished_games.SEASON.is_file() else finished_games.load_season()
        played = [rules for rules in newest() if ladder(rules.bots) and options["rules"] in ("", rules.name)]
        season = [game for game in season if game.rules not in {rules.name for rules in played}]
        for number in range(options["games"]):
            for rules in played:
                game = self._play(rules, number, options["seconds"])
                season.append(game)
                finished_games.SEASON.write_bytes(finished_games.pack_season(season))
                self.stdout.write(f"{rules.name} {number + 1}: {len(game.moves)} moves, {process_time():.0f} s")

    def _play(self, rules: AnyRules, number: int, seconds: float) -> SeasonGame:
        """Plays games until one has enough turns, and reviews it."""
        while True:
            record, state, public = played(rules, number)
            result = reviewed(rules, record, seconds)
            if count_turns(result) >= FEWEST_TURNS:
                return finished_games.season_game(record, state, public, result)


def played(rules: AnyRules, number: int) -> tuple[Record, bytes, list[int]]:
    """Plays a game of characters. Returns its record, its last position, and how many events of each move are public.

    Arguments:
        number: of the game in its season: of it follows who plays.
    """
    fewest, options, _minutes = first_game(rules)
    seats = min(max(rules.seat_counts), fewest + number % 2)
    cast, first = ladder(rules.bots), number * fewest + number // 2  # seats of the games before
    names = [cast[(first + at) % len(cast)].bot for at in range(seats)]
    seed, random = secrets.token_bytes(32), Random(secrets.randbits(64))
    by_joining = [RecordedSeat(name=f"Bot {bot}", joined=at, bot=bot) for at, bot in enumerate(names)]
    drawn = checking.seating(seed.hex(), [""] * seats).shuffled(by_joining)
    full = checked_options(rules, options)
    agreed = model.Agreed(
        random_ref(), rules.name, rules.version, full, hashlib.sha256(seed).hexdigest(), seed.hex(), ("",) * seats
    )
    began = _now()
    state, events = rules.new(seats, full, agreed.seed())
    moves: list[RecordedMove] = []
    head, public = model.genesis(agreed), []

    def keep(
        kind: model.Kind, events: list[Any], seat: int | None = None, decision: str = "", action: str = ""
    ) -> None:
        nonlocal head
        by: model.By = "service" if seat is None else "bot"
        data, written = rules.dump(state), rules.dump_events(events).decode()
        move = ReplayedMove(len(moves) + 1, kind, seat, decision, action, written, "", by)
        head = model.link(head, move, data, rules.outcome(state))
        moves.append(
            RecordedMove(
                number=move.seq,
                kind=kind,
                by=by,
                chain=head,
                seat=seat,
                decision=decision,
                action=msgspec.json.decode(action) if action else None,
                events=msgspec.json.decode(written),
                position=model.position_of(data),
            )
        )
        public.append(sum(rules.redact(event, None) is not None for event in events))

    keep("start", events)
    while rules.outcome(state) is None:
        asked = next((row for row in rules.decisions(state) if row.prompted), None)
        if asked is None:
            state, events = rules.advance(state)
            keep("advance", events)
            continue
        bot = rules.bots[drawn[asked.seat].bot]
        question = rules.question(state, asked.id, asked.seat)
        action = bot.choose(rules.view(state, asked.seat), question, random)
        state, events = rules.open(state, asked.id, asked.seat).apply(action, by_player=False)
        keep("answer", events, asked.seat, asked.id, rules.dump_action(action).decode())
    record = Record(
        format=model.FORMAT,
        format_version=model.VERSION,
        ref=agreed.ref,
        title=" – ".join(CHARACTERS[bot].name for bot in names),
        rules=rules.name,
        rules_version=rules.version,
        options=full,
        seats=drawn,
        commitment=agreed.commitment,
        server_seed=agreed.server_seed,
        started_at=began,
        finished_at=_now(),
        moves=moves,
        outcome=msgspec.convert(msgspec.to_builtins(rules.outcome(state)), RecordedOutcome),
    )
    done = checking.check(record)
    assert done.public == public
    return record, done.state, public


def _now() -> str:
    return present.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def reviewed(rules: AnyRules, record: Record, seconds: float) -> Review:
    """Reviews a game, with the bots' decisions looked at as people's are."""
    moves = [msgspec.structs.replace(move, by=model.PLAYER) if move.kind == "answer" else move for move in record.moves]
    begun = process_time()
    result = review(rules, msgspec.structs.replace(record, moves=moves), lambda: (process_time() - begun) / seconds)
    decisions = [msgspec.structs.replace(decision, proposed=False) for decision in result.decisions]
    return msgspec.structs.replace(result, decisions=decisions)
