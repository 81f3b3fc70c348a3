"""The sentences, in every language, and the board in words and as a picture."""

import re
import string
from pathlib import Path

import msgspec
import pytest

from engine.cave_of_wonders import events, recaps
from engine.cave_of_wonders import sentences as text
from engine.cave_of_wonders.facts import SPACES
from engine.cave_of_wonders.model import MoveAladdin
from engine.cave_of_wonders.words import DOMAIN, LOCALE, Words
from engine.core import Text
from engine.core.language import REFUSALS, catalogue
from tests.engine.cave_of_wonders.table import NAMES, RULES, A, B, C, carpet, play, position, token
from tests.engine.playing import walk

LANGUAGES = sorted(path.name for path in LOCALE.iterdir())
TABLES = (
    text.KIND_NAMES, text.KIND_PLURALS, text.TOKEN_NAMES, text.DIRECTION_NAMES, text.PART_NAMES, text.FIELD_NAMES,
    text.SENTENCES, text.CHARACTER_NAMES, text.CHARACTER_RULES, text.KIND_LETTERS, text.CHARACTER_LETTERS, text.LISTS,
    recaps.FIGURE_SENTENCES, events.EVENT_SENTENCES,
)  # fmt: skip


def sentences() -> list[str]:
    return [sentence for each in TABLES for sentence in each.values()]


def plurals() -> list[tuple[str, str]]:
    return [*((one, many) for _, one, many in text.PLURALS.values()), *text.KIND_COUNTS.values()]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_with_the_same_placeholders(language):
    words = catalogue(LOCALE, DOMAIN, language)
    for sentence in set(sentences()):
        translated = words.gettext(sentence)
        assert translated != sentence or len(re.findall(r"\w+", re.sub(r"\{\w+\}", "", sentence))) <= 1, sentence
        assert placeholders(translated) == placeholders(sentence), sentence
    for one, many in plurals():
        for count in (0, 1, 2):
            assert placeholders(words.ngettext(one, many, count)) <= placeholders(many), one


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_every_sentence_and_no_other(language):
    source = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text()
    known = {msgspec.json.decode(found) for found in re.findall(r'^msgid (".+")$', source, re.MULTILINE)}
    unmarked = {sentence for sentence in sentences() if not re.search("[A-Za-z,]", re.sub(r"\{\w+\}", "", sentence))}
    assert known - {""} == ({*sentences()} - unmarked) | {one for one, _ in plurals()} | {"{kind} {number}"}


def test_the_sentences_of_all_codes_exist():
    known = {*Words.sentences, *Words.plurals, *REFUSALS}
    for path in Path(text.__file__).parent.rglob("*.py"):
        for code in re.findall(r'(?:Text|sentence|IllegalAction)\(\s*"([a-z-]+)"', path.read_text()):
            assert code in known, (path.name, code)


