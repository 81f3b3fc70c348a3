"""Reports of players and appeals: filed, shown to those moderators who may settle them, settled with an answer; and
everything else that needs a moderator now, in the order in which it should be handled."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.archive.models import Import
from games.clubs.clubs import is_member
from games.clubs.models import Club
from games.errors import Conflict, Forbidden, Illegal, NotFound, check_rate
from games.links import is_signed, page_url, sign
from games.moderation.entries import (
    check_moderator,
    exclude_own_reports,
    may_moderate_club,
    may_moderate_tournament,
    nameless_games,
    why_barred,
)
from games.moderation.models import Report
from games.people.models import User
from games.people.staff import MODERATE_GAME, MODERATE_USER
from games.play.models import Decision
from games.tables.audit import ModerationEntry, notify_moderated, record_entry
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat
from games.tournaments import rounds, tournaments
from games.tournaments.models import (
    Tournament,
    TournamentTable,
)
from notifications import composers, preferences, privacy
from notifications.channels.base import CHANNELS
from notifications.channels.mail import suppressions
from notifications.database.compiled_query import compiled_exists
from notifications.delivery import health
from notifications.inbound import addresses
from notifications.models import (
    Attempt,
    AttemptOutcome,
    ChannelHealth,
    Delivery,
    DeliveryState,
    Notice,
    Suppression,
)
from notifications.outbox import Notification, notify, notify_all
from notifications.reasons import in_words

REPORTS_A_DAY = 5  # of one person
REPORTS_SHOWN = 50
MOST_DECISIONS = 9999  # of moderators about one person


APPEALABLE = frozenset(
    (
        ModerationEntry.Action.WARN,
        ModerationEntry.Action.MUTE,
        ModerationEntry.Action.SUSPEND,
        ModerationEntry.Action.HIDE_CLUB,
        ModerationEntry.Action.HIDE_CUP,
    )
)


def open_reports(by: User) -> list[Report]:
    """Returns the open reports, oldest first; those from a moderator's own tables and clubs are left to others."""
    rows = exclude_own_reports(Report.objects.filter(settled_at=None), by)
    rows = rows.select_related("game", "club", "tournament", "reporter", "against__user", "against__actor")
    return list(rows.prefetch_related("game__seats").order_by("pk")[:REPORTS_SHOWN])


@transaction.atomic
def file_report(*, game: Game, by: User, text: str, now: datetime, seat: int | None = None) -> Report:
    """Stores a player's report about his table, and notifies the moderators.

    Arguments:
        seat: about whom; None for nobody in particular.
    Raises NotFound for who does not sit there or for a seat that is not there, Illegal for no text or too much,
    TooMany for the sixth in a day.
    """
    if not game.seats.filter(user=by).exists():
        raise NotFound(_("You're not at this table."))
    if seat is not None and not game.seats.filter(number=seat).exclude(user=by).exists():
        raise NotFound(_("There's no other person in this seat."))
    text = checked_report(by, text, now)
    report = Report.objects.create(game=game, reporter=by, seat=seat, text=text, created_at=now)
    notify_reported(report, moderators_of(game), now)
    return report


def checked_report(by: User, text: str, now: datetime) -> str:
    """The words of a report. Raises Illegal for none or too many, TooMany for the sixth report in a day."""
    text = text.strip()
    if not text:
        raise Illegal(_("Please describe what happened."), code="missing", field="text")
    if len(text) > Report.TEXT_LENGTH:
        raise Illegal(
            _("Please use at most %(count)s characters.") % {"count": Report.TEXT_LENGTH}, code="too-long", field="text"
        )
    by.one_at_a_time()
    message = _("You've reached today's limit of reports. We're looking at what you've already sent.")
    check_rate(by.reports.all(), most=REPORTS_A_DAY, within=timedelta(days=1), now=now, message=message)
    return text


