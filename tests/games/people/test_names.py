"""Names of every script inside sentences: each is laid out by itself and turns nothing around it."""

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings

from games.errors import Illegal
from games.models import Game, User
from games.people import characters, names
from games.people.names import fitted, isolated, of_bot, shortened
from games.play import history, queries
from games.play.keywords import split
from games.web import samples as sample_game
from games.web.samples import sample
from tests.games.conftest import fresh

DANI, HELD = "דני", "\u2068דני\u2069"


@pytest.fixture
def of_dani(placing: Game, ben: User) -> Game:
    placing.seats.filter(user=ben).update(name=DANI)
    return fresh(placing)


@pytest.mark.parametrize("name", ["Anna", "Łukasz", "Ана", "アナ", "<b>Bob</b>", ""])
def test_a_name_that_runs_as_the_sentence_does_stays_as_it_is(name: str) -> None:
    assert isolated(name) == name


def test_a_long_name_loses_its_end_and_not_its_hold() -> None:
    assert shortened("Maximiliane", 4) == "Max…"
    assert shortened("Bot greedy II", 12) == "Bot gree… II"
    assert shortened(isolated("דני " * 5), 5) == "\u2068דני…\u2069"
    assert shortened(HELD, 3) == HELD


def test_every_sentence_of_a_game_holds_the_name_together(of_dani: Game, anna: User) -> None:
    access = queries.access_game(anna, of_dani.ref)
    board = queries.describe(access, queries.view_of(access))
    log = " ".join(line.text for line in history.log_lines(access))
    for told in (board, log):
        assert told.count(HELD) == told.count(DANI) > 0


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["due", "invited", "closed", "together"])
def test_every_sentence_of_a_mail_holds_the_title_of_the_table_together(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = sample_game.SampleGame.open
    monkeypatch.setattr(sample_game.SampleGame, "open", lambda self, rules, title: usual(self, rules, DANI))
    mail = sample(kind, "en")
    for told in (mail.subject, mail.text, unescape(mail.html)):
        assert told.count(HELD) == told.count(DANI)
    assert HELD in unescape(mail.html)


def test_no_sentence_of_a_page_or_mail_has_a_bare_title_or_name_in_it() -> None:
    bare = re.compile(r"{% blocktranslate [^%]*=(?!one\.)\w+(\.\w+)*\.(title|display_name)\b")
    pages = sorted((Path(settings.BASE_DIR) / "games/templates").rglob("*.*"))
    assert [page.name for page in pages if bare.search(page.read_text())] == [] and len(pages) > 100


def test_a_reply_names_the_player_with_or_without_what_holds_it() -> None:
    assert split(f"counter {HELD}") == split(f"counter {DANI}") == ("counter", DANI)


@pytest.mark.parametrize(
    ("stored", "bot", "name"),
    [
        ("Bot greedy", "greedy", "Nur"),
        ("Bot sultan II", "sultan", "Selim II"),
        ("Bot hal", "hal", "Bot hal"),
        ("Robby", "greedy", "Robby"),
    ],
)
def test_a_bot_of_the_rules_has_a_name(stored, bot, name):
    assert of_bot(stored, bot) == name


@pytest.mark.parametrize(
    "name",
    [
        "\u0410nna", "J\u043ehn", "S\u0443stem", "\u0391nna",  # one letter of another alphabet
        "\u3164", "\u200b\u200d", "\u2800", "\u202e", "...", "",  # nothing to be seen
        "Admin", "ADMlN", "Moderator", "caravanserai", "Former player", "Bot greedy", "Bot sultan", "sultan",
        "Player 2", "Player I", "Spieler 12", "Jugador 3", "A player", "Player2", "Spieler_21", "33 Jugador",
    ],
)  # fmt: skip
def test_a_name_that_deceives_is_refused(name: str) -> None:
    with pytest.raises(Illegal):
        names.checked(name)


@pytest.mark.parametrize(
    "name",
    [
        "Anna", "Søren", "José María", "Łukasz", "Ngọc Ánh", "O’Neil", "Иван", "Ελένη", "王小明", "田中さん",
        "김철수", "محمد", "אברהם", "नमस्ते", "สมชาย", "Anna 2", "Joe-Bob", "Нина B", "Adam", "Player", "Card Player",
    ],
)  # fmt: skip
def test_names_of_all_alphabets_stay_as_they_are(name: str) -> None:
    assert names.checked(name) == name


@pytest.mark.parametrize(("one", "other"), [("Ivan", "lvan"), ("Осе", "Oce"), ("ANNA", "Ánna"), ("Paul0", "PaulO")])
def test_whoever_looks_like_somebody_at_the_table_gets_an_ordinal(one: str, other: str) -> None:
    assert names.told_apart(other, [one]) == f"{other} II"


def test_a_person_and_a_bot_of_one_name_are_told_apart() -> None:
    assert names.told_apart("Nur", ["Bot greedy"]) == "Nur II"
    assert names.told_apart("Bot greedy", ["Anna", "Nur"]) == "Bot greedy II"


def test_what_is_not_seen_is_no_part_of_a_name() -> None:
    assert names.checked(" An\u200bna\u2066 \u3164B\n") == "An na B"


@pytest.mark.parametrize(
    ("name", "room", "size", "shown"),
    [
        ("Anna", 119, 12.5, "Anna"),
        ("Christopher Li", 119, 12.5, "Christopher Li"),
        ("Christopher Li", 80, 12.5, "Christophe…"),
        ("illilillilli illi", 80, 12.5, "illilillilli illi"),
        ("WWWWWWWWWWWW", 119, 12.5, "WWWWWWWWW…"),
        ("Maximiliane von Trapezunt II", 119, 12.5, "Maximiliane v… II"),
        ("山田太郎山田太郎山田太郎", 80, 12.5, "山田太郎山…"),
    ],
)
def test_a_name_on_the_board_is_cut_only_where_it_has_no_room(name, room, size, shown):
    assert fitted(name, room, size) == shown
    assert len(fitted(name, room, size, is_bold=True)) <= len(shown)


def test_a_bot_says_what_everybody_can_see_and_the_same_to_all() -> None:
    def word(events: int, totals: dict[int, int], winners: Sequence[int] | None = None) -> str:
        spoken = characters.word_at("abc", 2, {0: "greedy", 1: "robo"}, events, totals, winners)
        return spoken.code if spoken else ""

    assert word(0, {}) == "begin" and word(90, {0: 4, 1: 4, 2: 4}) == ""
    assert {word(events, {0: 5, 1: 4, 2: 4}) for events in range(28, 840, 14)} == {"", "ahead"}
    assert {word(events, {0: 3, 1: 4, 2: 4}) for events in range(28, 840, 14)} == {"", "behind"}
    assert (word(500, {}, [0]), word(500, {}, [2])) == ("won", "lost")
    assert characters.word_at("abc", 0, {1: "robo"}, 0, {}, None) is None
    for character in characters.CHARACTERS.values():
        assert set(character.words) == set(characters.Moment)
