"""What the templates say in one way everywhere."""

import hashlib
import re
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext, pgettext

from games import rulebooks
from notifications.clock import present

register = template.Library()
# What is new each time a page is made, whatever it says.
FRESH = re.compile(r'<input type="hidden" name="(csrfmiddlewaretoken|key)"[^>]*>')


@register.simple_tag
def local_time(value: datetime | None, zone: str = "") -> str:
    """An instant in the reader's zone, which is always named: "Sat 21 Nov, 18:30 CET". "" for no instant.

    Arguments:
        zone: an IANA name; without it the zone that is active, which is the signed-in reader's own.
    """
    return "" if value is None else _element(value, time_in_words(value, zone))


@register.simple_tag
def rules_page(name: str) -> str:
    """Where the rules of a game can be read; "" for a game whose rules are not written yet."""
    return reverse("rules", args=[name]) if rulebooks.languages_of(name) else ""


@register.simple_tag
def mark_of(name: str) -> str:
    """The template of a game's mark, by the name of its rule set."""
    own = f"games/marks/{name}.svg"
    return own if own in _marks() else "games/marks/other.svg"


@cache
def _marks() -> frozenset[str]:
    folder = Path(__file__).resolve().parent.parent / "templates"
    return frozenset(str(path.relative_to(folder)) for path in folder.glob("games/marks/*.svg"))


@register.simple_tag
def duration(value: timedelta) -> str:
    """How long something lasts, to the minute, rounded down: "1 day, 3 hours", "25 minutes"."""
    minutes = max(0, int(value.total_seconds()) // 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        ngettext("%(days)d day", "%(days)d days", days) % {"days": days} if days else "",
        ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours} if hours else "",
        ngettext("%(minutes)d minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}
        if minutes or not (days or hours)
        else "",
    ]
    return ", ".join(part for part in parts if part)


@register.simple_block_tag(takes_context=True)
def live(context: Context, content: str, id: str, label: str = "", css: str = "") -> SafeString:
    """A part of a page that follows its game. It is exchanged alone, and only if what it says has changed.

    Arguments:
        label: its name for those who cannot see it.
    """
    said = " ".join(FRESH.sub("", content).split()).encode()
    digest = hashlib.blake2s(said, digest_size=6).hexdigest()
    form = '<section id="{}" class="{}" data-live="{}" tabindex="-1"{}{}>{}</section>'
    named = format_html(' aria-label="{}"', label) if label else ""
    swapped = mark_safe(' hx-swap-oob="true"') if context.get("is_live") else ""
    return format_html(form, id, css, digest, named, swapped, mark_safe(content))  # noqa: S308  # a template made it


def time_in_words(value: datetime, zone: str = "") -> str:
    """The same as plain text. The year is said where it is not the present one."""
    local = value.astimezone(ZoneInfo(zone) if zone else timezone.get_current_timezone())
    is_this_year = local.year == present.now().astimezone(local.tzinfo).year
    # Translators: date and time, short, in the letters of Django's date filter
    form = pgettext("date format", "D j M, H:i") if is_this_year else pgettext("date format", "D j M Y, H:i")
    return f"{date_format(local, form)} {zone_name(local)}"


def zone_name(local: datetime) -> str:
    """The zone's abbreviation; "UTC+3" where the zone has a number instead of a name."""
    name = local.tzname() or "UTC"
    if name[0] not in "+-":
        return name
    hours, minutes = name[:3], name[3:]
    return f"UTC{hours[0]}{hours[1:].lstrip('0') or '0'}{':' + minutes if minutes.strip('0') else ''}"


def _element(value: datetime, words: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), words)
