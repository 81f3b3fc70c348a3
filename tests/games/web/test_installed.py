"""The site on a home screen: its manifest, its icons, its service worker, its page without a network, its colours."""

import datetime as dt
import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games.models import Game, User
from tests.app_icons import SIZES
from tests.games.conftest import answer, open_rows, some_answer
from tests.games.web.filling import soup_of


def size_of(file: str) -> int:
    """Of a square PNG, in pixels."""
    width, height = struct.unpack(">II", Path(finders.find(file)).read_bytes()[16:24])
    assert width == height
    return width


PATHS = [reverse(name) for name in ("manifest", "service_worker", "offline")]


def test_the_manifest_names_icons_that_are_there_in_the_sizes_it_says(client: Client, db: None) -> None:
    answer = client.get(reverse("manifest"), headers={"Accept-Language": "es"})
    made = answer.json()
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert (made["start_url"], made["scope"], made["display"], made["lang"]) == ("/", "/", "standalone", "es")
    assert {icon["purpose"] for icon in made["icons"]} == {"any", "maskable"}
    for icon in made["icons"]:
        assert icon["sizes"] == "{0}x{0}".format(size_of(icon["src"].removeprefix("/static/")))


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_each_icon_has_its_size(name: str, size: int) -> None:
    assert size_of(f"games/app/{name}.png") == size


def test_the_service_worker_serves_the_whole_site_and_is_asked_about_each_time(client: Client, db: None) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache" and "'self'" in answer.headers["Content-Security-Policy"]
    text = answer.content.decode()
    assert "VERSION" not in text and "{{" not in text and '"/offline/"' in text
    assert client.get("/service-worker.js").content == answer.content


@pytest.mark.parametrize("path", PATHS)
def test_what_a_browser_keeps_is_the_same_for_everybody_who_uses_it(path: str, anna: User) -> None:
    member = Client()
    member.force_login(anna)
    mine, theirs = member.get(path), Client().get(path)
    assert mine.content == theirs.content and not theirs.cookies
    assert b"Anna" not in mine.content


def test_the_offline_page_says_so_in_the_browsers_language(client: Client, db: None) -> None:
    assert "No connection" in soup_of(client.get(reverse("offline"))).text
    page = soup_of(client.get(reverse("offline"), headers={"Accept-Language": "es"}))
    assert page.html["lang"] == "es" and "Sin conexión" in page.text


def test_every_page_can_be_put_on_a_home_screen(client: Client, db: None) -> None:
    page = soup_of(client.get(reverse("home")))
    assert page.select_one("link[rel=manifest]")["href"] == reverse("manifest")
    assert page.select_one("link[rel=apple-touch-icon]")["href"].endswith("apple-180.png")


def test_a_device_asks_which_tables_wait_and_hears_of_ones_own_alone(game: Game, now: dt.datetime) -> None:
    row = open_rows(game)[0]
    member = Client()
    member.force_login(row.seat.user)
    page = reverse("waiting")
    answered = member.get(page)
    assert (answered.json(), answered["Cache-Control"]) == ({"tables": [game.ref]}, "no-store")
    answer(game, row, now, some_answer(game, row, 1))
    assert member.get(page).json() == Client().get(page).json() == {"tables": []}


# Colours: (in front, behind, least contrast by WCAG), in the light and in the dark

READ, SEEN = 4.5, 3.0
PAIRS = [
    *((front, behind, READ) for front in ("text", "muted", "link") for behind in ("bg", "surface", "raised")),
    *((front, behind, READ) for front in ("accent", "bad") for behind in ("bg", "surface")),
    *((kind, f"{kind}-bg", READ) for kind in ("info", "ok", "warn", "bad")),
    ("on-saffron", "saffron", READ),
    ("ink", "amber-light", READ),
    ("on-header", "header", READ),
    *((front, behind, READ) for front in ("ink", "ink-2") for behind in ("cream", "paper")),
    *(
        (front, behind, SEEN)
        for front in ("field-line", "focus", "amber-edge", "chosen")
        for behind in ("bg", "surface")
    ),
]


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_pair_of_colours_is_legible(theme: str) -> None:
    light, dark = Path(str(finders.find("games/tokens.css"))).read_text(encoding="utf-8").split("@media", 1)
    colours = dict(re.findall(r"--([\w-]+): ([^;]+);", light + (dark if theme == "dark" else "")))

    def luminance(name: str) -> float:
        value = colours[name]
        return luminance(value[6:-1]) if value.startswith("var(") else _luminance(value)

    def contrast(front: str, behind: str) -> float:
        low, high = sorted((luminance(front), luminance(behind)))
        return (high + 0.05) / (low + 0.05)

    assert [(front, behind) for front, behind, least in PAIRS if contrast(front, behind) < least] == []
