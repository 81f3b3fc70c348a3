"""Hosting a table: handing the role over, changing the settings before the game, and saving them as presets.

Nobody becomes a host unasked, and until an offer is accepted the host stays what he is; a player may take the role of
a host who has vanished. Nobody is started under settings that he has not agreed to (`lifecycle.start`):
`Game.settings_version` counts the changes, and each seat knows the version that its player has agreed to."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from engine.registry import newest
from games.errors import Conflict, Illegal, LimitReached, NotFound, ServiceError, check_rate
from games.links import is_signed, page_url, sign
from games.lobby import lifecycle
from games.lobby.models import LONGEST_NAME, HostOffer, SettingsChange, TablePreset
from games.people import names
from games.people.models import User
from games.play import queries, stewards
from games.play.models import Look
from games.tables import audit, pace
from games.tables.audit import ModerationEntry, record_entry
from games.tables.models import Game
from games.tables.seats import Seat, check_owners, hide_names
from games.tables.settings import (
    AGREED,
    SETTINGS,
    TablePlan,
    TableSetting,
    agreed_of,
    agreed_values,
    known_options,
    rules_named,
)
from notifications.outbox import Notification, notify, notify_all

CORRECTED_WITHIN = timedelta(minutes=5)  # a change of a table that is followed by another is not told


def _notify_settings_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The host has changed the table's settings before its game: do you agree?

    It waits a little: who changes something often looks at it and changes it once more.
    """
    data: dict[str, object] = {"version": game.settings_version}
    _tell_players("settings_changed", game, seats, str(game.settings_version), data, now, now + CORRECTED_WITHIN)


def _notify_host_offered(offer: HostOffer, now: datetime) -> None:
    """The host asks you to take over his role; once a day at a table, however often he offers it."""
    notify(
        Notification(
            recipient=offer.user.recipient,
            kind="host_offered",
            subject=f"host_offer:{offer.ref}",
            dedupe_key=f"host_offered:{offer.game.ref}:{offer.user_id}:{now:%Y-%m-%d}",
            thread=offer.game.thread,
            folded_by="thread",
        ),
        now,
    )


