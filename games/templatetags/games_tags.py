"""Tags and filters that the templates share."""

import hashlib
import logging
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache, lru_cache
from html import escape
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.template import Context
from django.template.loader import render_to_string, select_template
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext, pgettext
from jinja2 import UndefinedError

from games.log.log_entries import LogLine
from games.tables import boards, names, rulebooks
from games.web.answers.row_items import BlankItem
from notifications import reasons
from notifications.channels.push import keys
from notifications.clock import present
from notifications.inbound import addresses
from notifications.inbound.parsing import authentication

logger = logging.getLogger(__name__)
register = template.Library()
# What is new each time a page is made, whatever it says.
FRESH = re.compile(r'<input type="hidden" name="(csrfmiddlewaretoken|key)"[^>]*>')


@register.filter
def reason_words(stored: str) -> str:
    """A stored reason of `notifications.reasons`, in the active language."""
    return reasons.in_words(stored)


@register.simple_tag
def local_time(value: datetime | None, zone: str = "") -> str:
    """An instant in the reader's zone, which is always named: "Sat 21 Nov, 18:30 CET". "" for no instant.

    Arguments:
        zone: an IANA name; without it the zone that is active, which is the signed-in reader's own.
    """
    return "" if value is None else _element(value, time_in_words(value, zone))


@register.simple_tag
def reply_limits() -> str:
    """What somebody must know before he relies on replying to a mail; "" where a reply simply counts."""
    if not addresses.are_answered():
        return gettext("Emails from this server cannot be answered by replying. Use the link in them.")
    return "" if authentication.can_prove() else _only_confirmed()


@register.simple_tag
def is_reply_confirmed() -> bool:
    """Returns whether a reply counts only once its writer has confirmed it."""
    return addresses.are_answered() and not authentication.can_prove()


@register.simple_tag
def reply_confirmation() -> str:
    """That a reply must be confirmed; "" where a reply simply counts, and where nobody can reply."""
    return _only_confirmed() if is_reply_confirmed() else ""


def _only_confirmed() -> str:
    return gettext(
        "This server cannot check who wrote a reply, so yours counts once you confirm it: by a link that we send you, "
        "at most three a day, or under “My games”."
    )


@register.simple_tag(takes_context=True)
def site_footer(context: Context) -> SafeString:
    """The foot of a page: the same for everybody who reads it in one language."""
    facts = str(context.get("site_name", "")), bool(context.get("has_mailbox"))
    return _footer(get_language(), get_script_prefix(), *facts)


@lru_cache(maxsize=16)
def _footer(language: str | None, prefix: str, site_name: str, has_mailbox: bool) -> SafeString:
    return render_to_string("games/site/parts/footer.html", {"site_name": site_name, "has_mailbox": has_mailbox})


@register.inclusion_tag("games/parts/push_prompt.html", takes_context=True)
def push_prompt(context: Context) -> dict[str, object]:
    """Offers a person notifications on this device; nothing for guests, and where none are sent."""
    request, user = context["request"], context["user"]
    is_person = user.is_authenticated and not getattr(request, "guest", None)
    return {"public_key": keys.public_key() if is_person and settings.PUSH_ENABLED else ""}


@register.simple_tag(takes_context=True)
def board_svg(context: Context) -> SafeString:
    """The picture of the board, as `answering.board_context` has put it into the context of a page.

    "" if something is missing for it: that is logged, and the board in words stands below.
    """
    game = context["game"]
    try:
        return boards.svg(game.rules_name, context["board"], suggested=context.get("suggested") or ())
    except UndefinedError:
        logger.exception("The board of game %s could not be drawn", game.ref)
        return SafeString("")


@register.simple_tag(takes_context=True)
def log_items(context: Context, lines: Iterable[LogLine]) -> SafeString:
    """Lines of a log, as items of a list. A time stands where it is another than in the line above.

    Lines behind the public number `new_from` of the context are marked as new to the reader. Put together here, for
    there are fifty on a table's page, and a template takes six times as long over each.
    """
    new_from, items, above = context.get("new_from"), [], ""
    for line in lines:
        number = f' value="{line.number}"' if line.number else ""
        mark = ' class="new"' if line.number and new_from is not None and line.number > new_from else ""
        when = local_time(line.at)
        time = f'<span class="small muted">{when}</span>' if when != above else ""
        items.append(f"<li{number}{mark}>{_told(line)} {time}</li>\n")
        above = when
    return mark_safe("".join(items))  # noqa: S308  # what is told is escaped


def _told(line: LogLine) -> str:
    text = escape(line.text)
    return f'<s>{text}</s> <span class="small">({gettext("taken back")})</span>' if line.is_taken_back else text


@register.simple_tag
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


@register.simple_tag
def rules_page(name: str) -> str:
    """Where the rules of a game can be read; "" for a game whose rules are not written yet."""
    return reverse("rules", args=[name]) if rulebooks.languages_of(name) else ""


@register.simple_tag
def mark_of(name: str) -> str:
    """The template of a game's mark, by the name of its rule set."""
    return _mark_of(name)


@cache
def _mark_of(name: str) -> str:
    return str(select_template([f"games/marks/{name}.svg", "games/marks/other.svg"]).template.name)


@register.filter
def shortened(name: str, most: int) -> str:
    """A name in so many characters at most."""
    return names.shortened(name, most)


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
        return name
    hours, minutes = name[:3], name[3:]
    return f"UTC{hours[0]}{hours[1:].lstrip('0') or '0'}{':' + minutes if minutes.strip('0') else ''}"


def _element(value: datetime, words: str) -> SafeString:
    html = f'<time datetime="{value.isoformat(timespec="seconds")}">{escape(words)}</time>'
    return mark_safe(html)  # noqa: S308  # the words are escaped
