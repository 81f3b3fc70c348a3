"""The rules of every game on a page of their own."""

import re
from html import unescape
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import translation

from engine.registry import newest
from games import links as page_urls
from games.models import Game
from games.play import decision_links, queries
from games.play.history import log_lines
from games.tables import rulebooks, table_links
from games.web.samples import sample
from notifications.composers import composer_for
from notifications.messages import Form
from notifications.models import Notice
from tests.games.conftest import answer, open_rows, running, settle

LANGUAGES = [language for language, _name in settings.LANGUAGES]
GAMES = pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
CAVE = "cave-of-wonders"


@pytest.fixture
def cave(anna, ben, now) -> Game:
    """A running cave game of Anna and Ben."""
    return running(anna, [ben], now, rules_name=CAVE, seat_count=2)


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """An empty folder of rules."""
    monkeypatch.setattr(rulebooks, "FOLDER", tmp_path)
    rulebooks.rulebook.cache_clear()
    yield tmp_path
    rulebooks.rulebook.cache_clear()


def soup_of(response) -> BeautifulSoup:
    assert response.status_code == 200
    return BeautifulSoup(response.content.decode(), "html.parser")


@pytest.mark.slow
@GAMES
def test_every_game_has_rules_that_a_stranger_may_read(client, rules):
    page = soup_of(client.get(reverse("rules", args=[rules.name])))
    assert page.h1.text == rulebooks.rulebook(rules.name, "en").title
    anchors = [link["href"] for link in page.select("nav.contents a")]
    assert anchors == [f"#{heading['id']}" for heading in page.select("article h2")]
    assert len(anchors) > 4
    assert "**" not in page.article.text
    assert rules.name in soup_of(client.get(reverse("rules_index"))).select_one(f'a[href*="{rules.name}"]')["href"]


def test_the_reader_gets_his_own_language_and_finds_the_others(client):
    page = soup_of(client.get(reverse("rules", args=[CAVE]), headers={"Accept-Language": "es"}))
    assert page.h1.text == "Aladino y la Cueva de las Maravillas: las reglas como las jugamos"
    assert (page.html["lang"], page.article["lang"]) == ("es", "es")
    assert page.select_one("article .scroll table td").text == "sin personaje"
    english, german = page.select("article a[hreflang]")
    assert english["href"] == reverse("rules_in", args=[CAVE, "en"])
    assert (german["hreflang"], german.text) == ("de", "Deutsch")
    there = soup_of(client.get(english["href"], headers={"Accept-Language": "es"}))
    assert there.h1.text == "Aladdin and the Cave of Wonders: the rules as we play them"
    assert there.html["lang"] == "en", "the page around them too"


def test_who_has_no_rules_in_his_language_gets_the_english_ones_marked_as_such(client, shelf):
    (shelf / f"{CAVE}.md").write_text("# Rules\n\n## One\n\nText.\n")
    page = soup_of(client.get(reverse("rules", args=[CAVE]), headers={"Accept-Language": "es"}))
    assert (page.html["lang"], page.article["lang"], page.h1.text) == ("es", "en", "Rules")


@pytest.mark.slow
def test_a_game_gets_its_page_and_its_links_by_its_file_alone(client, shelf, cave, anna):
    client.force_login(anna)
    address, table = reverse("rules", args=[CAVE]), reverse("table_cards", args=[cave.ref])
    assert client.get(address).status_code == 404
    assert address not in client.get(table).content.decode()
    assert table_links.rules_url(cave, "en") == ""
    (shelf / f"{CAVE}.md").write_text("# Rules\n\nText.\n")
    assert client.get(address).status_code == 200
    assert address in client.get(table).content.decode()
    assert table_links.rules_url(cave, "es").endswith(f"/rules/{CAVE}/")


@pytest.mark.parametrize("path", [f"rules/{CAVE}/", "by-mail/", "privacy/"])
def test_a_page_in_a_language_that_is_not_there_is_shown_in_the_readers_own_and_says_so(client, path):
    page = client.get(f"/{path}fr/", headers={"Accept-Language": "de"})
    soup = BeautifulSoup(page.content.decode(), "html.parser")
    assert (page.status_code, soup.html["lang"]) == (404, "de")
    assert "Diese Seite gibt es noch nicht auf Französisch." in soup.article.text and len(soup.article.select("h2")) > 3
    assert soup_of(client.get(f"/{path}de-AT/")).html["lang"] == "de"


@pytest.mark.parametrize("path", ["rules/chess/", "rules/adding-a-game/", f"rules/{CAVE}/xx/", f"rules/{CAVE}/md/"])
def test_other_addresses_are_not_found(client, path):
    assert client.get(f"/{path}").status_code == 404