def notify_reported(report: Report, moderators: Iterable[User], now: datetime) -> None:
    """Notifies the moderators of a report."""
    notifications = [
        Notification(
            recipient=moderator.recipient,
            kind="reported",
            subject=f"report:{report.ref}",
            dedupe_key=f"reported:{report.ref}:{moderator.pk}",
        )
        for moderator in moderators
    ]
    notify_all(notifications, now)


@transaction.atomic
def settle_report(*, report: Report, by: User, outcome: str, reason: str, now: datetime) -> None:
    """Closes a report or an appeal; its writer is told the outcome and the moderator's answer.

    Arguments:
        outcome: one of `Report.outcomes`.
        reason: the answer.
    Raises Conflict if it is closed already, Forbidden for a moderator whom it concerns, Illegal for another outcome.
    """
    check_may_settle(by, report)
    if outcome not in dict(report.outcomes):
        raise Illegal(_("Choose an outcome."), code="missing", field="outcome")
    report = Report.objects.select_for_update().get(pk=report.pk)
    if report.settled_at:
        raise Conflict(_("This report is already resolved."))
    entry = record_entry(
        ModerationEntry.Action.SETTLE, by=by, game=report.game, user=report.reporter, reason=reason, now=now
    )
    report.settled_at, report.outcome, report.answer = now, outcome, entry.reason
    report.save(update_fields=["settled_at", "outcome", "answer"])
    notify_all([_to_writer(report, "report_settled")], now)


def check_may_settle(by: User, report: Report) -> None:
    """Raises Forbidden or Conflict for a moderator who may not close a report: another one must.

    An appeal is for somebody other than who has decided, as long as there is somebody.
    """
    if not (by.is_active and by.has_perm(MODERATE_GAME)):
        raise Forbidden(_("Only a moderator can do that."))
    if report.game is not None:
        check_moderator(by, report.game)
    elif report.club is not None and not may_moderate_club(by, report.club):
        raise Forbidden(_("You're a member of this club, so another moderator must do this."))
    elif report.tournament is not None and not may_moderate_tournament(by, report.tournament):
        raise Forbidden(_("You've entered this tournament, so another moderator must do this."))
    if why := _why_anothers(by, report):
        raise Conflict(why)


def _why_anothers(by: User, report: Report) -> str:
    if report.reporter_id == by.pk:
        return _("This is your own report, so another moderator must do this.")
    if report.against is not None and report.against.actor_id == by.pk and other_moderators(by):
        return _("You made this decision, so another moderator must look at the appeal.")
    return ""


def open_reports_with_bar(by: User) -> list[tuple[Report, str]]:
    """Returns the open reports, oldest first, each with why another moderator must close it, or ""."""
    return [(report, _why_anothers(by, report)) for report in open_reports(by)]


def other_moderators(user: User) -> list[User]:
    """Returns the moderators beside one."""
    staff = User.objects.filter(is_staff=True, is_active=True).exclude(pk=user.pk).select_related("recipient")
    return [moderator for moderator in staff if moderator.has_perm(MODERATE_GAME)]


@transaction.atomic
def appeal(*, entry: ModerationEntry, text: str, now: datetime) -> Report:
    """Stores the appeal of whom a decision is about; the other moderators are notified, and the writer that we have it.

    Raises Conflict for a decision that cannot be appealed, or was before; Illegal for no text or too much, TooMany for
    the sixth report in a day.
    """
    writer = _concerned(entry)
    if writer is None or entry.action not in APPEALABLE:
        raise Conflict(_("You can't appeal against this."))
    writer.one_at_a_time()  # who presses the button twice has appealed once
    if Report.objects.filter(against=entry).exists():
        raise Conflict(_("You've already appealed against this. Each decision is looked at again once."))
    text = checked_report(writer, text, now)
    report = Report.objects.create(against=entry, reporter=writer, text=text, created_at=now)
    notify_reported(report, other_moderators(entry.actor) or [entry.actor], now)
    notify_all([_to_writer(report, "appeal_received")], now)
    return report