def _notify_host_changed(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """The table has another host."""
    people = [seat for seat in seats if not seat.is_bot]
    _tell_players("host_changed", game, people, f"{game.host_id}:{now.isoformat()}", {"host": game.host_id}, now)


def _tell_players(
    kind: str,
    game: Game,
    seats: Iterable[Seat],
    occasion: str,
    data: dict[str, object],
    now: datetime,
    not_before: datetime | None = None,
) -> None:
    """Tells all who sit there, by person: before the game seats move up when somebody leaves."""
    notifications = [
        Notification(
            recipient=seat.user.recipient,
            kind=kind,
            subject=f"player:{game.ref}:{seat.user.ref}",
            dedupe_key=f"{kind}:{game.ref}:{occasion}:{seat.user_id}",
            thread=game.thread,
            data=data,
            not_before=not_before,
            folded_by="thread",
        )
        for seat in seats
        if seat.user is not None
    ]
    notify_all(notifications, now)


# A host who has vanished; another player may take the role.

VANISHED_AFTER = timedelta(days=7)  # since the host last did or looked at anything at the table


def has_vanished(game: Game, now: datetime) -> bool:
    """Whether the host of a running game plays no more (the seat is absent, resigned or somebody else's) and has done
    and looked at nothing there for a week.

    A tournament's tables are not meant: the service runs them, and their host need not play.
    """
    of_tournament = Game.objects.filter(pk=game.pk, tournament_table__isnull=False)
    if game.status != Game.Status.RUNNING or game.is_practice or of_tournament.exists():
        return False
    is_playing = game.seats.filter(user=game.host, status=Seat.Status.ACTIVE).exists()
    return not is_playing and last_seen(game) < now - VANISHED_AFTER


def last_seen(game: Game) -> datetime:
    """When the host last did or looked at something at the table; when the game has begun, for never."""
    assert game.started_at is not None
    times = (
        game.moves.filter(actor=game.host).order_by("-seq").values_list("received_at", flat=True)[:1],
        Look.objects.filter(game=game, user=game.host).values_list("looked_at", flat=True)[:1],
        game.moderation.filter(actor=game.host).order_by("-pk").values_list("created_at", flat=True)[:1],
        game.comments.filter(author=game.host).order_by("-pk").values_list("created_at", flat=True)[:1],
    )
    return max([game.started_at, *(at for rows in times for at in rows)])


# The host's role changes hands: it is offered to somebody at the table, who accepts or declines, or is taken.

HOST_CHANGES_A_DAY = 3  # of one table's host


@transaction.atomic
def offer_role(*, game_id: int, host: User, seat: int, now: datetime) -> HostOffer:
    """Offers the role to the player of a seat. Offering it to the same person again changes nothing.

    Raises NotFound for who is not the host, Conflict for a seat that cannot have it, for a second offer while one is
    open, and for a game that is over, TooMany once the host has changed three times in a day.
    """
    game = _lock_alive(game_id)
    if game.host_id != host.pk:
        raise NotFound(_("Only the host of a table can do that."))
    chair = game.seats.filter(number=seat).select_related("user__recipient").first()
    if chair is None or chair.hides_name or not may_host(chair):
        raise Conflict(_("This player can't be the host. Choose somebody who is playing and has an account."))
    assert chair.user is not None
    existing = HostOffer.objects.filter(game=game).first()
    if existing is not None and existing.user_id == chair.user_id:
        return existing
    if existing is not None:
        raise Conflict(_("You've already offered the host role to somebody. Withdraw that offer first."))
    _check_host_changes(game, now)
    offer = HostOffer.objects.create(game=game, user=chair.user, created_at=now)
    _notify_host_offered(offer, now)
    return offer


def _check_host_changes(game: Game, now: datetime) -> None:
    """Raises TooMany: each change is an email to everybody, and two could pass the role to and fro."""
    rows = game.moderation.filter(action=ModerationEntry.Action.HAND_OVER)
    message = _("This table's host has changed several times today. Please wait until tomorrow.")
    check_rate(rows, most=HOST_CHANGES_A_DAY, within=timedelta(days=1), now=now, message=message)


def may_host(seat: Seat) -> bool:
    """Whether the player of a seat could take the role: a person other than the host who plays here."""
    user = seat.user
    can = user is not None and seat.has_a_say and user.is_active and not user.is_guest
    return can and seat.user_id != seat.game.host_id


def host_candidates(game: Game) -> list[Seat]:
    """Returns the seats to whose players the role may be offered now."""
    if game.is_over or game.is_practice or game.is_imported or offer_of(game) is not None:
        return []
    return [seat for seat in game.seated() if may_host(seat) and not seat.hides_name]  # the new host has a name


def offer_of(game: Game) -> HostOffer | None:
    """Returns the open offer of a table, if there is one."""
    return HostOffer.objects.filter(game=game).select_related("user").first()


def offers_to(user: User) -> list[HostOffer]:
    """Returns the open offers to a person, newest first."""
    rows = HostOffer.objects.filter(user=user, game__status__in=(Game.Status.OPEN, Game.Status.RUNNING))
    return list(rows.select_related("game__host").defer("game__state").order_by("-pk"))


@transaction.atomic
def withdraw_offer(*, game_id: int, host: User) -> None:
    """The host takes his offer back. Raises NotFound if there is none, or he is not the host."""
    game = _lock_alive(game_id)
    if game.host_id != host.pk or not HostOffer.objects.filter(game=game).delete()[0]:
        raise NotFound(_("There's no such offer."))


@transaction.atomic
def decline_offer(*, offer: HostOffer) -> None:
    """Says no. Harmless when said twice."""
    HostOffer.objects.filter(pk=offer.pk).delete()


@transaction.atomic
def accept_offer(*, offer: HostOffer, now: datetime) -> Game:
    """Makes the person to whom the role was offered the host; all at the table are told.

    Raises Conflict if the offer is gone or its person no longer plays there, LimitReached past the number of open
    tables that one may host.
    """
    game = _lock_alive(offer.game_id)
    current_offer = HostOffer.objects.filter(pk=offer.pk).select_related("user__recipient").first()
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    seat = next(
        (candidate for candidate in seats if current_offer and candidate.user_id == current_offer.user_id), None
    )
    if current_offer is None or seat is None or not may_host(seat):
        raise Conflict(_("This offer is no longer open."))
    _check_open_tables(game, current_offer.user)
    _change_host(game, seat, seats, by=game.host, reason=audit.ACCEPTED, now=now)
    return game


@transaction.atomic
def take_role(*, game_id: int, user: User, now: datetime) -> Game:
    """Makes a player the host of a running game whose host has vanished; all at the table are told.

    Raises NotFound for who does not play there, Conflict if the host has not vanished, TooMany once the host has
    changed three times in a day.
    """
    game = _lock_alive(game_id)
    if game.host_id == user.pk:
        return game
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    seat = next((candidate for candidate in seats if candidate.user_id == user.pk and may_host(candidate)), None)
    if seat is None:
        raise NotFound(_("You're not at this table."))
    if not has_vanished(game, now):
        raise Conflict(_("The host is here, or was lately. Ask them to hand over the role."))
    _check_host_changes(game, now)
    _change_host(game, seat, seats, by=user, reason=audit.TAKEN, now=now)
    return game


def can_take_role(game: Game, seat: Seat | None, now: datetime) -> bool:
    """Whether the player of this seat could take the role now."""
    return seat is not None and may_host(seat) and has_vanished(game, now)


def _change_host(game: Game, seat: Seat, seats: list[Seat], *, by: User, reason: str, now: datetime) -> None:
    assert seat.user is not None
    game.host = seat.user
    game.save(update_fields=["host"])
    HostOffer.objects.filter(game=game).delete()
    number = None if seat.hides_name else seat.number
    record_entry(ModerationEntry.Action.HAND_OVER, by=by, game=game, seat=number, reason=reason, now=now)
    _notify_host_changed(game, [other for other in seats if other.pk != seat.pk], now)


def _check_open_tables(game: Game, user: User) -> None:
    user.one_at_a_time()
    hosted = user.hosted_games.filter(status=Game.Status.OPEN)
    if game.status == Game.Status.OPEN and hosted.count() >= settings.OPEN_TABLES_PER_HOST:
        raise LimitReached(_("You have too many tables waiting for players. Start or close one first."))


def _lock_alive(game_id: int) -> Game:
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.is_over or game.is_practice or game.is_imported:
        raise Conflict(_("This game is over.") if game.is_over else _("This table's host can't change."))
    return game


# The settings change before the game: everybody at the table agrees to them again, or leaves.

SETTINGS_CHANGES_A_DAY = 10  # of one table: each is an email to everybody there


@dataclass(frozen=True)
class Difference:
    """One setting, in words, as it was and as it is."""

    label: str
    before: str
    after: str


@transaction.atomic
def change_settings(*, game_id: int, host: User, plan: TablePlan, now: datetime) -> Game:
    """Changes an open table. Everybody else there is asked to agree again, if anything but the title differs.

    Arguments:
        plan: as for a new table; its game stays the same and its bots are not looked at.
    Raises NotFound for who is not the host, Conflict once it has begun or for fewer seats than are taken, SameOwner if
    bots sit there that it would allow no more, BotDeclines if one does not take such a game, ServiceError for a plan
    that cannot be, TooMany past the day's limit.
    """
    game = lifecycle.lock_open(game_id, host)
    before, after = agreed_of(game), agreed_values(plan, game.rules)
    game.title = names.clean_title(plan.title) or game.title
    if game.club_id is not None and after["is_listed"]:
        raise ServiceError(
            _("A club's table is for its members alone: it can't be public as well."),
            code="club-and-listed",
            field="is_listed",
        )
    if before != after:
        _change_agreed(game, before, after, now)
    game.save(update_fields=["title", "settings_version", *AGREED])
    return game


def _change_agreed(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], now: datetime) -> None:
    message = _("You've changed this table very often today. Please wait until tomorrow.")
    check_rate(
        game.settings_changes.all(),
        most=SETTINGS_CHANGES_A_DAY,
        within=timedelta(days=1),
        now=now,
        message=message,
        time="changed_at",
    )
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    if len(seats) > after["seat_count"]:
        raise Conflict(_("There are more people at the table than that. Remove somebody first."))
    SettingsChange.objects.create(game=game, version=game.settings_version, before=before, changed_at=now)
    game.settings_version += 1
    for name, value in after.items():
        setattr(game, name, value)
    hide_names(game, until_the_end=game.hides_names)
    for seat in seats:
        seat.game = game
        if seat.user is not None:
            check_owners(game, seat.user)
            if seat.user.is_bot:
                lifecycle.check_terms(seat.user, game.rules, game.pace, game.seat_count, is_new=False)
        _carry_over(seat)
    _notify_settings_changed(game, [seat for seat in seats if not seat.has_agreed], now)