@pytest.mark.parametrize(
    ("event", "english", "spanish"),
    [
        (
            events.GameBegan(B, ["ruby", "topaz"]),
            "The cave is filled. Ben goes first. Favourite treasures: Anna ruby, Ben topaz.",
            "La cueva está lista. Empieza Ben. Tesoros favoritos: Anna rubí, Ben topacio.",
        ),
        (events.RollRevealed(1, A, 3, again=False), "Anna rolls a 3.", "Anna saca un 3."),
        (events.RollRevealed(1, A, 3, again=True), "Anna may move again and rolls a 3.", None),
        (events.AladdinMoved(A, "E5", "E8", flew=False), "Anna moves Aladdin from E5 to E8.", None),
        (events.AladdinMoved(A, "E5", "A1", flew=True), "Anna flies with Aladdin from E5 to A1.", None),
        (
            events.AladdinMoved(A, "E5", "E8", flew=False, unasked=True),
            "Anna moves Aladdin from E5 to E8, the only way.",
            "Anna mueve a Aladino de E5 a E8, el único camino.",
        ),
        (
            events.AladdinMoved(A, "E5", "A1", flew=True, unasked=True),
            "Anna flies Aladdin from E5 to A1, the only choice.",
            "Anna vuela con Aladino de E5 a A1, la única opción.",
        ),
        (
            events.TokenRevealed("E8", token("S2m")),
            "E8 is turned over: sapphire 2 with the monkey.",
            "Se da la vuelta a E8: zafiro 2 con el mono.",
        ),
        (
            events.TokenPlaced(A, token("R5s"), "ruby-5", {"sorcerer": -3, "row": 5}, 12),
            "Anna takes ruby 5 with the sorcerer: sorcerer −3, row +5. Anna has 12 points.",
            "Anna toma rubí 5 con el brujo: brujo −3, fila +5. Anna tiene 12 puntos.",
        ),
        (
            events.TokenPlaced(C, token("EG"), "ruby-4", {}, 1),
            "Carla puts the genie on ruby 4: no points. Carla has 1 point.",
            "Carla pone el genio en rubí 4: ningún punto. Carla tiene 1 punto.",
        ),
        (events.GenieTaken(A, "E8", token("EG")), "Anna has found a genie.", None),
        (
            events.LastRoundCalled(A, "full"),
            "Anna has filled a whole board. The round is played to its end.",
            None,
        ),
    ],
)
def test_an_event_is_a_sentence(event, english, spanish):
    assert RULES.say(event, "en", NAMES) == english
    assert spanish is None or RULES.say(event, "es", NAMES) == spanish


def test_a_list_of_names_is_joined_as_people_write_it():
    words = Words("en", NAMES)
    assert [words.listed(NAMES[:count]) for count in range(4)] == ["", "Anna", "Anna and Ben", "Anna, Ben and Carla"]


def test_a_language_nobody_has_translated_is_english_and_a_region_falls_back():
    assert RULES.say(Text("title"), "fi", NAMES) == "Aladdin and the Cave of Wonders"
    assert RULES.say(Text("title"), "es-MX", NAMES) == "Aladino y la Cueva de las Maravillas"


def shown():
    cave = {"E6": "R3", "E8": "?S2m", "D4": "T5s", "A1": "?R1", "I5": "EG"}
    return position(cave, roll=2, boards=["R1c R2 R2 EG@R4", "T1"], scores=[8, 1], options={"equal_turns": "on"})


def test_the_board_in_words_says_what_the_viewer_sees_and_is_asked():
    board = RULES.describe(RULES.view(shown(), A), "en", NAMES[:2])
    for line in (
        "Aladdin and the Cave of Wonders - Turn 1",
        "Anna has rolled a 2.",
        "Equal turns: the last round is played to its end.",
        "A                 1:R?    2:-     3:-     4:-     5:-",
        "E 1:-     2:-     3:-     4:-     5:*     6:R3    7:-     8:S?    9:-",
        "Face down in the cave: 1 ruby and 1 sapphire. Nobody",
        "  right: E6 R3, E8 S?",
        "  down to the right: I5 G",
        "  left: no treasure",
        "Anna (you, to play, went first): 8 points, favourite topaz",
        "  ruby       1:c      2:xx     3:-      4:G      5:-",
        "Ben: 1 point, favourite sapphire",
        "Your turn: You rolled 2. Where to?",
        "  - Move Aladdin: E8, right: sapphire, face down",
    ):
        assert line in board, board
    assert "Your turn" not in RULES.describe(RULES.view(shown(), B), "en", NAMES[:2])


def test_every_space_can_be_read_off_the_board_in_words():
    state, _ = RULES.new(4, {}, "5eed" * 16)
    rows = dict(re.findall(r"^([A-I]) +(1:.*)$", RULES.describe(RULES.view(state, None), "en", NAMES), re.MULTILINE))
    found = {f"{row}{cell.split(':')[0]}" for row, line in rows.items() for cell in line.split()}
    assert found == set(SPACES)


