"""Reading the forms of a page and filling them in, as a browser without scripts does."""

import re
from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup, Tag
from django.test import Client
from django.urls import reverse

from games.models import Game
from notifications import confirming
from notifications.clock import present


def soup_of(response: Any) -> BeautifulSoup:
    """The page as a tree."""
    return BeautifulSoup(response.content, "html.parser")


def words(response: Any) -> str:
    """All that can be read on it, on one line."""
    return " ".join(soup_of(response).text.split())


def outcomes(response: Any) -> list[str]:
    """How what was done just now went: the kind of each notice on the page, such as "success" or "error"."""
    notices = soup_of(response).select(".messages .notice")
    return [kind for notice in notices for kind in notice["class"] if kind != "notice"]


def answer_form(response: Any) -> Tag:
    """The form for what is asked."""
    form = soup_of(response).select_one("form.answer")
    assert form is not None, response.content.decode()
    return form


def untouched(form: Tag) -> dict[str, str]:
    """What a browser, or a scanner that presses buttons, posts when nothing was chosen or typed."""
    data = {}
    for field in form.select("input[name]"):
        if field.get("type") in ("radio", "checkbox") and not field.has_attr("checked"):
            continue
        data[str(field["name"])] = str(field.get("value", ""))
    return data


def filled(form: Tag, action: dict[str, Any]) -> dict[str, str]:
    """The form with this action chosen in it."""
    data = untouched(form)
    if "challenge" in data:
        data["person"] = "me"  # what one says who is asked who is there
    if form.select_one("[data-way], button[name=do]"):
        data["do"] = action["type"]
    if action["type"] == "sheet" and not action.get("orders"):
        data["meant"] = "ask"  # what its player means by a sheet that places nothing
    for name, value in action.items():
        if isinstance(value, dict):
            data |= {f"{action['type']}-{name}-{option}": str(amount) for option, amount in value.items()}
        elif name != "type":
            data[f"{action['type']}-{name}"] = str(value)
    return data


def watch(client: Client, game: Game) -> Callable[[], int]:
    """Opens a table; what it gives back asks like the open page whether something has changed: 304 if not."""
    path = reverse("table", args=[game.ref])
    page = soup_of(client.get(path)).select_one("#table")
    assert page is not None
    headers = {"HX-Request": "true", "If-None-Match": f'"{page["data-etag"]}"'}
    return lambda: client.get(str(page["data-hx-get"]), headers=headers).status_code


def steady(html: bytes) -> str:
    """The page without what is new each time it is made."""
    return re.sub(r'name="(key|csrfmiddlewaretoken|challenge)" value="[^"]*"', "", html.decode())


def pressed(kind: str = "hold", milliseconds: int = 700) -> dict[str, str]:
    """What confirming.js adds to a form when a person held its button for so long, or pressed twice."""
    made_at = int(present.host().timestamp() * 1000) - milliseconds - 100
    challenge = confirming.SIGNER.sign(f"page-{made_at}")
    facts = f"{kind}.{milliseconds}"
    return {"challenge": challenge, "proof": f"{facts}.{confirming._checksum(f'{challenge}.{facts}')}"}


def choose_me(client: Client, page: Any, path: str) -> Any:
    """Answers the page that asks who is there, as somebody without scripts does."""
    form = soup_of(page).select_one("form.who")
    assert form is not None, page.content.decode()
    return client.post(path, untouched(form) | {"person": "me"})
