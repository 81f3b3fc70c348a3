"""Formats times, paces and options for people, in the active language and time zone."""

import re
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.play import queries
from games.play.clocks import letters_of
from games.play.models import Decision
from games.tables import pace
from games.tables.models import Game

UNLINKED = str.maketrans({"/": "\u2044"})
INNER_AT = re.compile(r"(?<=\S)@")  # who is spoken to as "@Ben" is no address
INNER_DOT = re.compile(r"[.\u3002\uff0e\uff61](?=\w)")


def moment(at: datetime) -> str:
    """Formats a time in full, whenever it is read: "Saturday 21 November 2026, 18:30 CET (UTC+1)"."""
    local = timezone.localtime(at)
    # Translators: date and time of a deadline, in the letters of Django's date filter
    day_and_time = date_format(local, pgettext("date format", "l j F Y, H:i"))
    name, offset = letters_of(local.tzname() or ""), _offset(local.utcoffset() or timedelta(0))
    # Where a zone has no letters of its own its name is only the offset again.
    return f"{day_and_time} {offset}" if name in ("", "UTC") or name[0] in "+-" else f"{day_and_time} {name} ({offset})"


def short_moment(at: datetime) -> str:
    """An instant of the next days for a subject line: "Sat 18:30"."""
    # Translators: day of the week and time of a deadline, in the letters of Django's date filter
    return date_format(timezone.localtime(at), pgettext("short date format", "D H:i"))


def _offset(offset: timedelta) -> str:
    minutes = int(offset.total_seconds()) // 60
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '-'}{hours}" + (f":{rest:02}" if rest else "")


def pace_in_words(game: Game) -> str:
    """Describes how long everybody has for each decision."""
    return str(dict(pace.paces()).get(game.pace, game.pace))


def options_in_words(game: Game) -> list[str]:
    """Lists the options that the host has chosen, as "label: value"."""
    lines = []
    for option in game.rules.options:
        chosen = game.options.get(option.name, option.default)
        label = next((label for value, label in option.values if value == chosen), None)
        if label is not None:
            lines.append(f"{queries.say(game, option.label)}: {queries.say(game, label)}")
    return lines


def agreed_in_words(game: Game) -> list[str]:
    """Returns what holds at the table for whoever is helped or does not answer, as "label: value"."""
    return [
        f"{_('Proposals')}: {game.get_proposals_display()}",
        f"{_('When a deadline is missed')}: {game.get_missed_display()}",
    ]


def bank_in_words(decision: Decision) -> str:
    """Says from when on a decision uses the seat's time bank; "" if it has none."""
    if not decision.is_on_bank or not decision.seat.bank or decision.allowed_until is None:
        return ""
    return _("Your time bank runs from %(moment)s on.") % {"moment": moment(decision.allowed_until)}


def steward_in_words(decision: Decision) -> str:
    """Says when the player's steward acts; "" if it does not."""
    if decision.steward_at is None:
        return ""
    told = _("If you do nothing, what is proposed is played about %(moment)s, once nobody else is to be waited for.")
    return told % {"moment": short_moment(decision.steward_at)}


def unlinked(words: str) -> str:
    """Formats a name so that no mail program turns it into a link or an address."""
    return INNER_AT.sub("\uff20", INNER_DOT.sub("\u2024", words)).translate(UNLINKED)