MODERATED = "moderated"  # the kind of notices against which one may appeal


def appeal_url(notice: Notice) -> str:
    """The page where the reader of a moderator's decision appeals, without signing in."""
    return page_url("appeal", notice.ref, _appeal_token(notice))


def appeal_address(entry: ModerationEntry) -> str:
    """The reply address of an email about a moderator's decision; "" where replies are not received.

    The decision is named by its place among those about its reader, for mail servers fold letters.
    """
    reader = entry.user.owner or entry.user if entry.user else None
    if reader is None:
        return ""
    number = _decisions_about(reader).filter(pk__lte=entry.pk).count()
    return addresses.address_of(f"{reader.ref}-{number}-{sign('appeal', reader.ref, entry.pk)}")


def find_appealed(token: str) -> tuple[ModerationEntry, User] | None:
    """Returns the decision of such an address and its reader, or None."""
    ref, _dash, rest = token.partition("-")
    number, _dash, signed = rest.partition("-")
    reader = User.objects.filter(ref=ref).select_related("recipient").first() if number.isdecimal() else None
    if reader is None or not 1 <= int(number) <= MOST_DECISIONS:
        return None
    entry = next(iter(_decisions_about(reader).order_by("pk")[int(number) - 1 : int(number)]), None)
    return (entry, reader) if entry and is_signed(signed, "appeal", ref, entry.pk) else None


def _decisions_about(reader: User) -> QuerySet[ModerationEntry]:
    return ModerationEntry.objects.filter(Q(user=reader) | Q(user__owner=reader))


def _appeal_token(notice: Notice) -> str:
    return sign("appeal", notice.ref, notice.recipient.address)


def find_appealable(ref: str, token: str) -> Notice | None:
    """Returns the notice of such a link or address, or None."""
    notice = Notice.objects.filter(ref=ref, kind=MODERATED).select_related("recipient").first()
    facts = (ref, notice.recipient.address) if notice else (ref, "")
    return notice if is_signed(token, "appeal", *facts) and notice else None


def may_appeal(entry: ModerationEntry) -> bool:
    """Whether the decision can be appealed now."""
    is_new = entry.action in APPEALABLE and _concerned(entry) is not None
    return is_new and not Report.objects.filter(against=entry).exists()


def _concerned(entry: ModerationEntry) -> User | None:
    """Returns the person who was told of a decision: the owner, if it is about a bot."""
    return (entry.user.owner or entry.user) if entry.user is not None else None


def _to_writer(report: Report, kind: str) -> Notification:
    return Notification(
        recipient=report.reporter.recipient,
        kind=kind,
        subject=f"report:{report.ref}",
        dedupe_key=f"{kind}:{report.ref}",
    )


def moderators_of(game: Game) -> Iterable[User]:
    """Returns the moderators who may act on a report from this table."""
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("recipient")
    return [user for user in staff if not why_barred(user, game)]


# Clubs

Action = ModerationEntry.Action


@transaction.atomic
def report_club(*, club: Club, by: User, text: str, now: datetime) -> Report:
    """Stores a member's report about a club, and notifies the moderators.

    Raises NotFound for who is no member, Illegal for no text or too much, TooMany for the sixth report in a day.
    """
    if not is_member(club.pk, by):
        raise NotFound(_("There's no such club, or you're not a member."))
    report = Report.objects.create(club=club, reporter=by, text=checked_report(by, text, now), created_at=now)
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("recipient")
    notify_reported(report, [moderator for moderator in staff if may_moderate_club(moderator, club)], now)
    return report


@transaction.atomic
def hide_club(*, club: Club, by: User, reason: str, now: datetime) -> None:
    """Hides name and description from everybody. The owner is told why. Raises Forbidden, Illegal, Conflict."""
    _set_club_hidden(club, by, reason, now, at=now)


