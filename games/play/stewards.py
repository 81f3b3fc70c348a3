"""Stewards: what is proposed is played for a player who has not answered after so many of his waking hours.

Each player decides that for himself, table by table, and nobody else can tell until the question is closed. A steward
holds nobody up and hurries nobody: it acts only when nobody is missing whose steward may not act yet.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, Illegal, Quarantined, ServiceError
from games.play import clocks, deadline_rule, game_moves, proposals
from games.play.models import Decision, Move
from games.tables import pace
from games.tables.models import Game, by_known_rules
from games.tables.seats import Seat
from notifications import outbox
from notifications.clock.calendar import deadline, used
from notifications.database.compiled_query import compiled_exists, compiled_rows

logger = logging.getLogger(__name__)
HOUR = timedelta(hours=1)
LONGEST_NUMBER = 4  # characters


# A player's choice


@transaction.atomic
def change(*, game_id: int, seat: int, hours: int | None, now: datetime) -> Seat:
    """Stores after how many waking hours a seat's steward acts, for what is asked now as well; None for never.

    Raises Conflict for a seat nobody waits for and a table without proposals, ServiceError for hours that cannot be.
    """
    game = Game.objects.select_for_update().get(pk=game_id)
    chair = game.seats.select_related("user__recipient").get(number=seat)
    chair.game = game
    if game.is_over or not chair.has_a_say:
        raise Conflict(_("Only active players can have a steward."))
    chair.steward_hours = checked_hours(game, hours)
    chair.save(update_fields=["steward_hours"])
    rows = clocks.asked(game).filter(seat=chair, status=Decision.Status.OPEN, is_automatic=False)
    for row in rows:
        row.game, row.seat = game, chair
        clocks.start_steward(row, clocks.calendar_of(row, now), now)
        row.save(update_fields=["steward_at", "steward_before"])
    return chair


def parse_hours(typed: str) -> int | None:
    """Reads hours as somebody typed them; None for nothing. Raises ServiceError for what is no whole number."""
    if not typed:
        return None
    if not (typed.removeprefix("-").isdecimal() and len(typed) <= LONGEST_NUMBER):
        raise ServiceError(
            _("Enter a whole number of hours, such as 6, or leave the field empty for no steward."),
            code="out-of-range",
            field="hours",
        )
    return int(typed)


def checked_hours(game: Game, hours: int | None) -> int | None:
    """Returns the hours.

    Raises Conflict where no steward can act, and for none where everybody has one; ServiceError for too few or many.
    """
    usual, most = pace.steward_hours(game.pace), most_hours(game)
    if hours is None and usual is None:
        return None
    if most < 1:
        raise Conflict(_("This table has no proposals, so a steward would have nothing to play."))
    if hours is None:
        raise Conflict(_("At this pace everyone has a steward; all players agreed to that by joining."))
    if not 1 <= hours <= most:
        raise ServiceError(
            _("At this table a steward can act after 1 to %(most)d of your waking hours.") % {"most": most},
            code="out-of-range",
            field="hours",
        )
    return hours


def most_hours(game: Game) -> int:
    """After how many waking hours a steward acts at the latest; 0 where none can act."""
    speed = pace.find(game.pace)
    if speed.is_live or game.is_practice or not game.has_proposals:
        return 0
    return speed.steward_hours or int(speed.allowance.days * 24 + speed.allowance.hours)


# What stewards do


def act_one(now: datetime) -> bool:
    """Lets the stewards of one game answer. Returns whether there was one; what another process holds is skipped.

    While the service cannot be reached, or its outage is not given back, none acts.
    """
    heard_after = now - game_moves.LONGEST
    if not _is_any_ripe(now, heard_after) or not (deadline_rule.is_reachable(now) and deadline_rule.is_settled()):
        return False
    with transaction.atomic():
        for (game,) in _claim(now, heard_after):
            _act(list(_asked_in(game)), now)
            return True
    return False


def has_acted(row: Decision, now: datetime) -> bool:
    """Lets a steward that may act answer at the deadline, which is no miss then. Returns whether it has."""
    if row.steward_at is None or row.steward_at > now:
        return False
    _act([row], now)
    return not is_still_open(row)


def is_still_open(row: Decision) -> bool:
    """Whether the decision is asked still; its row and its game are read anew."""
    row.refresh_from_db(fields=["status", "steward_at"])
    row.game.refresh_from_db(fields=["state", "branch", "status", "seq"])
    return row.is_open and row.game.status == Game.Status.RUNNING


def _ripe(now: datetime, heard_after: datetime) -> QuerySet[Decision]:
    """The decisions that stewards answer now: in their games nothing else is asked of anybody."""
    missing = Decision.objects.filter(
        Q(steward_at=None) | Q(steward_at__gt=now),
        game=OuterRef("game"),
        status=Decision.Status.OPEN,
        is_automatic=False,
    )
    rows = Decision.objects.filter(
        by_known_rules("game__"),
        steward_at__lte=now,
        status=Decision.Status.OPEN,
        is_automatic=False,
        game__quarantined_at__isnull=True,
    )
    return rows.exclude(game_moves.is_being_answered(heard_after)).exclude(Exists(missing)).order_by("steward_at")


_is_any_ripe = compiled_exists(_ripe)


@compiled_rows("game_id")
def _claim(now: datetime, heard_after: datetime) -> QuerySet[Decision]:
    """The game of the one that may be answered longest and that nobody holds, both locked."""
    return _ripe(now, heard_after).select_for_update(skip_locked=True)[:1]


def _asked_in(game: int) -> Iterable[Decision]:
    rows = Decision.objects.filter(game=game, status=Decision.Status.OPEN, is_automatic=False)
    return rows.select_related("game", "seat__user__recipient").order_by("pk")


def _act(rows: list[Decision], now: datetime) -> None:
    """Plays what is proposed for each of these seats: for all of them, or for none if one is to be waited for."""
    for row in rows:
        row.seat.game = row.game
    waiting = [row for row in rows if not _has_had_his_hours(row, now)]
    if waiting:
        return
    proposed = [(row, proposals.load_or_make(row, now)) for row in rows]
    for row, proposal in proposed:
        if proposal is None:
            _give_up(row)
    if all(proposal is not None for _row, proposal in proposed):
        for row, proposal in proposed:
            assert proposal is not None
            _answer(row, proposals.playable_answer(proposal), now)


def _answer(row: Decision, action: object, now: datetime) -> None:
    try:
        game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=action,
            source=Move.Source.STEWARD,
            received_at=now,
        )
    except Illegal:
        logger.exception("What was proposed to decision %s is against the rules", row.ref)
        _give_up(row)
    except Conflict:
        logger.info("Decision %s is no longer asked", row.ref)
    except Quarantined:
        logger.warning("Game %s stands still until it is repaired", row.game.ref)


def _give_up(row: Decision) -> None:
    """The steward has nothing to play here: its player is waited for as if he had none."""
    row.steward_at = row.steward_before = None
    row.save(update_fields=["steward_at", "steward_before"])


def _has_had_his_hours(row: Decision, now: datetime) -> bool:
    """Whether the player has had his hours since he was told of the question; else they are counted from then on."""
    assert row.steward_at is not None, row
    if row.seat.steward_hours is None:
        _give_up(row)
        return False
    calendar = clocks.waking(row, clocks.calendar_of(row, row.opened_at))
    told_at, hours = outbox.accepted_at(row.due_key), row.seat.steward_hours * HOUR
    if told_at is not None and used(told_at, row.steward_at, calendar) >= hours / 2:
        return True
    row.steward_at = deadline(told_at or now, hours, calendar)
    row.save(update_fields=["steward_at"])
    return row.steward_at <= now
