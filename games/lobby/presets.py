"""Presets: the settings of a table under a name, from which a host opens the next one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine.registry import newest
from games.errors import Conflict, Illegal, LimitReached, NotFound
from games.lobby.models import LONGEST_NAME, TablePreset
from games.people.models import User
from games.tables import plans
from games.tables.models import Game
from games.tables.settings import SETTINGS

MOST = 20  # of one host


@transaction.atomic
def save(*, owner: User, name: str, game: Game, now: datetime) -> TablePreset:
    """Saves the settings of a table; a preset that has this name already is replaced.

    Raises Illegal without a name, NotFound for a table that he does not host, LimitReached for one too many.
    """
    if game.host_id != owner.pk or game.is_practice or game.is_imported:
        raise NotFound(_("Only the host of a table can do that."))
    owner.one_at_a_time()
    name = _checked(name)
    rows = TablePreset.objects.filter(owner=owner)
    if not rows.filter(name=name).exists() and rows.count() >= MOST:
        raise LimitReached(_("You already have %(most)s presets. Delete one first.") % {"most": MOST})
    values = {"rules_name": game.rules_name, "values": plans.agreed_of(game), "created_at": now}
    return TablePreset.objects.update_or_create(owner=owner, name=name, defaults=values)[0]


@transaction.atomic
def rename(*, owner: User, ref: str, name: str) -> TablePreset:
    """Gives a preset another name. Raises NotFound, Illegal without a name, Conflict if another one has it."""
    owner.one_at_a_time()
    preset, name = find(owner, ref), _checked(name)
    if TablePreset.objects.filter(owner=owner, name=name).exclude(pk=preset.pk).exists():
        raise Conflict(_("You already have a preset with this name."))
    preset.name = name
    preset.save(update_fields=["name"])
    return preset


def delete(*, owner: User, ref: str) -> None:
    """Deletes a preset. Raises NotFound."""
    find(owner, ref).delete()


def presets_of(owner: User) -> list[TablePreset]:
    """Returns a host's presets by name; those of a game that is not installed now are left out."""
    known = [rules.name for rules in newest()]
    return list(TablePreset.objects.filter(owner=owner, rules_name__in=known).order_by("name"))


def find(owner: User, ref: str) -> TablePreset:
    """Returns a host's preset. Raises NotFound."""
    preset = TablePreset.objects.filter(owner=owner, ref=ref).first()
    if preset is None:
        raise NotFound(_("There's no such preset."))
    return preset


def values_of(preset: TablePreset) -> Mapping[str, Any]:
    """Returns what a new table with this preset has, by column, as far as its rules and settings still know it."""
    rules, stored = plans.rules_named(preset.rules_name), preset.values
    known = {setting.name: stored[setting.name] for setting in SETTINGS if setting.name in stored}
    options = plans.known_options(rules, stored.get("options", {}))
    return {"seat_count": stored["seat_count"], "pace": stored["pace"], "options": options, **known}


def _checked(name: str) -> str:
    cleaned = plans.clean_title(name)
    if not cleaned:
        raise Illegal(_("Give the preset a name."))
    return cleaned[:LONGEST_NAME]
