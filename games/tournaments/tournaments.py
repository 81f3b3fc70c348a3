"""Opens tournaments, enters people, carries out what hosts and moderators decide, and reads what everybody may see."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Conflict, Forbidden, Illegal, LimitReached, NotFound, SameOwner, ServiceError
from games.links import page_url
from games.lobby import lifecycle
from games.people import blocks, names, staff
from games.people.blocks import apart_from
from games.people.models import User
from games.people.names import clean_title
from games.people.speech import refuse_muted
from games.play import absences
from games.tables import audit, pace
from games.tables.audit import REASON_LENGTH, ModerationEntry
from games.tables.models import Game
from games.tables.settings import ClockSettings, checked_options, checked_seat_count, clocks_of, one_of, rules_named
from games.tables.webhooks import NewsKind, tell_news_of
from games.tournaments import notify, pairing, rounds
from games.tournaments.models import (
    LONGEST_ABOUT,
    LONGEST_REASON,
    MOST_DAYS,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    Entrant,
    Tournament,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from games.tournaments.rounds import put_out
from notifications.database.compiled_query import compiled

SOONEST, LATEST = timedelta(minutes=1), timedelta(days=90)  # until entries close


@dataclass(frozen=True)
class TournamentPlan(ClockSettings):
    """A host's settings for a tournament.

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
    _check_plan(plan, now)
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
        pace=one_of("pace", plan.pace, [name for name, _label in pace.paces()]),
        **clocks_of(plan),
        created_at=now,
        closes_at=plan.closes_at,
    )


def _check_plan(plan: TournamentPlan, now: datetime) -> None:
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise ServiceError(
            _("A tournament has 1 to %(most)s rounds.") % {"most": MOST_ROUNDS}, code="out-of-range", field="rounds"
        )
    if not 1 <= plan.round_days <= MOST_DAYS:
        raise ServiceError(
            _("A round lasts 1 to %(most)s days.") % {"most": MOST_DAYS}, code="out-of-range", field="round_days"
        )
    if not 2 <= plan.fewest <= plan.most <= MOST_ENTRANTS:
        raise ServiceError(
            _("From 2 to %(most)s people can enter, and the minimum can't be above the maximum.")
            % {"most": MOST_ENTRANTS},
            code="out-of-range",
            field="fewest",
        )
    if plan.most < plan.table_size:
        raise ServiceError(_("The maximum has to be enough for one table."), code="out-of-range", field="most")
    if not now + SOONEST <= plan.closes_at <= now + LATEST:
        raise ServiceError(
            _("Entries have to close in the future, at most %(days)s days from now.") % {"days": LATEST.days},
            code="out-of-range",
            field="closes_at",
        )


def _plain(text: str) -> str:
    """Returns the host's words without control characters but line breaks."""
    lines = ("".join(c if c.isprintable() else " " for c in line).strip() for line in text.splitlines())
    return "\n".join(lines).strip()[:LONGEST_ABOUT]


# Entering and leaving


@transaction.atomic
def enter(*, tournament_id: int, user: User, now: datetime) -> Entrant:
    """Enters a person, who thereby agrees to play in all rounds. Entering twice changes nothing.

    Raises Forbidden for guests and bots, Conflict when entries are closed, when it is full, for who was removed, for
    who is absent in a game that others play on, and for a host who has removed somebody, SameOwner when a bot of this
    person has been entered.
    """
    if user.is_guest or user.is_bot:
        raise Forbidden(_("Only people with an account can enter a tournament."))
    tournament = lock_open(tournament_id)
    if not tournament.entrants.filter(user=user, status=Entrant.Status.ENTERED).exists():
        blocks.check_host(tournament.host, user)
        absences.check_has_not_left(user)
    _check_has_removed_nobody(tournament, user)
    return _add_entrant(tournament, user, now)


@transaction.atomic
def enter_bot(*, tournament_id: int, host: User, name: str, now: datetime) -> Entrant:
    """The host enters a bot account that he may seat, where bots are allowed.

    Raises NotFound for who is not the host, Forbidden where no bots are allowed, ServiceError when there is none of
    that name, BotDeclines for one that does not take such games, SameOwner when its owner or another bot of that owner
    has entered.
    """
    tournament = lock_open(tournament_id)
    if tournament.host_id != host.pk:
        raise NotFound(_("Only the host of a tournament can do that."))
    if not tournament.allows_bots:
        raise Forbidden(_("This tournament is for people only."))
    rules = rules_named(tournament.rules_name)
    bot = lifecycle.find_entrant(name, host, rules, tournament.pace, tournament.table_size)
    lifecycle.check_has_token(bot)
    _check_has_removed_nobody(tournament, bot)
    return _add_entrant(tournament, bot, now)


