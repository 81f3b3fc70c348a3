"""Functions for templates of both kinds: times, how long something lasts, parts that follow their game.

Django's templates have them as tags (`games.templatetags.games_tags`), Jinja's as functions (`games.web.jinja`).
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from html import escape
from zoneinfo import ZoneInfo

from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext, pgettext

from games.people.letters import zone_letters
from games.play.history import LogLine
from games.tables import rulebooks
from games.web.answers.row_items import BlankItem
from notifications.clock import present

# Drawings: each sheet of games/static/games/art/ holds pieces as symbols (`<use href="SHEET.svg#NAME">`) and as views
# of the same names and "-view" (for `<img>` and CSS), by the names of the rules: stones (ruby, ruby-back, ruby-1
# ...), artifacts (NAME, NAME-icon, NAME-card, back), spells (NAME, NAME-card), treasures (KIND, KIND-pile), people
# (bots, camel, guard, djinn, dragon), cave (figures, KIND, KIND-1 ..., KIND-back, KIND-gem). Scenes are files of
# their own.


def art(sheet: str, name: str, width: int, height: int = 0, alt: str = "", css: str = "") -> SafeString:
    """A piece of a sheet of drawings as a picture; square without a height."""
    address = f"{static(f'games/art/{sheet}.svg')}#{name}-view"
    return format_html(
        '<img src="{}" width="{}" height="{}" alt="{}" class="{}">', address, width, height or width, alt, css
    )


# What is new each time a page is made, whatever it says.
FRESH = re.compile(r'<input type="hidden" name="(csrfmiddlewaretoken|key|challenge)"[^>]*>')


def local_time(value: datetime | None, zone: str = "") -> str:
    """An instant in the reader's zone, which is always named: "Sat 21 Nov, 18:30 CET". "" for no instant.

    Arguments:
        zone: an IANA name; without it the zone that is active, which is the signed-in reader's own.
    """
    return "" if value is None else _element(value, time_in_words(value, zone))


def time_in_words(value: datetime, zone: str = "") -> str:
    """A moment as plain text, with the year unless it is the present one."""
    local = value.astimezone(ZoneInfo(zone) if zone else timezone.get_current_timezone())
    is_this_year = local.year == present.now().astimezone(local.tzinfo).year
    minute = local.replace(tzinfo=None, second=0, microsecond=0)
    return f"{_on_the_wall(minute, get_language(), is_this_year=is_this_year)} {zone_name(local)}"


@lru_cache(maxsize=4096)  # a log tells the same times on every page of it
def _on_the_wall(minute: datetime, language: str | None, *, is_this_year: bool) -> str:
    # Translators: date and time, short, in the letters of Django's date filter
    form = pgettext("date format", "D j M, H:i") if is_this_year else pgettext("date format", "D j M Y, H:i")
    return date_format(minute, form)


def zone_name(local: datetime) -> str:
    """The zone's abbreviation; "UTC+3" where the zone has a number instead of a name."""
    name = local.tzname() or "UTC"
    if name[0] not in "+-":
        return zone_letters(name)
    hours, minutes = name[:3], name[3:]
    return f"UTC{hours[0]}{hours[1:].lstrip('0') or '0'}{':' + minutes if minutes.strip('0') else ''}"


def _element(value: datetime, words: str) -> SafeString:
    html = f'<time datetime="{value.isoformat(timespec="seconds")}">{escape(words)}</time>'
    return mark_safe(html)  # noqa: S308  # the words are escaped


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


def rules_page(name: str) -> str:
    """Where the rules of a game can be read; "" for a game whose rules are not written yet."""
    return reverse("rules", args=[name]) if rulebooks.languages_of(name) else ""


def live_section(content: str, id: str, label: str, css: str, *, is_live: bool) -> SafeString:
    """A part of a page that follows its game. It is exchanged alone, and only if what it says has changed.

    Arguments:
        content: HTML that a template made.
        label: its name for those who cannot see it; "" for none.
        is_live: an open page has asked for it, and puts it into its place.
    """
    digest = hashlib.blake2s(FRESH.sub("", content.strip()).encode(), digest_size=6).hexdigest()
    form = '<section id="{}" class="{}" data-live="{}" tabindex="-1"{}{}>{}</section>'
    named = format_html(' aria-label="{}"', label) if label else ""
    swapped = mark_safe(' data-hx-swap-oob="true"') if is_live else ""
    return format_html(form, id, css, digest, named, swapped, mark_safe(content))  # noqa: S308  # a template made it


def log_items(lines: Iterable[LogLine], new_from: int | None) -> SafeString:
    """Lines of a log, as items of a list. A time stands where it is another than in the line above.

    Put together here, for there are fifty on a table's page.

    Arguments:
        new_from: lines behind this public number are marked as new to the reader; none if it is None.
    """
    items, above, at, when = [], "", None, ""
    for line in lines:
        if line.at != at:
            at, when = line.at, local_time(line.at)
        number = f' value="{line.number}"' if line.number else ""
        mark = ' class="new"' if line.number and new_from is not None and line.number > new_from else ""
        time = f'<span class="small muted">{when}</span>' if when != above else ""
        items.append(f"<li{number}{mark}>{_told(line)} {time}</li>\n")
        above = when
    return mark_safe("".join(items))  # noqa: S308  # what is told is escaped


def _told(line: LogLine) -> str:
    text = escape(line.text)
    return f'<s>{text}</s> <span class="small">({gettext("taken back")})</span>' if line.is_taken_back else text


def blank_select(blank: BlankItem, group: str, empty: str = "") -> SafeString:
    """The select of a blank in a row. Put together here: a sheet has hundreds of options.

    Arguments:
        empty: what it shows while nothing is chosen, if not its label.
    """
    options = [
        f'<option value="{escape(value)}"{" selected" if is_chosen else ""}>{escape(label)}</option>\n'
        for value, label, is_chosen in [("", empty or f"{blank.label}…", False), *blank.options]
    ]
    name = f'name="{escape(blank.name)}" aria-label="{escape(group)}: {escape(blank.label)}"'
    return mark_safe(f"<select {name}>\n{''.join(options)}</select>")  # noqa: S308  # every word is escaped