@transaction.atomic
def show_club(*, club: Club, by: User, reason: str, now: datetime) -> None:
    """Shows both again; the owner is told. Raises as `hide`."""
    _set_club_hidden(club, by, reason, now, at=None)


def _set_club_hidden(club: Club, by: User, reason: str, now: datetime, at: datetime | None) -> None:
    if not may_moderate_club(by, club):
        raise Forbidden(_("Only a moderator can do that."))
    club = Club.objects.select_for_update().select_related("owner__recipient").get(pk=club.pk)
    if (club.hidden_at is not None) == (at is not None):
        raise Conflict(_("That has been done already."))
    club.hidden_at = at
    club.save(update_fields=["hidden_at"])
    action = Action.HIDE_CLUB if at else Action.SHOW_CLUB
    reason = f"{club.name}: {reason.strip()}" if reason.strip() else ""
    entry = record_entry(action, by=by, user=club.owner, reason=reason, now=now)
    notify_moderated(entry, now)


# Tournaments


@transaction.atomic
def report_tournament(*, tournament: Tournament, by: User, text: str, now: datetime) -> Report:
    """Stores a report about a tournament, and notifies the moderators. Anybody with an account sees one and may.

    Raises Forbidden for bots and guests, Conflict for its host, Illegal for no text or too much, TooMany for the sixth
    report in a day.
    """
    if by.is_bot or by.is_guest:
        raise Forbidden(_("Only people with an account can report something."))
    if tournament.host_id == by.pk:
        raise Conflict(_("This is your own tournament."))
    report = Report.objects.create(
        tournament=tournament, reporter=by, text=checked_report(by, text, now), created_at=now
    )
    staff = User.objects.filter(is_staff=True, is_active=True).select_related("recipient")
    able = [moderator for moderator in staff if may_moderate_tournament(moderator, tournament)]
    notify_reported(report, able, now)
    return report


@transaction.atomic
def set_tournament_hidden(*, tournament_id: int, by: User, reason: str, now: datetime, is_hidden: bool) -> None:
    """Hides title and description of a tournament, and the title at its tables, or shows them again.

    The host is told why. Raises Forbidden for who is no moderator, and for one who has entered it, Conflict for its
    host and where it is so already, Illegal without a reason.
    """
    tournament = Tournament.objects.select_for_update().select_related("host__recipient").get(pk=tournament_id)
    if tournament.host_id == by.pk:
        raise Conflict(_("This is your own tournament."))
    if not may_moderate_tournament(by, tournament):
        raise Forbidden(tournaments.why_barred(by, tournament) or _("Only a moderator can do that."))
    if (tournament.hidden_at is not None) == is_hidden:
        raise Conflict(_("That has been done already."))
    tournament.hidden_at = now if is_hidden else None
    tournament.save(update_fields=["hidden_at"])
    for table in TournamentTable.objects.filter(round__tournament=tournament, game__isnull=False):
        Game.objects.filter(tournament_table=table).update(title=rounds.title_of(tournament, table))
    action = Action.HIDE_CUP if is_hidden else Action.SHOW_CUP
    reason = tournaments.checked_reason(reason)
    notify_moderated(tournaments.record_act(action, tournament, by, reason, now, tournament.host), now)


# The queue

LATE = timedelta(minutes=5)  # nobody is later than that while the workers are well
ROWS_SHOWN = 50  # of a kind
SEATS_LOOKED_AT = 20_000  # the newest: more than a club has in a year
REFUSALS_SHOWN = timedelta(days=3)


def quarantined_games() -> list[Game]:
    """Returns the games on which the rules failed."""
    return list(_running().filter(quarantined_at__isnull=False).order_by("quarantined_at")[:ROWS_SHOWN])


