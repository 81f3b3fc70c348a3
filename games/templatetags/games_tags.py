"""Tags and filters that Django's templates share."""

from collections.abc import Iterable, Mapping
from functools import cache

from django import template
from django.template import Context, engines
from django.template.loader import select_template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext

from games.people import names
from games.web import elements
from games.web.jinja import ENGINE
from notifications import reasons
from notifications.admin import base
from notifications.inbound import addresses, parsing

register = template.Library()
register.simple_tag(elements.art)
register.simple_tag(elements.local_time)
register.simple_tag(elements.duration)
register.simple_tag(elements.rules_page)
register.simple_tag(base.moment)


@register.filter
def labelled(cells: Iterable[str], headers: Iterable[Mapping[str, object]]) -> list[SafeString]:
    """Cells of a list of the admin site, each with the name of its column; those that say nothing are marked."""
    form = '{} data-label="{}"{}{}'
    return [
        format_html(
            form,
            SafeString(cell[:3]),
            capfirst(str(header["text"])),
            SafeString(" data-none" * (">-</" in cell)),
            SafeString(cell[3:]),
        )
        for cell, header in zip(cells, headers, strict=True)
    ]


@register.filter
def reason_words(stored: str) -> str:
    """A stored reason of `notifications.reasons`, in the active language."""
    return reasons.in_words(stored)


@register.simple_tag(takes_context=True)
def part(context: Context, template_name: str, **values: object) -> SafeString:
    """A part that Jinja renders: it knows what this page knows, and the values it is given."""
    known = {str(name): value for name, value in context.flatten().items()} | values
    return SafeString(engines[ENGINE].get_template(template_name).render(known, context.get("request")))


@register.simple_block_tag
def block_as(content: str) -> SafeString:
    """Keeps its content, to be stored with "as" and put elsewhere."""
    return SafeString(content)


@register.simple_block_tag(takes_context=True)
def live(context: Context, content: str, id: str, label: str = "", css: str = "") -> SafeString:
    """Around a part of a page that follows its game: `elements.live_section`."""
    return elements.live_section(content, id, label, css, is_live=bool(context.get("is_live")))


@register.simple_tag
def reply_limits() -> str:
    """Warns what somebody must know before he relies on replying to a mail; "" where a reply simply counts."""
    if not addresses.are_answered():
        return gettext("You can't reply to these emails. Use the link in them.")
    return "" if parsing.can_prove() else _only_confirmed()


@register.simple_tag
def is_reply_confirmed() -> bool:
    """Returns whether a reply counts only once its writer has confirmed it."""
    return addresses.are_answered() and not parsing.can_prove()


def _only_confirmed() -> str:
    return gettext(
        "Your reply counts once you confirm it: by the link we send you, at most three a day, or under “My games”."
    )


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