def test_a_file_that_belongs_to_no_game_is_no_page(client, shelf):
    (shelf / "notes.md").write_text("# Notes\n")
    assert client.get(reverse("rules", args=["notes"])).status_code == 404
    assert soup_of(client.get(reverse("rules_index"))).select("main a.card") == []


def test_html_in_a_file_is_text_and_a_script_is_no_link(client, shelf):
    (shelf / f"{CAVE}.md").write_text("# Rules\n\n<script>x()</script>\n\n[a](javascript:x()) <b onclick=x>b</b>\n")
    page = soup_of(client.get(reverse("rules", args=[CAVE])))
    assert page.article.select("script, b, [onclick], a[href^=javascript]") == []
    assert "<script>x()</script>" in page.article.text


@pytest.mark.slow
def test_the_pages_around_a_game_lead_to_its_rules(client, cave, anna, now):
    address = reverse("rules", args=[CAVE])
    row = open_rows(cave)[0]
    client.force_login(anna)
    for path in (
        reverse("table_cards", args=[cave.ref]),
        decision_links.act_url(row),
        reverse("new_table") + f"?game={CAVE}",
    ):
        assert soup_of(client.get(path)).select(f'a[href="{address}"]'), path


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_leads_to_the_rules_in_its_own_language(cave, language):
    (row,) = open_rows(cave)
    notice = Notice.objects.filter(kind="due", recipient=row.seat.user.recipient).get()
    with translation.override("en"):
        message = composer_for("due").compose(notice, language, Form.LETTER)
    address = f"/rules/{CAVE}/{language}/"
    assert re.search(rf"http\S+{address}\n", message.text)
    assert re.search(rf'href="http[^"]+{address}"', unescape(message.html))


# How to play from the mail


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "How to play from your mail"), ("de", "So spielst du per E-Mail"), ("es", "Cómo jugar desde tu correo")],
)
def test_how_to_play_from_the_mail_is_written_in_every_language(client, db, language, title):
    page = soup_of(client.get(reverse("by_mail_in", args=[language])))
    assert page.h1.text == title and page.article["lang"] == language
    assert len(page.select(".contents a")) == len(page.select("article h2")) == 7


@pytest.mark.slow
def test_a_guide_is_linked_from_the_front_page_and_from_the_foot_of_a_mail(client, cave):
    assert soup_of(client.get("/")).select_one("footer a[href='/by-mail/']")
    notice = Notice.objects.filter(kind="due").first()
    letter = composer_for("due").compose(notice, "es", Form.LETTER)
    for part in (letter.text, letter.html):
        assert page_urls.by_mail_url("es") in part
    assert client.get(reverse("by_mail_in", args=["xx"])).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mail_in_the_guide_is_a_mail_as_it_is_sent(db, language, settings):
    settings.REPLY_ADDRESS = "reply+{token}@example.org"
    told = rulebooks.guide("by-mail", language).html
    sent = [line for line in sample("due", language).text.splitlines() if line.isupper() and len(line) > 5]
    assert len(sent) >= 2
    assert [line for line in sent if line not in unescape(told)] == []


NOBODY = "You can't reply to these emails"
CONFIRMED = "Your reply counts once you confirm it"


@pytest.mark.parametrize(
    ("address", "server", "guide"),
    [
        ("reply+{token}@example.org", "mx.example.org", None),
        ("reply+{token}@example.org", "", CONFIRMED),
        ("", "", NOBODY),
    ],
    ids=["proved", "held", "nobody can reply"],
)
def test_the_guide_and_not_the_sign_up_says_what_becomes_of_a_reply_here(client, db, settings, address, server, guide):
    settings.REPLY_ADDRESS, settings.MAIL_AUTHSERV_ID = address, server
    for path, said in (("/by-mail/en/", guide), ("/accounts/signup/", None)):
        text = soup_of(client.get(path)).main.text
        assert [words for words in (NOBODY, CONFIRMED) if words in text] == ([said] if said else []), path


@GAMES
def test_pieces_are_counted_from_the_data_and_every_card_is_in_the_index(client, rules):
    page = soup_of(client.get(reverse("rules", args=[rules.name])))
    for table in rules.pieces("en"):
        rows = page.select_one(f"#{table.name}").find_next(class_="scroll").select("tbody tr")
        assert [[cell.text for cell in row.select("th, td")] for row in rows] == table.rows
        named = {link.text: link["href"] for link in page.select(".index a")}
        assert not table.are_named or all(page.select_one(named[row[0]]) for row in table.rows)