def overdue_games(now: datetime) -> Sequence[Game]:
    """Returns the games that workers should have advanced by now, each with `late_since`."""
    since, games = now - LATE, _running().filter(quarantined_at=None)
    late = Decision.objects.filter(status=Decision.Status.OPEN, is_automatic=False, due_at__lt=since)
    oldest = late.filter(game=OuterRef("pk")).order_by("due_at").values("due_at")[:1]
    games = games.annotate(late_since=Coalesce(Subquery(oldest), F("advance_at")))
    ways = (games.filter(pk__in=late.values("game")), games.filter(advance_at__lt=since))  # each by an index of its own
    by_key = {game.pk: game for way in ways for game in way.order_by("pk")[:ROWS_SHOWN]}
    return [by_key[key] for key in sorted(by_key)][:ROWS_SHOWN]


def abandoned_games() -> list[Game]:
    """Returns the running games all of whose people are absent or have left, each with `waits_since`."""
    absent = Seat.objects.filter(status=Seat.Status.ABSENT).values("game")  # by an index: few are
    present_people = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, bot="", status=Seat.Status.ACTIVE)
    games = _running().filter(Exists(present_people), pk__in=absent).values("pk")
    rows = _running().exclude(PRACTICE).filter(pk__in=absent, quarantined_at=None, paused_at=None)
    asked = Decision.objects.filter(game=OuterRef("pk"), status=Decision.Status.OPEN).order_by("opened_at")
    rows = rows.exclude(pk__in=games).annotate(waits_since=Subquery(asked.values("opened_at")[:1]))
    return list(rows.order_by("pk")[:ROWS_SHOWN])


def refused_imports(now: datetime) -> list[Import]:
    """Returns the records of games that could not be imported in the last days."""
    rows = Import.objects.filter(state=Import.State.REFUSED, settled_at__gt=now - REFUSALS_SHOWN)
    return list(rows.select_related("user").defer("data").order_by("settled_at")[:ROWS_SHOWN])


def unreachable_seats(by: User) -> list[tuple[Seat, datetime]]:
    """Returns the seats of active players whose address is suppressed, each with the time since then; none where the
    names are hidden from this moderator."""
    hashes = dict(Suppression.objects.exclude(reason=suppressions.ASKED).values_list("address_hash", "created_at"))
    if not hashes:
        return []
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, status=Seat.Status.ACTIVE, user__isnull=False)
    emails = set(seats.order_by("-pk").values_list("user__email", flat=True)[:SEATS_LOOKED_AT])
    closed = {email: hashed for email in emails if (hashed := suppressions.hash_address(email)) in hashes}
    rows = seats.filter(user__email__in=closed).exclude(game__in=nameless_games(by).values("pk"))
    rows = rows.select_related("user", "game").order_by("pk")[:ROWS_SHOWN]
    return [(seat, max(seat.joined_at, hashes[closed[seat.user.email]])) for seat in rows if seat.user]


@dataclass(frozen=True)
class Resting:
    """A channel that rests after failures, and the reason of the last one (a msgid)."""

    channel: ChannelHealth
    reason: str


def resting_channels() -> list[Resting]:
    """Returns the channels that rest after failures: nothing is sent there."""
    return [Resting(channel, _last_fault(channel.channel)) for channel in health.failing_channels()]


def _last_fault(channel: str) -> str:
    tries = Attempt.objects.filter(delivery__channel=channel, outcome=AttemptOutcome.RETRY).order_by("-pk")
    return tries.values_list("detail", flat=True).first() or ""


def deliveries_given_up(by: User | None) -> list[Delivery]:
    """Returns the quarantined deliveries, newest first, without those about sealed questions and others of which this
    moderator may not know."""
    rows = Delivery.objects.filter(state=DeliveryState.QUARANTINED).select_related("notice__recipient").order_by("-pk")
    return list(privacy.without(rows, by, "notice__")[:ROWS_SHOWN])


def _running() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING).select_related("host").defer("state", "server_seed")


# The desk: everything above, in one list for one moderator