def test_a_complete_row_and_column_are_told():
    state = position({"E6": "R1", "D4": "S1"}, boards=["R1 R2 R3 R4 R5 E1 S1 T1"])
    board = RULES.describe(RULES.view(state, None), "en", NAMES)
    assert "  ruby       1:x      2:x      3:x      4:x      5:x      row complete" in board
    assert "  columns complete: 1" in board


def test_the_picture_shows_kinds_and_hides_what_lies_face_down():
    drawn = RULES.picture(RULES.view(shown(), A), "en", NAMES[:2])
    spaces = {space["id"]: space for space in drawn["spaces"]}
    assert len(spaces) == 61
    hidden = spaces["E8"]
    assert (hidden["state"], hidden["kind"], hidden["number"], hidden["character"]) == ("hidden", "sapphire", None, "")
    assert hidden["summary"] == "sapphire, face down"
    assert (spaces["E5"]["state"], spaces["E7"]["state"]) == ("aladdin", "empty")
    assert (spaces["D4"]["number"], spaces["D4"]["character"]) == (5, "sorcerer")
    assert [space for space, one in spaces.items() if one["is_landing"]] == ["A1", "E8", "I5"]
    assert [line["to"] for line in drawn["lines"]] == ["E8", "I5", "A1"]
    assert (drawn["roll"], drawn["roll_label"]) == (2, "Roll 2")


def test_the_picture_lights_every_target_of_a_carpet():
    drawn = RULES.picture(RULES.view(carpet({"A1": "R4", "B1": "?S2m", "C1": "T2m"}), B), "en", NAMES)
    assert [space["id"] for space in drawn["spaces"] if space["is_landing"]] == ["A1", "B1"]
    assert drawn["roll"] is None


def test_the_picture_marks_rows_columns_trios_and_the_favourite():
    state = position({"E6": "R1", "D4": "S1"}, boards=["R1c R2 R3 EG@R4 R5 E1 S1 T1 T4 T4 T4"], start=1, turn=2)
    ben, anna = RULES.picture(RULES.view(state, A), "en", NAMES[:2])["players"]
    assert (ben["name"], anna["name"], anna["is_viewer"], anna["is_active"]) == ("Ben", "Anna", True, True)
    assert [row["is_complete"] for row in anna["rows"]] == [False, True, False, False]
    assert [column["is_complete"] for column in anna["columns"]] == [True, False, False, False, False]
    assert [row["kind"] for row in anna["rows"] if row["is_favourite"]] == ["topaz"]
    topaz = anna["rows"][3]["squares"]
    assert [(square["count"], square["is_trio"]) for square in topaz] == [
        (1, False), (0, False), (0, False), (3, True), (0, False),
    ]  # fmt: skip
    ruby = anna["rows"][1]["squares"]
    assert [square["has_carpet"] for square in ruby] == [True, False, False, False, False]
    assert [square["has_genie"] for square in ruby] == [False, False, False, True, False]


def test_nothing_in_the_picture_lies_beyond_its_sheet():
    for seats in (2, 3, 4):
        *_, last = walk(RULES, seats, 1)
        drawn = RULES.picture(RULES.view(last.after, None), "en", NAMES)
        for space in drawn["spaces"]:
            assert 20 <= space["x"] <= drawn["width"] - 20
        panels = [(player["x"], player["y"]) for player in drawn["players"]]
        assert len(set(panels)) == seats
        for x, y in panels:
            assert x + drawn["panel_width"] <= drawn["width"]
            assert y + drawn["panel_height"] <= drawn["height"]


def test_the_end_is_told_by_board_and_picture():
    state, _ = play(position({"E6": "R4", "D4": "S1"}, roll=1, scores=[46, 49]), MoveAladdin("E6"))
    reason = "Anna has reached 50 points. Anna wins with 50 points."
    assert reason in RULES.describe(RULES.view(state, B), "en", NAMES)
    drawn = RULES.picture(RULES.view(state, B), "en", NAMES)
    assert (drawn["outcome"], drawn["status"]) == (reason, reason)
    assert [player["place"] for player in drawn["players"]] == [1, 2]