def _check_has_removed_nobody(tournament: Tournament, user: User) -> None:
    """Raises Conflict for a host, and his bots, once he has removed somebody: nobody chooses his own rivals."""
    if tournament.host_id != (user.owner_id or user.pk):
        return
    by_moderators = ModerationEntry.objects.filter(
        action=ModerationEntry.Action.TAKE_OUT, user=OuterRef("user"), created_at=OuterRef("left_at")
    )
    if tournament.entrants.filter(~Exists(by_moderators), status=Entrant.Status.REMOVED).exists():
        raise Conflict(_("You've removed somebody from this tournament, so you can't play in it."))


def _add_entrant(tournament: Tournament, user: User, now: datetime) -> Entrant:
    known = tournament.entrants.filter(user=user).first()
    if known is not None and known.is_in:
        return known
    if known is not None and known.status == Entrant.Status.REMOVED:
        raise Conflict(_("The host has removed this player from the tournament."))
    if tournament.entrants.filter(status=Entrant.Status.ENTERED).count() >= tournament.most:
        raise Conflict(_("The tournament is full."))
    _check_owner(tournament, user)
    entrant = known or Entrant(tournament=tournament, user=user)
    entrant.name, entrant.is_bot, entrant.status = user.name, user.is_bot, Entrant.Status.ENTERED
    entrant.entered_at, entrant.left_at = now, None
    entrant.save()
    notify.entered(entrant, now)
    return entrant


def _check_owner(tournament: Tournament, user: User) -> None:
    """No table of a tournament has a player and that player's bot, or two bots of one player."""
    person = user.owner_id or user.pk
    others = tournament.entrants.filter(Q(user=person) | Q(user__owner=person), status=Entrant.Status.ENTERED)
    other = others.exclude(user=user).first()
    if other is not None:
        raise SameOwner(
            _("%(name)s has entered already. A player and their bots, or two bots of one player, can't both enter.")
            % {"name": other.spoken_name}
        )


@transaction.atomic
def leave(*, tournament_id: int, user: User, now: datetime) -> Entrant:
    """Leaves a tournament: no further round seats this player. A game that has begun goes on. Harmless when repeated.

    Raises NotFound for who has not entered, Conflict when it is over.
    """
    tournament = lock_alive(tournament_id)
    entrant = tournament.entrants.filter(user=user).first()
    if entrant is None:
        raise NotFound(_("You haven't entered this tournament."))
    if entrant.is_in:
        put_out(entrant, Entrant.Status.LEFT, now)
    return entrant


def lock_alive(tournament_id: int) -> Tournament:
    """The tournament, locked, if it is not over. Raises Conflict."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.is_over:
        raise Conflict(
            _("This tournament was called off.")
            if tournament.status == Tournament.Status.CALLED_OFF
            else _("This tournament is over.")
        )
    return tournament


def lock_open(tournament_id: int) -> Tournament:
    """The tournament, locked, if people can still enter. Raises Conflict."""
    tournament = lock_alive(tournament_id)
    if not tournament.is_open:
        raise Conflict(_("Entries are closed: this tournament has already started."))
    return tournament


# Acts of hosts, of moderators in their place, and reports


@transaction.atomic
def start_now(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Closes the entries and draws the first round. Raises Conflict while there are too few entrants."""
    tournament = lock_open(tournament_id)
    _check_host(tournament, by)
    if not rounds.has_enough(tournament):
        raise Conflict(_("Too few people have entered: %(fewest)s are needed.") % {"fewest": tournament.fewest})
    rounds.start(tournament, now)
    return tournament