@dataclass(frozen=True)
class Need:
    """Something that needs a moderator.

    Arguments:
        kind: names its sort, for styles and tests.
        label: the same for people.
        why: one line on it.
        href: the page where it is dealt with; "" where nothing is to be opened.
        since: since when it waits, where that is known.
        act: the words of the button that most likely ends it; "" for none.
        delivery: a message that was given up, which is tried again from the desk.
        more: further pages, each with its name.
    """

    kind: str
    label: str
    title: str
    why: str
    since: datetime | None
    href: str = ""
    act: str = ""
    delivery: Delivery | None = None
    more: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """Tells it from all others, for as long as it waits."""
        return f"{self.kind}:{self.delivery.name if self.delivery else self.href or self.title}"


def needs(by: User, now: datetime) -> list[Need]:
    """Returns what needs this moderator, oldest first; at most fifty of each kind."""
    entries = [
        *_reports(by),
        *_games(now),
        *_channels(),
        *_players(by),
        *_messages(by),
        *_imports(now),
    ]
    return sorted(entries, key=lambda need: need.since.timestamp() if need.since else 0)


def page_of(row: Model, act: str = "") -> str:
    """Returns the page on which moderators act on a row, with the form of an act unfolded."""
    if isinstance(row, Club):
        return reverse("club", args=[row.ref])
    page = reverse(f"admin:games_{type(row).__name__.lower()}_moderate", args=[row.pk])
    return f"{page}?act={act}#{act}" if act else page


def _reports(by: User) -> Iterator[Need]:
    for report, bar in open_reports_with_bar(by):
        is_appeal = report.against is not None
        yield Need(
            "appeal" if is_appeal else "report",
            _("Appeal") if is_appeal else _("Report"),
            report.subject_in_words,
            bar or report.text,
            report.created_at,
            page_of(report),
            "" if bar else _("Resolve"),
        )


def _games(now: datetime) -> Iterator[Need]:
    for game in quarantined_games():
        why = _("The rules failed on it. Once they're repaired, release it.")
        since = game.quarantined_at or game.created_at
        yield Need(
            "quarantined", _("Game in quarantine"), game.title, why, since, page_of(game, "release"), _("Release")
        )
    for game in overdue_games(now):
        why = _("It should have gone on by itself. Is a worker running? Everything overdue is done as soon as one is.")
        late_since: datetime | None = getattr(game, "late_since", None)
        yield Need("stuck", _("Stuck game"), game.title, why, late_since, page_of(game), _("Look"))
    for game in abandoned_games():
        why, act = _("All its players are absent: nobody can finish it."), _("End without a result")
        waits_since: datetime | None = getattr(game, "waits_since", None)
        yield Need("abandoned", _("Nobody is left"), game.title, why, waits_since, page_of(game, "cancel"), act)


def _channels() -> Iterator[Need]:
    for row in resting_channels():
        failures = row.channel.failures
        why = ngettext("%(n)d failure in a row", "%(n)d failures in a row", failures) % {"n": failures}
        reason = f"{in_words(row.reason)}. " if row.reason else ""
        why = f"{reason}{why}. " + _("Waiting messages are kept and go out once the cause is fixed.")
        yield Need("channel", _("Blocked channel"), channel_in_words(row.channel.channel), why, None)


def channel_in_words(name: str) -> str:
    return capfirst(str(CHANNELS[name].label))


def _players(by: User) -> Iterator[Need]:
    for seat, since in unreachable_seats(by):
        assert seat.user is not None
        is_host = seat.game.host_id == seat.user_id
        why = _("hosts %(table)s") if is_host else _("plays at %(table)s")
        yield Need(
            "unreachable",
            _("We can't email the host") if is_host else _("We can't email a player"),
            seat.user.name,
            why % {"table": seat.game.spoken_title},
            since,
            page_of(seat.user) if by.has_perm(MODERATE_USER) else page_of(seat.game),
            _("Look"),
            more=((page_of(seat.game), seat.game.title),),
        )