def _carry_over(seat: Seat) -> None:
    """The host agrees to what he has chosen; a steward acts as is usual at the new pace, where it can at all."""
    if seat.user_id == seat.game.host_id:
        seat.agreed_version = seat.game.settings_version
    if not seat.is_bot:
        usual, most = pace.steward_hours(seat.game.pace), stewards.most_hours(seat.game)
        fits = seat.steward_hours is not None and seat.steward_hours <= most
        seat.steward_hours = seat.steward_hours if fits else usual
    seat.save(update_fields=["agreed_version", "steward_hours"])


@transaction.atomic
def agree_to_settings(*, game_id: int, user: User, seen: int) -> Seat:
    """A player agrees to the settings of an open table. Doing so twice is harmless.

    Arguments:
        seen: the version that he was shown.
    Raises NotFound for who does not sit there, Conflict once it has begun, and if they have changed since.
    """
    if not Seat.objects.filter(game=game_id, user=user).exists():
        raise NotFound(_("You're not at this table."))
    game = lifecycle.lock_open(game_id)
    seat = game.seats.filter(user=user).first()
    if seat is None:  # the host was faster
        raise NotFound(_("You're not at this table."))
    if seen != game.settings_version:
        raise Conflict(_("The host has changed the table's settings in the meantime. Please look at them again."))
    seat.agreed_version = seen
    seat.save(update_fields=["agreed_version"])
    return seat


