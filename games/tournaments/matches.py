"""Matches: a number of games of the same bot accounts, without people, and what came of them.

Somebody who owns one of the bots opens it; a worker opens its games, some at a time. They are public and count for the
ratings of bots, and stand in no archive.
"""

import csv
import io
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.archive.ratings import Standing
from games.errors import Conflict, Forbidden, Illegal, LimitReached, NotFound, check_rate
from games.lobby import lifecycle
from games.people.models import User
from games.play.lists import place_of
from games.tables import pace
from games.tables.models import ALIVE, Game
from games.tables.settings import (
    TablePlan,
    checked_options,
    checked_seat_count,
    known_options,
    one_of,
    rules_named,
)
from games.tournaments.models import Match
from notifications.database.compiled_query import compiled_exists

logger = logging.getLogger(__name__)
MOST_GAMES = 200
MOST_RUNNING = 3  # of one owner, those called off with a game that is not over among them
MOST_A_DAY = 20  # that one owner opens
AT_ONCE = 4  # games of one match
LOOK_EVERY, AGAIN_AFTER = timedelta(seconds=20), timedelta(minutes=10)
WAITED_FOR = timedelta(days=1)  # a bot that is paused; then the match is called off
MOST_LISTED = 50


@dataclass(frozen=True)
class MatchPlan:
    """A match as its owner wants it.

    Arguments:
        bots: names of bot accounts, all of which play in each game.
        options: of the rules, {TableOption.name: value}; what is left out gets its default.
    """

    rules_name: str
    bots: Sequence[str]
    games: int
    pace: str = "live"
    options: Mapping[str, str] = field(default_factory=dict)


@transaction.atomic
def open_match(*, owner: User, plan: MatchPlan, now: datetime) -> Match:
    """Opens a match; a worker opens its games.

    Raises Forbidden for guests and bots and for who owns none of the bots, BotDeclines for one that does not take such
    games or has no token, LimitReached and TooMany for too many, ServiceError for a plan that cannot be.
    """
    if owner.is_guest or owner.is_bot:
        raise Forbidden(_("Only people with an account can open a match."))
    owner.one_at_a_time()
    is_played = Exists(Game.objects.filter(ALIVE, matches=OuterRef("pk")))
    if owner.matches.filter(Q(is_played) | Q(status=Match.Status.RUNNING)).count() >= MOST_RUNNING:
        raise LimitReached(_("You're already running as many matches as one person can. Wait until one has ended."))
    message = _("You've opened many matches today. Please try again tomorrow.")
    check_rate(owner.matches.all(), most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message)
    rules = rules_named(plan.rules_name)
    speed = one_of("pace", plan.pace, [name for name, _label in pace.paces()])
    options = checked_options(rules, plan.options)
    if not 1 <= plan.games <= MOST_GAMES:
        message = _("A match has 1 to %(most)s games.") % {"most": MOST_GAMES}
        raise Illegal(message, code="out-of-range", field="games")
    count = len(plan.bots)
    # each is locked when its games are counted: always in this order
    entrants = sorted((lifecycle.find_bot(name, owner) for name in plan.bots), key=attrgetter("pk"))
    bots = {bot.pk: lifecycle.find_entrant(bot.name, owner, rules, speed, count) for bot in entrants}
    if len(bots) < max(2, count):
        raise Illegal(_("A match needs two different bots at least."), code="out-of-range", field="bots")
    checked_seat_count(rules, count)
    if all(bot.owner_id != owner.pk for bot in bots.values()):
        raise Forbidden(_("One of the bots must be yours."))
    for bot in bots.values():
        lifecycle.check_has_token(bot)
    match = Match.objects.create(
        owner=owner,
        rules_name=rules.name,
        options=options,
        pace=speed,
        game_count=plan.games,
        created_at=now,
        look_at=now,
    )
    match.bots.set(bots.values())
    return match


@transaction.atomic
def call_off(*, match: Match, by: User, now: datetime) -> None:
    """Opens no further game of it. Games that have begun go on. Harmless when repeated.

    Raises Forbidden for who has not opened it, Conflict when it is over.
    """
    match = Match.objects.select_for_update().get(pk=match.pk)
    if match.owner_id != by.pk:
        raise Forbidden(_("Only who has opened a match can end it."))
    if match.status == Match.Status.FINISHED:
        raise Conflict(_("This match is over."))
    if match.status == Match.Status.RUNNING:
        _end(match, Match.Status.CALLED_OFF, now)


def _end(match: Match, status: Match.Status, now: datetime) -> None:
    match.status, match.finished_at, match.look_at = status, now, None
    match.save(update_fields=["status", "finished_at", "look_at"])


# The tick