@transaction.atomic
def call_off(*, tournament_id: int, by: User, reason: str, now: datetime) -> None:
    """Calls a tournament off, and tells everybody who has entered. Games that have begun go on as ordinary games.

    Raises Conflict when it is over, and for a host who plays in it once it has started, Illegal without a reason,
    Forbidden for who is neither host nor moderator.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
    if is_host and not tournament.is_open:
        _check_does_not_play(tournament, by)
    reason = checked_reason(reason)
    if not is_host:
        record_act(ModerationEntry.Action.CALL_OFF, tournament, by, reason, now)
    why = Tournament.Why.HOST if is_host else Tournament.Why.MODERATOR
    rounds.call_off(tournament, why, now, reason)


@transaction.atomic
def remove_entrant(*, tournament_id: int, by: User, entrant: str, reason: str, now: datetime) -> None:
    """Removes an entrant, who is told why and cannot enter again. A game that has begun goes on.

    Arguments:
        entrant: his reference.
    Raises NotFound for somebody who is not in the tournament, Conflict for a host who plays in it, and what `call_off`
    raises.
    """
    tournament = lock_alive(tournament_id)
    is_host = _is_host(tournament, by)
    if is_host:
        _check_does_not_play(tournament, by)
    row = tournament.entrants.filter(ref=entrant).select_related("user__recipient").first()
    if row is None:
        raise NotFound(_("This person hasn't entered the tournament."))
    if row.status == Entrant.Status.REMOVED:
        return
    reason = checked_reason(reason)
    if not is_host:
        record_act(ModerationEntry.Action.TAKE_OUT, tournament, by, reason, now, row.user)
    put_out(row, Entrant.Status.REMOVED, now, reason)
    notify.removed(row, now)


@transaction.atomic
def end_round(*, tournament_id: int, by: User, number: int, now: datetime) -> None:
    """Ends a round before its time: tables that still play are left without a result. Harmless when repeated.

    Raises Conflict for a tournament that is over or has not started, and for a host who plays in it, Forbidden for who
    is not the host.
    """
    tournament = lock_alive(tournament_id)
    _check_host(tournament, by)
    _check_does_not_play(tournament, by)
    current = rounds.current(tournament)
    if current is None:
        raise Conflict(_("This tournament hasn't started yet."))
    if current.number == number:
        rounds.finish(current, now)


def why_barred(by: User, tournament: Tournament) -> str:
    """Why this moderator may not act on this tournament, or ""."""
    if tournament.is_played_by(by):
        return _("You've entered this tournament, so another moderator must do this.")
    return ""


def _check_host(tournament: Tournament, by: User) -> None:
    """Raises Forbidden for anybody but the host."""
    if tournament.host_id != by.pk:
        raise Forbidden(_("Only the host of a tournament can do that."))


tell_news_of(
    "tournament",
    NewsKind(
        find=lambda ref: Tournament.objects.filter(ref=ref).first(),
        title=lambda tournament: tournament.display_title,
        check=_check_host,
        is_over=lambda tournament: tournament.is_over,
        path="tournament_table__round__tournament",
    ),
)


def _check_does_not_play(tournament: Tournament, by: User) -> None:
    """Raises Conflict for a host who has entered, or whose bot has: he would change a result of his own."""
    if tournament.is_played_by(by):
        raise Conflict(_("You play in this tournament, so you can't do this as its host. A moderator can help."))


def _is_host(tournament: Tournament, by: User) -> bool:
    """Whether this is the host; a moderator is not. Raises Forbidden for others, Conflict for one who plays there."""
    if not (by.is_active and by.has_perm(staff.MODERATE_GAME)):
        _check_host(tournament, by)
    if tournament.host_id == by.pk:
        return True
    if barred := why_barred(by, tournament):
        raise Conflict(barred)
    return False


def checked_reason(text: str) -> str:
    reason = " ".join(text.split())
    if not reason:
        raise Illegal(_("Give a reason. The people affected will see it."), code="missing", field="reason")
    if len(reason) > LONGEST_REASON:
        raise Illegal(
            _("The reason is too long. The limit is %(count)s characters.") % {"count": LONGEST_REASON},
            code="too-long",
            field="reason",
        )
    return reason


def record_act(
    action: ModerationEntry.Action,
    tournament: Tournament,
    by: User,
    reason: str,
    now: datetime,
    user: User | None = None,
) -> ModerationEntry:
    about = f"{tournament.display_title}: {reason}"[:REASON_LENGTH]
    return audit.record_entry(action, by=by, reason=about, now=now, user=user)


# Reading: who has entered, who sits where and the places are public

ALIVE = (Tournament.Status.OPEN, Tournament.Status.RUNNING)
MOST_LISTED = 100


@dataclass(frozen=True)
class RankedEntrant:
    """One line of the standings.

    Arguments:
        place: None for who was removed.
        opponents: the mean points of the opponents.
        played: the number of tables, without rounds that he sat out.
    """

    entrant: Entrant
    place: int | None
    points: Fraction
    wins: int
    opponents: Fraction
    played: int

    @property
    def shown_points(self) -> float:
        """The points as pages and programs show them: in hundredths."""
        return round(float(self.points), 2)

    @property
    def shown_opponents(self) -> float:
        """The opponents' mean in the same way."""
        return round(float(self.opponents), 2)


@dataclass(frozen=True)
class ShownTable:
    """A table of a round, and who sits there: by place once it is over."""

    table: TournamentTable
    seats: list[TournamentSeat]


@dataclass(frozen=True)
class ShownRound:
    """A round with its tables; `byes` are those who sit out."""

    round: TournamentRound
    tables: list[ShownTable]
    byes: list[Entrant]


def find_tournament(ref: str) -> Tournament:
    """The tournament. Raises NotFound."""
    row = _counted().filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such tournament."))
    return row


