"""A table's settings change before its game: everybody at the table agrees to them again, or leaves.

Nobody is started under settings that he has not agreed to (`lifecycle.start`). `Game.settings_version` counts the
changes, and each seat knows the version that its player has agreed to.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import Conflict, NotFound, ServiceError, check_rate
from games.lobby import lifecycle, notices
from games.lobby.models import SettingsChange
from games.people.models import User
from games.play import queries, stewards
from games.tables import own_bots, pace, plans
from games.tables.models import Game
from games.tables.plans import TablePlan
from games.tables.seats import Seat
from games.tables.settings import SETTINGS, TableSetting

CHANGES_A_DAY = 10  # of one table: each is an email to everybody there


@dataclass(frozen=True)
class Difference:
    """One setting, in words, as it was and as it is."""

    label: str
    before: str
    after: str


@transaction.atomic
def change(*, game_id: int, host: User, plan: TablePlan, now: datetime) -> Game:
    """Changes an open table. Everybody else there is asked to agree again, if anything but the title differs.

    Arguments:
        plan: as for a new table; its game stays the same and its bots are not looked at.
    Raises NotFound for who is not the host, Conflict once it has begun or for fewer seats than are taken, SameOwner if
    bots sit there that it would allow no more, ServiceError for a plan that cannot be, TooMany past the day's limit.
    """
    game = lifecycle.lock_open(game_id, host)
    before, after = plans.agreed_of(game), plans.agreed_values(plan, game.rules)
    game.title = plans.clean_title(plan.title) or game.title
    if game.club_id is not None and after["is_listed"]:
        raise ServiceError(_("A club's table is for its members alone: it can't be public as well."))
    if before != after:
        _change_agreed(game, before, after, now)
    game.save(update_fields=["title", "settings_version", *plans.AGREED])
    return game


def _change_agreed(game: Game, before: Mapping[str, Any], after: Mapping[str, Any], now: datetime) -> None:
    message = _("You've changed this table very often today. Please wait until tomorrow.")
    check_rate(
        game.settings_changes.all(),
        most=CHANGES_A_DAY,
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
    for seat in seats:
        seat.game = game
        if seat.user is not None:
            own_bots.check(game, seat.user)
        _carry_over(seat)
    notices.settings_changed(game, [seat for seat in seats if not seat.has_agreed], now)


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
def agree(*, game_id: int, user: User, seen: int) -> Seat:
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


def undecided(game: Game) -> list[Seat]:
    """Returns the seats whose players have not agreed to the settings as they are."""
    return [seat for seat in game.seated() if not seat.has_agreed] if game.status == Game.Status.OPEN else []


def agreed_by(seat: Seat) -> Mapping[str, Any] | None:
    """Returns the settings that the player of a seat has agreed to, if they have changed since."""
    change = None if seat.has_agreed else seat.game.settings_changes.filter(version=seat.agreed_version).first()
    return change.before if change is not None else None


def differences(seat: Seat) -> list[Difference]:
    """Returns what has changed since the player of a seat agreed, in the active language."""
    before = agreed_by(seat)
    if before is None:
        return []
    return [one for one in _compared(seat.game, before, plans.agreed_of(seat.game)) if one.before != one.after]


def _compared(game: Game, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    yield Difference(_("Seats"), str(before["seat_count"]), str(after["seat_count"]))
    labels = {name: str(label) for name, label in pace.paces()}
    yield Difference(_("Pace"), *(labels.get(one["pace"], one["pace"]) for one in (before, after)))
    for option in game.rules.options:
        values = {value: queries.say(game, label) for value, label in option.values}
        chosen = [one["options"].get(option.name, option.default) for one in (before, after)]
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