def seats_undecided(game: Game) -> list[Seat]:
    """Returns the seats whose players have not agreed to the settings as they are."""
    return [seat for seat in game.seated() if not seat.has_agreed] if game.status == Game.Status.OPEN else []


def settings_agreed_by(seat: Seat) -> Mapping[str, Any] | None:
    """Returns the settings that the player of a seat has agreed to, if they have changed since."""
    change = None if seat.has_agreed else seat.game.settings_changes.filter(version=seat.agreed_version).first()
    return change.before if change is not None else None


def settings_differences(seat: Seat) -> list[Difference]:
    """Returns what has changed since the player of a seat agreed, in the active language."""
    before = settings_agreed_by(seat)
    if before is None:
        return []
    return [
        difference
        for difference in _compared(seat.game, before, agreed_of(seat.game))
        if difference.before != difference.after
    ]


def _compared(game: Game, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    yield Difference(_("Seats"), str(before["seat_count"]), str(after["seat_count"]))
    labels = {name: str(label) for name, label in pace.paces()}
    yield Difference(_("Pace"), *(labels.get(side["pace"], side["pace"]) for side in (before, after)))
    for option in game.rules.options:
        values = {value: queries.say(game, label) for value, label in option.values}
        chosen = [side["options"].get(option.name, option.default) for side in (before, after)]
        yield Difference(queries.say(game, option.label), *(values.get(value, value) for value in chosen))
    for setting in SETTINGS:
        was, now = before.get(setting.name, setting.default), after[setting.name]
        yield Difference(str(setting.about.label), _in_words(setting, was), _in_words(setting, now))


def _in_words(setting: TableSetting, value: Any) -> str:
    if setting.about.choices is not None:
        return str(dict(setting.about.choices.choices).get(value, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


# Presets hold the settings of a table under a name, from which a host opens the next one.

MOST_PRESETS = 20  # of one host


@transaction.atomic
def save_preset(*, owner: User, name: str, game: Game, now: datetime) -> TablePreset:
    """Saves the settings of a table; a preset that has this name already is replaced.

    Raises Illegal without a name, NotFound for a table that he does not host, LimitReached for one too many.
    """
    if game.host_id != owner.pk or game.is_practice or game.is_imported:
        raise NotFound(_("Only the host of a table can do that."))
    owner.one_at_a_time()
    name = _checked_preset_name(name)
    rows = TablePreset.objects.filter(owner=owner)
    if not rows.filter(name=name).exists() and rows.count() >= MOST_PRESETS:
        raise LimitReached(_("You already have %(most)s presets. Delete one first.") % {"most": MOST_PRESETS})
    values = {"rules_name": game.rules_name, "values": agreed_of(game), "created_at": now}
    return TablePreset.objects.update_or_create(owner=owner, name=name, defaults=values)[0]


@transaction.atomic
def rename_preset(*, owner: User, ref: str, name: str) -> TablePreset:
    """Gives a preset another name. Raises NotFound, Illegal without a name, Conflict if another one has it."""
    owner.one_at_a_time()
    preset, name = find_preset(owner, ref), _checked_preset_name(name)
    if TablePreset.objects.filter(owner=owner, name=name).exclude(pk=preset.pk).exists():
        raise Conflict(_("You already have a preset with this name."))
    preset.name = name
    preset.save(update_fields=["name"])
    return preset


def delete_preset(*, owner: User, ref: str) -> None:
    """Deletes a preset. Raises NotFound."""
    find_preset(owner, ref).delete()


def presets_of(owner: User) -> list[TablePreset]:
    """Returns a host's presets by name; those of a game that is not installed now are left out."""
    names = [rules.name for rules in newest()]
    return list(TablePreset.objects.filter(owner=owner, rules_name__in=names).order_by("name"))


def find_preset(owner: User, ref: str) -> TablePreset:
    """Returns a host's preset. Raises NotFound."""
    preset = TablePreset.objects.filter(owner=owner, ref=ref).first()
    if preset is None:
        raise NotFound(_("There's no such preset."))
    return preset


def preset_values(preset: TablePreset) -> Mapping[str, Any]:
    """Returns what a new table with this preset has, by column, as far as its rules and settings still know it."""
    rules, stored = rules_named(preset.rules_name), preset.values
    values = {setting.name: stored[setting.name] for setting in SETTINGS if setting.name in stored}
    options = known_options(rules, stored.get("options", {}))
    return {"seat_count": stored["seat_count"], "pace": stored["pace"], "options": options, **values}


def _checked_preset_name(name: str) -> str:
    cleaned = names.clean_title(name)
    if not cleaned:
        raise Illegal(_("Give the preset a name."), code="missing", field="name")
    return cleaned[:LONGEST_NAME]


def host_offer_url(offer: HostOffer) -> str:
    """The page where somebody accepts or declines the host's role, without signing in."""
    return page_url("host_offer", offer.ref, sign("host_offer", offer.ref))


def find_host_offer(ref: str, token: str) -> HostOffer | None:
    """Returns the offer of such a link; None if the link is invalid, or the offer answered or withdrawn."""
    if not is_signed(token, "host_offer", ref):
        return None
    return HostOffer.objects.filter(ref=ref).select_related("game__host", "user__recipient").first()
