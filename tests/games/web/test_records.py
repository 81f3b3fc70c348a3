"""Taking a record away from a table, and bringing one along."""

import datetime as dt
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from engine.records import checking, model
from games.models import Game, Import, User
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, tampered
from tests.games.conftest import answer, fresh, open_rows
from tests.games.importing import check_all
from tests.games.letters.conftest import end_soon
from tests.games.web.filling import soup_of

pytestmark = pytest.mark.slow
IMPORT = "/import/"


def words(response: object) -> str:
    return " ".join(soup_of(response).text.split())


def file_of(data: bytes) -> dict[str, SimpleUploadedFile]:
    return {"record": SimpleUploadedFile("game.json", data, "application/json")}


@pytest.fixture
def member(anna: User) -> Client:
    client = Client()
    client.force_login(anna)
    return client


@pytest.fixture
def over(game: Game, anna: User, now: dt.datetime) -> Game:
    answer(game, open_rows(game)[0], now)
    return end_soon(game, anna, now)


def test_a_finished_table_offers_its_record_to_whoever_may_see_it(over: Game, member: Client) -> None:
    url = reverse("record", args=[over.ref])
    for page in ("table", "verify"):
        assert url in member.get(reverse(page, args=[over.ref])).content.decode()
    response = member.get(url)
    assert checking.check(model.load(response.content)).head == over.chain
    assert f"{over.ref}.json" in response["Content-Disposition"] and response["Cache-Control"] == "no-store"
    assert Client().get(url).status_code == 404
    Game.objects.filter(pk=over.pk).update(is_watchable=True)
    assert Client().get(url).content == response.content


def test_there_is_none_before_the_end(game: Game, member: Client) -> None:
    url = reverse("record", args=[game.ref])
    assert url not in member.get(reverse("verify", args=[game.ref])).content.decode()
    response = member.get(url, follow=True)
    assert response.redirect_chain == [(reverse("verify", args=[game.ref]), 302)]
    assert "once it has ended with a result" in words(response)


def send(client: Client, data: bytes, now: dt.datetime) -> HttpResponse:
    """Sends a file, lets a worker check it, and loads the page anew."""
    page = client.post(IMPORT, file_of(data), follow=True)
    check_all(now)
    return client.get(page.redirect_chain[-1][0])


def test_a_record_becomes_a_table_that_only_its_importer_sees_and_removes(
    member: Client, ben: User, now: dt.datetime
) -> None:
    data = model.dump(played("cave-of-wonders", 3))
    response = send(member, data, now)
    (game,) = Game.objects.all()
    table = reverse("table", args=[game.ref])
    assert "Everything fits." in words(response) and table in response.content.decode()
    response = member.get(table)
    assert "was played elsewhere" in words(response) and "David" not in words(response)
    for page in ("history", "statistics", "verify", "record"):
        assert member.get(reverse(page, args=[game.ref])).status_code == 200
    assert "All fits" in words(member.post(reverse("verify", args=[game.ref])))
    other = Client()
    other.force_login(ben)
    assert other.get(table).status_code == 404 and other.post(f"{table}remove/").status_code == 404
    assert "already imported this game" in words(send(member, data, now))
    assert game.title in words(member.get(IMPORT))
    assert "is removed" in words(member.post(f"{table}remove/", follow=True))
    assert not Game.objects.exists()


def test_the_page_follows_a_record_while_it_is_checked_with_a_script_and_without_one(
    member: Client, anna: User, ben: User, now: dt.datetime
) -> None:
    member.post(IMPORT, file_of(model.dump(played("cave-of-wonders", 3))))
    (row,) = Import.objects.all()
    url = reverse("importing", args=[row.ref])
    page = member.get(url)
    assert "in the queue" in words(page) and "htmx" in page.content.decode()
    assert soup_of(page).find(id="importing")["data-hx-get"] == url and soup_of(page).find("a", href=url)
    Import.objects.update(state="running")
    assert "Reading your file" in words(member.get(url))
    Import.objects.update(moves=90, checked=7)
    part = member.get(url, headers={"HX-Request": "true"})
    assert "7 of 90 moves fit" in words(part) and soup_of(part).find("html") is None
    assert url in member.get(IMPORT).content.decode()
    assert member.post(IMPORT, file_of(b"{}")).status_code == 409
    Import.objects.update(state="waiting")
    check_all(now)
    part = member.get(url, headers={"HX-Request": "true"})
    assert soup_of(part).find(id="importing").get("data-hx-get") is None and "Everything fits." in words(part)
    other = Client()
    other.force_login(ben)
    assert other.get(url).status_code == 404 and Client().get(url).status_code == 302


def test_what_does_not_fit_is_said_on_the_page_and_what_is_too_large_at_the_form(
    member: Client, settings: object, now: dt.datetime
) -> None:
    changed = tampered(model.dump(played("cave-of-wonders", 3)), TAMPERINGS[0][0])
    assert "match the commitment" in words(send(member, changed, now))
    refused = send(member, b"hello", now)
    assert "This isn't a game record" in words(refused) and "Nothing was saved" in words(refused)
    assert member.post(IMPORT, {}).status_code == 422
    settings.LARGEST_RECORD = 1000  # type: ignore[attr-defined]
    assert "too large" in words(member.post(IMPORT, file_of(changed)))
    assert not Game.objects.exists()
    assert Client().get(IMPORT).status_code == 302


def test_a_file_as_large_as_a_record_may_be_is_taken_and_a_larger_one_refused_in_words(
    member: Client, settings: Any
) -> None:
    most = settings.LARGEST_RECORD
    assert "too large. The limit is 4 MB" in words(member.post(IMPORT, file_of(b" " * (most + 1))))
    assert "at most 4 MB" in words(member.post(IMPORT, file_of(b" " * (2 * most))))
    assert not Import.objects.exists()
    assert member.post(IMPORT, file_of(b" " * most)).status_code == 302
    assert len(Import.objects.get().data) == most


def test_a_game_that_was_played_here_is_not_removed(over: Game, member: Client) -> None:
    page = member.post(reverse("remove_import", args=[over.ref]), follow=True)
    assert "imported yourself" in words(page)
    assert fresh(over).seq == over.seq
