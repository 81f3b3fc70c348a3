"""Opening a tournament."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Forbidden, LimitReached, ServiceError
from games.people.models import User
from games.speech import refuse_muted
from games.tables import names, pace
from games.tables.plans import checked_options, checked_seat_count, clean_title, rules_named
from games.tables.settings import ClockSettings, clocks_of, one_of
from games.tournaments.models import LONGEST_ABOUT, MOST_DAYS, MOST_ENTRANTS, MOST_ROUNDS, Tournament

SOONEST, LATEST = timedelta(minutes=1), timedelta(days=90)  # until entries close


@dataclass(frozen=True)
class TournamentPlan(ClockSettings):
    """What a host wants.

    Arguments:
        options: of the rules, {TableOption.name: value}; what is left out gets its default.
        round_days: after so many days tables that still play are left without a result.
        closes_at: when entries close, and the first round is drawn.
        fewest, most: with fewer entrants it does not take place; more cannot enter.
    """

    title: str
    rules_name: str
    table_size: int
    rounds: int
    closes_at: datetime
    pace: str = "daily"
    round_days: int = 60
    fewest: int = 4
    most: int = 64
    about: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    allows_bots: bool = False


@transaction.atomic
def open_tournament(*, host: User, plan: TournamentPlan, now: datetime) -> Tournament:
    """Opens a tournament for entries. Its host plays only if he enters it himself.

    Raises Forbidden for guests and bots and for who is muted by a moderator, LimitReached for a host who has too many,
    ServiceError for a plan that cannot be.
    """
    if host.is_guest or host.is_bot:
        raise Forbidden(_("Only people with an account can open a tournament."))
    refuse_muted(host, now)
    host.one_at_a_time()
    alive = host.hosted_tournaments.filter(status__in=(Tournament.Status.OPEN, Tournament.Status.RUNNING))
    if alive.count() >= settings.TOURNAMENTS_PER_HOST:
        raise LimitReached(_("You're already hosting as many tournaments as one person can. Wait until one has ended."))
    rules = rules_named(plan.rules_name)
    _check(plan, now)
    title = clean_title(plan.title)
    return Tournament.objects.create(
        title=names.checked(title) if title else _("%(name)s's tournament") % {"name": host.name},
        about=_plain(plan.about),
        host=host,
        rules_name=rules.name,
        options=checked_options(rules, plan.options),
        table_size=checked_seat_count(rules, plan.table_size),
        round_count=plan.rounds,
        round_days=plan.round_days,
        fewest=max(plan.fewest, min(rules.seat_counts)),
        most=plan.most,
        allows_bots=plan.allows_bots,
        pace=one_of(plan.pace, [name for name, _label in pace.paces()]),
        **clocks_of(plan),
        created_at=now,
        closes_at=plan.closes_at,
    )


def _check(plan: TournamentPlan, now: datetime) -> None:
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise ServiceError(_("A tournament has 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})
    if not 1 <= plan.round_days <= MOST_DAYS:
        raise ServiceError(_("A round lasts 1 to %(most)s days.") % {"most": MOST_DAYS})
    if not 2 <= plan.fewest <= plan.most <= MOST_ENTRANTS:
        raise ServiceError(
            _("From 2 to %(most)s people can enter, and the minimum can't be above the maximum.")
            % {"most": MOST_ENTRANTS}
        )
    if plan.most < plan.table_size:
        raise ServiceError(_("The maximum has to be enough for one table."))
    if not now + SOONEST <= plan.closes_at <= now + LATEST:
        raise ServiceError(
            _("Entries have to close in the future, at most %(days)s days from now.") % {"days": LATEST.days}
        )


def _plain(text: str) -> str:
    """What the host says, without control characters but line breaks."""
    lines = ("".join(c if c.isprintable() else " " for c in line).strip() for line in text.splitlines())
    return "\n".join(lines).strip()[:LONGEST_ABOUT]