def _messages(by: User) -> Iterator[Need]:
    for row in deliveries_given_up(by):
        title = f"{channel_in_words(row.channel)}, {composers.name_of(row.notice.kind)}"
        why = f"{row.notice.recipient}: {in_words(row.reason)}"
        yield Need("given-up", _("Message given up"), title, why, row.notice.created_at, delivery=row)


def _imports(now: datetime) -> Iterator[Need]:
    for row in refused_imports(now):
        why, since = row.refusal_in_words, row.settled_at or row.created_at
        yield Need("import", _("Import refused"), row.user.name, why, since, page_of(row.user), _("Look"))


# Who is told of what waits too long

DESK = composers.declare_topic(
    composers.Topic("desk", gettext_lazy("What waits on the desk"), is_alone=True, is_by_thread=False, is_listed=False)
)
DESK_HOURS = (1, 4, 12, 24, 72)
LOOK_EVERY = timedelta(minutes=10)


@transaction.atomic
def choose_desk_hours(*, user: User, hours: int | None, now: datetime) -> None:
    """Stores after how many hours a moderator is told of what still waits on the desk; None for never.

    Raises Forbidden for who is no moderator of games, Illegal for another number of hours.
    """
    if not user.has_perm(MODERATE_GAME):
        raise Forbidden(_("Only a moderator can do that."))
    if hours is not None and hours not in DESK_HOURS:
        raise Illegal(_("Choose after how many hours."), code="missing", field="hours")
    user.desk_after, user.desk_look_at = hours, now if hours is not None else None
    if hours is None:
        user.desk_seen = None
    user.save(update_fields=["desk_after", "desk_look_at", "desk_seen"])
    if hours is not None:
        preferences.unmute(user.recipient, [DESK.name])


def tell_one(now: datetime) -> bool:
    """Looks at the desk for one moderator and tells him of what waits longer than he chose, of each thing once.

    Returns whether there was one for whom to look.
    """
    if not _is_any_to_look(now):
        return False
    with transaction.atomic():
        user = _to_look(now).select_for_update(skip_locked=True).first()
        if user is None:
            return False
        user.desk_look_at = now + LOOK_EVERY
        late = [need.key for need in _note_seen(user, now)]
        if late:
            notify(
                Notification(
                    recipient=user.recipient,
                    kind="desk_waits",
                    subject=f"user:{user.ref}",
                    dedupe_key=f"desk_waits:{user.ref}:{now.isoformat()}",
                    data={"keys": late},
                ),
                now,
            )
        user.save(update_fields=["desk_look_at", "desk_seen"])
    return True


def _to_look(now: datetime) -> QuerySet[User]:
    return User.objects.filter(desk_look_at__lte=now).order_by("desk_look_at")


_is_any_to_look = compiled_exists(_to_look)


def _note_seen(user: User, now: datetime) -> list[Need]:
    """Notes on the account what waits; returns what has just waited too long, which counts as told from now on."""
    waiting = needs(user, now) if user.is_active and user.has_perm(MODERATE_GAME) else []
    before: dict[str, str] = user.desk_seen or {}
    since = {need.key: before.get(need.key, now.isoformat()) for need in waiting}
    longest = timedelta(hours=user.desk_after or 0)
    late = [
        need
        for need in waiting
        if (at := since[need.key]) and (need.since or datetime.fromisoformat(at)) <= now - longest
    ]
    user.desk_seen = since | dict.fromkeys((need.key for need in late), "")
    return late


def still_waiting(user: User, keys: Iterable[str], now: datetime) -> list[Need]:
    """Returns those of the things that still need this moderator, oldest first."""
    if not (user.is_active and user.has_perm(MODERATE_GAME)):
        return []
    wanted = set(keys)
    return [need for need in needs(user, now) if need.key in wanted]
