"""The environment of Jinja's templates: the frame of every page, and all of the pages on which people play.

They are in `games/jinja2/`. A page is rendered with `using="pages"`; a page of Django's puts a part of them into itself
with the tag `part`, and its blocks into the frame (`games/templates/base.html`).
"""

import logging
from collections.abc import Callable, Collection
from functools import cache, lru_cache
from typing import Any

import jinja2
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template import engines
from django.template.defaultfilters import linebreaksbr, slugify
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django_htmx.jinja import htmx_script
from jinja2 import ChainableUndefined, UndefinedError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from games.people.models import User
from games.tables import boards
from games.tables.models import Game
from games.web import elements, syndication
from notifications import confirming
from notifications.channels.push import sending

logger = logging.getLogger(__name__)
ENGINE = "pages"  # in settings.TEMPLATES


def environment(**options: Any) -> jinja2.Environment:
    """The environment of pages. As in Django's templates, a part may be given less than it knows to show."""
    env = jinja2.Environment(  # noqa: S701  # Django turns autoescaping on
        **options | {"undefined": ChainableUndefined}, trim_blocks=True, lstrip_blocks=True
    )
    env.globals |= {
        "_": sentence,
        "art": elements.art,
        "blank_select": elements.blank_select,
        "board_figure": board_figure,
        "board_part": board_part,
        "current_language": get_language,
        "duration": elements.duration,
        "footer": footer,
        "htmx_script": htmx_script,
        "link_preview": syndication.tags,
        "live": live,
        "local_time": elements.local_time,
        "log_items": elements.log_items,
        "new_challenge": confirming.new_challenge,
        "push_key": push_key,
        "querystring": querystring,
        "rules_page": elements.rules_page,
        "static": cache(static),  # the name of a file does not change while the service runs
        "url": url,
    }
    env.filters |= {"linebreaksbr": linebreaksbr, "slugify": slugify}
    return env


def form_token(request: HttpRequest) -> dict[str, object]:
    """Context of Jinja's templates: the hidden field `csrf_input`, made at the first form and the same in all others.

    Django's own makes a new one for each form, which costs as much as a form.
    """
    name = "csrfmiddlewaretoken"
    return {
        "csrf_input": SimpleLazyObject(
            lambda: format_html('<input type="hidden" name="{}" value="{}">', name, get_token(request))
        )
    }


def sentence(text: str) -> Markup:
    """A sentence in the reader's language. As in Django's templates it may hold HTML, and what fills it is escaped."""
    return _sentence(text, get_language())


@lru_cache(maxsize=4096)  # Django asks the catalogues of a dozen packages, for sixty sentences a page
def _sentence(text: str, _language: str | None) -> Markup:
    return Markup(gettext(text))  # noqa: S704  # it is ours, or a translator's


def url(name: str, *args: object) -> str:
    """The address of a page."""
    return _url(name, args, get_script_prefix())


@lru_cache(maxsize=4096)  # thirty a page of a table, and the same when it is looked at again
def _url(name: str, args: tuple[object, ...], _prefix: str) -> str:
    return reverse(name, args=args)


def querystring(request: HttpRequest, **changes: str | None) -> str:
    """The query of this page's address with other values; None takes one out."""
    query = request.GET.copy()
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = value
    return f"?{query.urlencode()}"


@pass_context
def live(context: Context, id: str, label: str = "", css: str = "", *, caller: Callable[[], str]) -> SafeString:
    """Around a part of a page that follows its game: `elements.live_section`."""
    return elements.live_section(caller(), id, label, css, is_live=bool(context.get("is_live")))


def board_figure(game: Game, board: object, suggested: Collection[str] = (), seats: str = "") -> SafeString:
    """The board that fits the room it gets, as `answering.board_context` has put it into the context of a page.

    "" if something is missing for it: that is logged, and the board in words stands beside it.

    Arguments:
        seats: the strip of players of a game that draws none.
    """
    try:
        portraits = {seat.number: seat.portrait for seat in game.seated() if seat.portrait} if game.pk else {}
        return boards.figure(game.rules_name, board, suggested=suggested or (), seats=seats, portraits=portraits)
    except UndefinedError:
        logger.exception("The board of game %s could not be drawn", game.ref)
        return SafeString("")


def board_part(game: Game, board: object, name: str, *values: object) -> SafeString:
    """One part of the board for the sheet below it: `boards.part`."""
    return boards.part(game.rules_name, name, board, *values)


def push_key(request: HttpRequest, user: User | AnonymousUser) -> str:
    """With what a browser asks for notifications; "" for guests and strangers, and where none are sent."""
    is_person = user.is_authenticated and not getattr(request, "guest", None)
    return sending.public_key() if is_person and settings.PUSH_ENABLED else ""


def footer(has_mailbox: bool) -> SafeString:
    """The foot of a page: the same for everybody who reads it in one language."""
    return _footer(get_language(), get_script_prefix(), bool(has_mailbox))


@lru_cache(maxsize=16)
def _footer(language: str | None, prefix: str, has_mailbox: bool) -> SafeString:
    template = engines[ENGINE].get_template("games/site/parts/footer.html")
    return SafeString(template.render({"has_mailbox": has_mailbox}))
