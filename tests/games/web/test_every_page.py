"""Every page and every kind of email is HTML by the standard; the address of every button leads to its page."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from games.clubs import clubs
from games.models import Game, User
from games.web.mail import render_sample
from games.web.samples import KINDS, sample
from tests.browser.cups import open_cup
from tests.browser.gallery import ROOMS
from tests.crashes import undone
from tests.games.web.filling import soup_of

AGAIN = "Nothing has been changed yet. Please press the button again."


def routes() -> Iterator[str]:
    """The routes of all pages: neither those of the API nor those behind the lists of the admin site."""
    resolver = get_resolver()
    for pattern in resolver.url_patterns:
        prefix = str(pattern.pattern)
        for one in [pattern] if isinstance(pattern, URLPattern) else pattern.url_patterns:
            route = prefix + str(one.pattern)
            if isinstance(one, URLPattern) and "(?P" not in route:
                yield route


@pytest.fixture
def refs(game: Game, anna: User, ben: User, now) -> dict[str, str]:
    """What to write for the variable parts of a route, by the room at its beginning."""
    return {
        "table": game.ref,
        "player": ben.ref,
        "club": clubs.found(user=anna, name="Camels", now=now).ref,
        "tournament": open_cup(anna, "Cup").ref,
    }


def path_of(route: str, refs: dict[str, str]) -> str:
    """The path with something in its variable parts."""
    room = route.partition("/")[0]
    path = route.replace("<slug:ref>", refs.get(room, "k3v9pq2mzt7a")).replace("<slug:language>", "en")
    return "/" + re.sub(r"<\w+:\w+>", "0", path)


@pytest.mark.slow
def test_the_address_of_every_button_leads_to_its_page(client: Client, anna: User, refs: dict[str, str]) -> None:
    client.force_login(anna)
    buttons = []
    for route in routes():
        path = path_of(route, refs)
        if client.head(path).status_code == 405:
            buttons.append(route)
            page = client.get(path, follow=True)
            expected = 404 if "<slug:token>" in route else 200  # nobody was sent that invitation
            assert (page.status_code, len(page.redirect_chain)) == (expected, 1), f"{path}: {page.redirect_chain}"
            assert expected == 404 or AGAIN in page.content.decode(), path
        elif path != "/accounts/logout/":
            assert client.get(path).status_code not in (405, 422), path
    assert len(buttons) > 40 and {"clubs/", "table/<slug:ref>/pause/", "tournament/<slug:ref>/enter/"} <= set(buttons)


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("found_club", "people"),
        ("plan_vacation", "settings"),
        ("push_devices", "mail_settings"),
        ("take_copy", "own_data"),
    ],
)
def test_a_button_pressed_while_signed_out_leads_through_sign_in_to_its_page(
    client: Client, anna: User, name: str, page: str
) -> None:
    path = reverse(name)
    refused = client.post(path)
    if refused.status_code == 302:
        assert f"next={path}" in refused.headers["Location"]
    client.force_login(anna)
    found = client.get(path, follow=True)
    assert found.redirect_chain == [(f"{reverse(page)}#again", 302)]
    assert AGAIN in soup_of(found).select_one(".messages").text


def test_a_stranger_is_led_on_without_a_session(client: Client, game: Game) -> None:
    answer = client.get(reverse("pause", args=[game.ref]))
    assert answer.status_code == 302 and not client.cookies


def test_programs_are_refused_at_an_address_that_takes_a_post(client: Client, anna: User, game: Game) -> None:
    client.force_login(anna)
    assert client.get(reverse("api_wish_pause", args=[game.ref])).status_code == 405


def test_the_page_for_imports_is_a_page(client: Client, anna: User) -> None:
    client.force_login(anna)
    page = client.get(reverse("import_game"))
    assert page.status_code == 200 and not soup_of(page).select(".errorlist, [aria-invalid]")
    assert client.post(reverse("import_game")).status_code == 422


def errors_in(nu_checker: list[str], folder: Path) -> list[str]:
    """The errors of the pages in a folder, each with the first page that has it."""
    command = [
        *nu_checker,
        "--errors-only",
        "--format",
        "json",
        "--stdout",
        "--exit-zero-always",
        *folder.glob("*.html"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    errors: dict[str, str] = {}
    for one in json.loads(done.stdout)["messages"]:
        where = f"{one['url'].rpartition('/')[2]}:{one.get('lastLine')}: {one.get('extract', '').strip()}"
        errors.setdefault(one["message"], where)
    return [f"{message} {where}" for message, where in errors.items()]


@pytest.mark.slow
def test_every_page_of_the_gallery_is_html_by_the_standard(nu_checker: list[str], db: None, tmp_path: Path) -> None:
    """One test, because the checker takes longer to start than to read."""
    for room, pages in ROOMS.items():
        with undone():
            for page in pages():
                visitor = Client()
                if page.user is not None:
                    visitor.force_login(page.user)
                answer = visitor.get(page.path, follow=True)
                assert answer.status_code == page.status, page.path
                (tmp_path / f"{room}-{page.name}.html").write_bytes(answer.content)
    assert errors_in(nu_checker, tmp_path) == []


@pytest.mark.slow
def test_every_other_page_is_html_by_the_standard(
    nu_checker: list[str], client: Client, anna: User, refs: dict[str, str], tmp_path: Path
) -> None:
    client.force_login(anna)
    for number, route in enumerate(routes()):
        answer = client.get(path_of(route, refs), follow=True)
        is_page = answer.content.lstrip()[:15].lower() == b"<!doctype html>"  # and not a part, which goes into a page
        if is_page and not route.startswith("admin/"):
            (tmp_path / f"{number}-{re.sub(r'[^a-z]+', '-', route)}.html").write_bytes(answer.content)
    assert len(list(tmp_path.iterdir())) > 80
    assert errors_in(nu_checker, tmp_path) == []


@pytest.mark.slow
def test_every_kind_of_email_is_html_by_the_standard(nu_checker: list[str], db: None, tmp_path: Path, settings) -> None:
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    for kind in KINDS:
        (tmp_path / f"{kind}.html").write_text(render_sample(sample(kind, "en")))
    assert errors_in(nu_checker, tmp_path) == []