def step_one(now: datetime) -> bool:
    """Does the next step of one match. Returns whether there was one."""
    if not _is_any_due(now):
        return False
    key = _due(now).values_list("pk", flat=True).first()
    if key is None:
        return False
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().filter(look_at__lte=now).get(pk=key)
            _step(match, now)
    except Match.DoesNotExist:
        return True  # another worker was faster
    except Exception:  # what broke it is in the log; the others go on, and this one is tried again
        logger.exception("A step of match %s broke", key)
        Match.objects.filter(pk=key).update(look_at=now + AGAIN_AFTER)
    return True


def _due(now: datetime) -> QuerySet[Match]:
    return Match.objects.filter(look_at__lte=now).order_by("look_at")


_is_any_due = compiled_exists(_due)


def _step(match: Match, now: datetime) -> None:
    """Opens a game, ends the match, or looks again in a while."""
    bots = list(match.bots.select_related("owner", "terms").order_by("pk"))  # the order in which they are locked
    count, alive = match.games.count(), match.games.filter(ALIVE).count()
    is_complete = count >= match.game_count
    if is_complete and not alive:
        _end(match, Match.Status.FINISHED, now)
    elif not is_complete and not all(_will_play(bot, now) for bot in bots):
        _end(match, Match.Status.CALLED_OFF, now)
    else:
        may_open = not is_complete and alive < AT_ONCE and not any(bot.paused_at for bot in bots)
        if may_open and all(map(lifecycle.has_room, bots)):
            match.games.add(_open_game(match, bots, count + 1, now))
            match.look_at = now
        else:
            match.look_at = now + LOOK_EVERY
        match.save(update_fields=["look_at"])


def _will_play(bot: User, now: datetime) -> bool:
    is_waited_for = bot.paused_at is None or bot.paused_at > now - WAITED_FOR
    return bool(is_waited_for and bot.is_active and bot.owner and bot.owner.is_active)


def _open_game(match: Match, bots: Sequence[User], number: int, now: datetime) -> Game:
    rules = rules_named(match.rules_name)
    plan = TablePlan(
        title=f"{' – '.join(bot.name for bot in bots)}"[:50] + f" {number}",
        rules_name=rules.name,
        seat_count=len(bots),
        pace=match.pace,
        options=known_options(rules, match.options),
        is_listed=True,
        allows_own_bots=len({bot.owner_id for bot in bots}) < len(bots),
    )
    return lifecycle.start_seated(host=match.owner, players=bots, plan=plan, now=now, is_between_bots=True)


# Results


@dataclass(frozen=True)
class MatchGame:
    """A game of a match, with the places of the bots by their keys; {} as long as it has none."""

    number: int
    game: Game
    places: dict[int, int]


def find(ref: str) -> Match:
    """The match. Raises NotFound."""
    row = Match.objects.filter(ref=ref).select_related("owner").first()
    if row is None:
        raise NotFound(_("There's no such match."))
    return row


def latest() -> list[Match]:
    """The matches, the newest first."""
    return list(Match.objects.select_related("owner").prefetch_related("bots").order_by("-pk")[:MOST_LISTED])


def games_of(match: Match) -> list[MatchGame]:
    """Its games so far, in the order in which they were opened."""
    games = match.games.order_by("pk").defer("state").prefetch_related("seats")
    return [MatchGame(number, game, _places(game)) for number, game in enumerate(games, start=1)]


def _places(game: Game) -> dict[int, int]:
    if game.status != Game.Status.FINISHED or not game.outcome:
        return {}
    return {seat.user_id: place_of(game, seat.number) for seat in game.seated() if seat.user_id is not None}


def results(match: Match, games: Sequence[MatchGame]) -> list[Standing]:
    """How its bots came out, the best first."""
    rows = []
    for bot in match.bots.select_related("owner"):
        played = [(game.places[bot.pk], game.places) for game in games if bot.pk in game.places]
        beaten = sum(place < other for place, places in played for other in places.values())
        met = sum(len(places) - 1 for _place, places in played)
        rows.append(Standing(bot, len(played), sum(place == 1 for place, _places in played), beaten, met))
    return sorted(rows, key=lambda row: (-row.percent, -row.wins, row.user.name))


def as_csv(match: Match) -> str:
    """Returns a line for each bot in each game, with a head."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["game", "game_ref", "status", "started_at", "finished_at", "seat", "bot", "place"])
    for row in games_of(match):
        game = row.game
        times = [at.isoformat() if at else "" for at in (game.started_at, game.finished_at)]
        for seat in game.seated():
            place = row.places.get(seat.user_id or 0, "")
            writer.writerow([row.number, game.ref, game.status, *times, seat.number, _as_text(seat.name), place])
    return text.getvalue()


def _as_text(name: str) -> str:
    """Keeps a name from being a formula in a spreadsheet."""
    return f"'{name}" if name[:1] in "=+-@" else name
