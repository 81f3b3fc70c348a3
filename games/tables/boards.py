"""The board as a picture: one SVG template for each game, for mails, files, and pages.

On a page a game may have a board of its own beside it, `games/boards/NAME.html`: macros that draw the same picture to
fit any screen. The templates are Jinja's: a board has up to a thousand values, over which Django takes seven times as
long.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

import jinja2
import msgspec
from django.contrib.staticfiles import finders
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.template.defaultfilters import capfirst, truncatechars
from django.templatetags.static import static
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.people import names

STATIC = "games/art/{}.svg"  # by the name of the rules; a drawing without words
ENGINE = "boards"  # in settings.TEMPLATES
MOST_KEPT = 64  # boards of 40 kB each: a page of a table is looked at several times before its board changes


def svg(rules_name: str, picture: object, *, suggested: Collection[str] = (), is_plain: bool = False) -> SafeString:
    """The picture as SVG, with what its reader may see and nothing else.

    Arguments:
        picture: what the rules make of a view.
        suggested: values of options that the link in a mail would choose.
        is_plain: in one piece, for a mail or a file, without what only a page shows, to whoever points at it.
    """
    kit = picture.get("kit", rules_name) if isinstance(picture, Mapping) else rules_name  # see engine.kits
    template = engines[ENGINE].get_template(f"games/boards/{kit}.svg")
    drawn = template.render({"picture": picture, "suggested": suggested, "is_plain": is_plain})
    return mark_safe(drawn)  # noqa: S308  # the template escapes what it is given


def figure(
    rules_name: str,
    picture: object,
    *,
    suggested: Collection[str] = (),
    seats: str = "",
    portraits: Mapping[int, str] | None = None,
) -> SafeString:
    """The board on a page: its players in a strip, and the map, which fits the room there is.

    Arguments:
        suggested: values of options that are shown on the map as what one might do.
        seats: the strip of a game whose templates draw none.
        portraits: the names of the drawings of bots, by seat.
    """
    shown = (picture, sorted(suggested), seats, portraits or {})
    return _figure(rules_name, translation.get_language(), Shown(msgspec.json.encode(shown, enc_hook=str), *shown))


class Shown:
    """Holds what is shown; two that show the same are equal, so that what was made of them is found again.

    Arguments:
        key: all of the values, encoded.
    """

    def __init__(self, key: bytes, *values: Any) -> None:
        self.key = key
        self.values = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=MOST_KEPT)
def _figure(rules_name: str, _language: str, shown: Shown) -> SafeString:
    picture, suggested, seats, portraits = shown.values
    drawn = part(rules_name, "map", picture, suggested) or svg(rules_name, picture, suggested=suggested)
    return format_html(
        '<figure class="board" data-game="{}">{}<div class="map">{}</div></figure>',
        rules_name,
        part(rules_name, "seats", picture, portraits) or seats,
        drawn,
    )


def part(rules_name: str, name: str, picture: object, *values: object) -> SafeString:
    """What a macro of a game's own board draws: "map", "seats", "purse" (the viewer's goods), "token" (of his, with its
    value), "icon" (of a kind or a card); "" if the game has no such macro.
    """
    macro = getattr(_macros(rules_name), name, None)
    return mark_safe(macro(picture, *values) if macro else "")  # noqa: S308  # the template escapes what it is given


@cache
def _macros(rules_name: str) -> object:
    templates = cast("Jinja2", engines[ENGINE]).env
    try:
        return templates.get_template(f"games/boards/{rules_name}.html").module
    except jinja2.TemplateNotFound:
        return None


def size(drawn: str) -> tuple[str, str]:
    """Width and height of a picture, so that a page leaves the room before it has come."""
    box = re.search(r'viewBox="0 0 (\d+)\S* (\d+)', drawn)
    if box is None:
        raise ValueError('the picture\'s <svg> has no viewBox="0 0 WIDTH HEIGHT"')
    return box[1], box[2]


def static_picture(name: str) -> str:
    """The path among the static files of a picture that shows what a game looks like; "" if it has none."""
    path = STATIC.format(name)
    return path if finders.find(path) else ""


@cache
def static_svg(path: str) -> str:
    """The source of a picture among the static files."""
    return Path(str(finders.find(path))).read_text(encoding="utf-8")


class _Environment(jinja2.Environment):
    """For pictures, which are dictionaries throughout: a value is asked for by its name before an attribute is."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        try:
            return obj[attribute]
        except (TypeError, LookupError):
            return super().getattr(obj, attribute)


def environment(**options: Any) -> jinja2.Environment:
    """Returns the environment for the templates of boards; a missing value is an error."""
    env = _Environment(**options | {"undefined": jinja2.StrictUndefined}, trim_blocks=True, lstrip_blocks=True)
    env.globals["static"] = cache(static)  # the name of a file does not change while the service runs
    env.filters |= {
        "capfirst": capfirst,
        "shortened": names.shortened,
        "fitted": names.fitted,
        "truncatechars": truncatechars,
    }
    return env
