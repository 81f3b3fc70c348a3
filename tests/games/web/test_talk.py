"""Table talk and notes on the page: who may, who sees, and that nothing written there breaks anything."""

import pytest
from django.test import Client

from games.models import Comment, Game, Note
from games.play import table_talk
from tests.games.conftest import running
from tests.games.web.filling import soup_of

NASTY = "<script>alert(1)</script> & “quotes” \u202e/txet \U0001f42b שלום"


def member(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def path(game: Game, more: str = "") -> str:
    return f"/table/{game.ref}/{more}"


@pytest.mark.slow
def test_what_one_says_all_at_the_table_read(placing, anna, ben):
    response = member(anna).post(path(placing, "say/"), {"text": "Hello @Ben"})
    assert response.headers["Location"] == path(placing) + "#talk-said"
    said = soup_of(member(ben).get(path(placing))).select_one(".talk li")
    assert said.select_one("bdi").text == "Anna"
    assert said.select_one(".said").text == "Hello @Ben"


def test_what_is_unread_is_marked_at_the_table_and_in_lists_until_it_is_read(placing, anna, ben, now):
    reader = member(ben)
    table_talk.say(game_id=placing.pk, user=anna, text="Hello", now=now)
    for address in (path(placing), "/my-games/"):
        assert "1 new message" in reader.get(address).content.decode(), address
    assert "1 new message" not in member(anna).get("/my-games/").content.decode()
    assert reader.post(path(placing, "talk/read/")).headers["Location"] == path(placing) + "#talk-said"
    for address in (path(placing), "/my-games/"):
        assert "new message" not in reader.get(address).content.decode(), address


@pytest.mark.slow
def test_whatever_is_written_stays_text(placing, anna):
    member(anna).post(path(placing, "say/"), {"text": NASTY})
    member(anna).post(path(placing, "note/"), {"text": NASTY + "</textarea><b>"})
    soup = soup_of(member(anna).get(path(placing)))
    assert soup.select_one("#talk-said .said").text == NASTY.replace("\u202e", "")
    assert soup.select_one("#talk-said .said")["dir"] == "auto"
    assert "</textarea><b>" in soup.select_one("#note textarea").text
    assert not soup.select("main script")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "x" * 1001])
def test_what_is_refused_is_shown_again_with_the_reason(placing, anna, text):
    response = member(anna).post(path(placing, "say/"), {"text": text})
    assert response.status_code == 422
    field = soup_of(response).select_one("#say-text")
    assert field.text.strip() == text
    assert field["aria-invalid"] == "true"
    assert soup_of(response).select_one("#say-error").text
    assert not Comment.objects.exists()


@pytest.mark.slow
def test_who_writes_too_much_keeps_his_words(placing, anna):
    client = member(anna)
    for number in range(6):
        client.post(path(placing, "say/"), {"text": f"line {number}"})
    response = client.post(path(placing, "say/"), {"text": "once more"})
    assert response.status_code == 429
    assert soup_of(response).select_one("#say-text").text.strip() == "once more"


@pytest.mark.slow
def test_a_hidden_line_is_read_by_nobody(placing, anna, ben, carla, now):
    comment = table_talk.say(game_id=placing.pk, user=ben, text="something rude", now=now)
    url = path(placing, f"talk/{comment.ref}/hide/")
    assert soup_of(member(carla).get(path(placing))).select("form[action*='/hide/']") == []
    assert member(carla).post(url).status_code == 404
    assert soup_of(member(anna).get(path(placing))).select_one(f"form[action='{url}']")
    member(anna).post(url)
    for user in (anna, ben, carla):
        body = member(user).get(path(placing)).content.decode()
        assert "something rude" not in body
        assert "A message was hidden." in body


@pytest.mark.slow
def test_a_line_of_another_table_is_not_hidden_from_here(placing, anna, ben, carla, now):
    other = running(anna, [ben, carla], now)
    comment = table_talk.say(game_id=other.pk, user=ben, text="Hello", now=now)
    assert member(anna).post(path(placing, f"talk/{comment.ref}/hide/")).status_code == 404


@pytest.mark.slow
def test_notes_are_their_writers_alone(placing, anna, ben):
    member(ben).post(path(placing, "note/"), {"text": "Carla has the Key"})
    assert "Carla has the Key" in member(ben).get(path(placing)).content.decode()
    assert "Carla has the Key" not in member(anna).get(path(placing)).content.decode()
    response = member(ben).post(path(placing, "note/"), {"text": "y" * 4001})
    assert response.status_code == 422
    assert "y" * 4001 in soup_of(response).select_one("#note textarea").text
    assert Note.objects.get().text == "Carla has the Key"


@pytest.mark.slow
def test_outsiders_neither_speak_nor_note_nor_learn_that_there_is_a_table(placing, david):
    for more in ("say/", "note/", "talk/abcdefghijkl/hide/"):
        assert member(david).post(path(placing, more), {"text": "hi"}).status_code == 404
        assert Client().post(path(placing, more), {"text": "hi"}).status_code == 302  # to sign in


@pytest.mark.slow
def test_who_looks_on_reads_the_talk_and_has_no_form(anna, ben, carla, david, now):
    game = running(anna, [ben, carla], now, is_listed=True)
    table_talk.say(game_id=game.pk, user=ben, text="Hello", now=now)
    soup = soup_of(member(david).get(path(game)))
    assert soup.select_one("#talk-said .said").text == "Hello"
    assert not soup.select("#say, #note, form[action*='/hide/']")
    assert member(david).post(path(game, "say/"), {"text": "hi"}).status_code == 404
