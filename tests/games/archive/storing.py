"""Reviews as their process would have written them, in a moment: with few playouts, and a mistake that is made up."""

import datetime as dt
import zlib
from functools import cache
from random import Random

import msgspec

from engine.records import model
from engine.registry import get_rules
from engine.reviews import reviewing
from engine.reviews.model import Graded, Review
from engine.reviews.playouts import Playouts, course_of
from engine.reviews.reviewing import review
from games.archive import records
from games.models import Game, GameReview


@cache
def found_in(data: bytes, seat: int) -> Review:
    """A review of the game with few playouts, in which the first decision of the seat has cost 13 %."""
    record = model.load(data)
    rules = get_rules(record.rules, record.rules_version)
    looks = iter(range(1, 1000))
    found = review(rules, record, lambda: next(looks) / 4)
    return msgspec.structs.replace(found, decisions=[mistake(record, seat)])


def mistake(record: model.Record, seat: int) -> Graded:
    rules = get_rules(record.rules, record.rules_version)
    playouts = Playouts(rules, len(record.seats))
    turns = [turn for turn in course_of(rules, record) if turn.seat == seat]
    comparison = reviewing.decisions_of(playouts, turns)[0]
    others = (rules.sample(comparison.question, Random(number)) for number in range(50))
    comparison.other = next(other for other in others if other != comparison.answers[0])
    comparison.differences = [0.12, 0.13, 0.14]
    return reviewing.graded(playouts, comparison)


def store(game: Game, seat: int, now: dt.datetime) -> GameReview:
    """The review of a game as its process would have written it."""
    found = found_in(model.dump(records.record_of(game)), seat)
    facts = {"state": "done", "chain": game.chain, "data": zlib.compress(msgspec.json.encode(found)), "made_at": now}
    return GameReview.objects.update_or_create(game=game, defaults=facts)[0]