def _counted() -> QuerySet[Tournament]:
    """Tournaments with `taken`, the number of those who are in."""
    facts = {"taken": Count("entrants", filter=Q(entrants__status=Entrant.Status.ENTERED))}
    return Tournament.objects.select_related("host__recipient").annotate(**facts)


def open_for_entries(viewer: User | None = None) -> list[Tournament]:
    """The tournaments that people can enter, in the order in which entries close; without those of hosts from whom a
    block keeps the viewer apart."""
    rows = _counted().filter(status=Tournament.Status.OPEN)
    if viewer is not None and (apart := apart_from(viewer)):
        rows = rows.exclude(host__in=apart)
    return list(rows.order_by("closes_at", "pk")[:MOST_LISTED])


def running() -> list[Tournament]:
    """The tournaments that are being played, the newest first."""
    return list(_counted().filter(status=Tournament.Status.RUNNING).order_by("-started_at", "-pk")[:MOST_LISTED])


def over(most: int = 20) -> list[Tournament]:
    """The last that were played to their end."""
    return list(_counted().filter(status=Tournament.Status.FINISHED).order_by("-finished_at", "-pk")[:most])


def of_person(user: User) -> list[Tournament]:
    """The tournaments that are not over, and that a person has entered or hosts."""
    entered = Entrant.objects.filter(user=user, status=Entrant.Status.ENTERED).values("tournament")
    rows = _counted().filter(Q(pk__in=entered) | Q(host=user), status__in=ALIVE)
    return list(rows.order_by("closes_at", "pk"))


def entry_of(tournament: Tournament, user: User | None) -> Entrant | None:
    """Returns a person's entry to a tournament, in or out; None if he never entered."""
    return None if user is None else tournament.entrants.filter(user=user).first()


def own_table(entrant: Entrant) -> TournamentTable | None:
    """The table at which somebody plays in the current round; None between rounds, and for who sits out."""
    rows = TournamentTable.objects.filter(seats__entrant=entrant, round__finished_at=None, game__isnull=False)
    return rows.select_related("round", "game").defer("game__state").first()


def entrants(tournament: Tournament) -> list[Entrant]:
    """Everybody who has entered and neither left nor was removed, in the order of entering."""
    rows = tournament.entrants.filter(status=Entrant.Status.ENTERED).select_related("user")
    return list(rows.order_by("entered_at", "pk"))


def standings(tournament: Tournament) -> list[RankedEntrant]:
    """The standings after the last round that is over; [] before. Who was removed comes last, without a place."""
    tables = rounds.places_of(tournament)
    people = {entrant.pk: entrant for entrant in tournament.entrants.select_related("user").order_by("pk")}
    seated = {key for places in tables for key in places}
    removed = {key for key in seated if people[key].status == Entrant.Status.REMOVED}
    ranked = pairing.standings(sorted(seated - removed), tables)
    last = pairing.standings(sorted(removed), tables)
    return [
        RankedEntrant(
            people[one.key],
            one.place if one.key in seated - removed else None,
            one.points,
            one.wins,
            one.opponents,
            one.played,
        )
        for one in [*ranked, *last]
    ]


def rounds_of(tournament: Tournament) -> list[ShownRound]:
    """The rounds so far, the newest first, with their tables."""
    rows = TournamentTable.objects.filter(round__tournament=tournament).select_related("game")
    seats: dict[int, list[TournamentSeat]] = {}
    for seat in TournamentSeat.objects.filter(table__in=rows).select_related("entrant__user").order_by("place", "pk"):
        seats.setdefault(seat.table_id, []).append(seat)
    tables: dict[int, list[TournamentTable]] = {}
    for table in rows.defer("game__state").order_by("number"):
        tables.setdefault(table.round_id, []).append(table)
    return [_shown(row, tables.get(row.pk, []), seats) for row in tournament.rounds.order_by("-number")]


def _shown(
    row: TournamentRound, tables: Iterable[TournamentTable], seats: dict[int, list[TournamentSeat]]
) -> ShownRound:
    found = [ShownTable(table, seats.get(table.pk, [])) for table in tables]
    byes = [seat.entrant for one in found if one.table.state == TournamentTable.State.BYE for seat in one.seats]
    return ShownRound(row, [one for one in found if one.table.state != TournamentTable.State.BYE], byes)


def table_of(game: Game) -> TournamentTable | None:
    """The table of a tournament at which this game is played, with its round and tournament; None for other games."""
    return next(iter(_tables_of(game.pk)), None)


@compiled("round", "round__tournament")
def _tables_of(game: int) -> QuerySet[TournamentTable]:
    return TournamentTable.objects.filter(game_id=game)


def tournament_url(tournament: Tournament) -> str:
    """The page of a tournament, for everybody."""
    return page_url("tournament", tournament.ref)