def test_the_decks_are_whole_in_both_languages():
    dragons = newest()[0]
    decks = {table.name: table.rows for table in dragons.pieces("es") if table.name.startswith("deck-")}
    assert {name: len(rows) for name, rows in decks.items()} == {"deck-3": 15, "deck-4": 15, "deck-5": 15}
    assert decks["deck-3"][0] == ["3-01", "5/3", "\N{EN DASH}", "4/2", "\N{EN DASH}", "4"]


@GAMES
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_leads_to_the_passages_that_name_it(client, rules, language):
    page = soup_of(client.get(reverse("rules_in", args=[rules.name, language])))
    for link in page.select(".index a"):
        assert page.select_one(link["href"]), link
    book = rulebooks.rulebook(rules.name, language)
    assert {entry["id"] for entry in page.select(".index li[id]")} == set(rulebooks.RULING.findall(page.article.text))
    assert all(ruling in passage.text for ruling, found in book.rulings().items() for passage in found)


def test_a_search_finds_passages_by_words_and_beginnings_of_words(client):
    page = soup_of(client.get(reverse("rules_index"), {"q": "starting PLAY tie"}))
    assert "1 place has these words" in page.text
    found = page.select_one("main .list a")
    assert found.text == "2. What there is"
    target = soup_of(client.get(found["href"].split("#")[0])).select_one("#" + found["href"].split("#")[1])
    assert "It decides" in " ".join(target.parent.text.split())
    spanish = soup_of(
        client.get(reverse("rules_index"), {"q": "ladron de generos <b>"}, headers={"Accept-Language": "es"})
    )
    assert not spanish.select("main .list") and not spanish.select("main b")


@GAMES
def test_the_setup_is_drawn_for_each_number_of_players(client, rules):
    page = soup_of(client.get(reverse("rules", args=[rules.name])))
    drawn = [client.get(picture["src"]) for picture in page.select(".setups img")]
    assert len(drawn) == len(rules.seat_counts)
    assert all(one.headers["Content-Type"] == "image/svg+xml" for one in drawn)
    assert all(one.content.count(b"<svg") == 1 for one in drawn)
    assert client.get(reverse("rules_setup", args=[rules.name, 9, "en"])).status_code == 404
    assert client.get(reverse("rules_setup", args=["chess", 3, "en"])).status_code == 404


def test_the_cards_of_a_game_lead_to_their_lines_of_its_log(client, cave, anna, david, now):
    while not any("monkey" in line.text.casefold() for line in log_lines(queries.access_game(anna, cave.ref))):
        answer(cave, open_rows(cave)[0], now)
        settle(now)
    client.force_login(anna)
    page = soup_of(client.get(reverse("table_cards", args=[cave.ref])))
    link = page.select_one("main .list a[href*='words=Monkey']")
    log = soup_of(client.get(link["href"]))
    assert f"{len(log.select('.log > li'))} line" in link.text
    assert all("monkey" in line.text.casefold() for line in log.select(".log > li"))
    client.force_login(david)
    assert client.get(reverse("table_cards", args=[cave.ref])).status_code == 404


@GAMES
@pytest.mark.parametrize("language", LANGUAGES)
def test_how_to_play_is_short_and_every_picture_of_it_is_drawn(client, db, rules, language):
    page = soup_of(client.get(reverse("how_to_play", args=[rules.name]), headers={"Accept-Language": language}))
    assert page.article["lang"] == language
    assert 200 < len(page.article.text.split()) <= 700
    pieces = [picture["src"].partition("#") for picture in page.article.select("img") if "#" in picture["src"]]
    assert pieces
    for address, _sign, piece in pieces:
        sheet = Path(finders.find(address.removeprefix("/static/"))).read_text()
        assert f'id="{piece}"' in sheet, (address, piece)


def test_a_game_that_is_not_there_has_no_page_for_beginners(client, db):
    assert client.get(reverse("how_to_play", args=["chess"])).status_code == 404


@GAMES
@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_are_notes_and_no_numbers_in_the_running_text(client, rules, language):
    page = soup_of(client.get(reverse("rules_in", args=[rules.name, language])))
    assert page.select("details.notes h2") and page.select("a.ours")
    assert {link["href"] for link in page.select("a.ours")} == {"#" + page.select_one("details.notes h2")["id"]}
    for folded in page.select("details.notes"):
        folded.decompose()
    assert rulebooks.RULING.findall(page.article.text) == []


def test_every_artifact_and_every_spell_is_drawn_beside_its_words_and_found_by_them(client):
    page = soup_of(client.get(reverse("rules", args=["aladdins-dragons"])))
    drawn = [row.img["src"].partition("#")[2] for row in page.select(".gallery tbody tr")]
    assert len(set(drawn)) == len(drawn) == 6 + 21
    assert (
        "Solar Eclipse" in soup_of(client.get(reverse("rules_index"), {"q": "solar ecl"})).select_one("main .list").text
    )
