"""The sentences, in every language, and the board in words and as a picture."""

import re
import string
from pathlib import Path

import msgspec
import pytest

from engine.aladdins_dragons import events, recaps
from engine.aladdins_dragons import sentences as text
from engine.aladdins_dragons.actions import Buy, Decline
from engine.aladdins_dragons.words import DOMAIN, LOCALE, Words
from engine.core import IllegalAction, Text
from engine.core.language import catalogue
from tests.engine.aladdins_dragons.table import RULES, A, B, asked, play, table, tallied

NAMES = ["Anna", "Ben", "Carla", "David", "Eva"]
LANGUAGES = sorted(path.name for path in LOCALE.iterdir())
TABLES = (
    text.KIND_NAMES, text.SPACE_NAMES, text.SPACE_SHORT, text.SPACE_PLACES, text.FIELD_NAMES, text.SENTENCES,
    text.LISTS, text.CARD_TITLES, text.CARD_SHORT,
    text.CARD_RULES, text.CARD_SENTENCES,
    events.EVENT_SENTENCES, recaps.FIGURE_SENTENCES,
)  # fmt: skip


def sentences() -> list[str]:
    return [sentence for each in TABLES for sentence in each.values()]


def plurals() -> list[tuple[str, str]]:
    return [
        *text.KIND_COUNTS.values(),
        *((one, many) for _, one, many in [*text.PLURALS.values(), *events.EVENT_PLURALS.values()]),
    ]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_with_the_same_placeholders(language):
    words = catalogue(LOCALE, DOMAIN, language)
    said_the_same = {
        ", ",
        "{kind}",
        "{seat}",
        "{space}",
        "{value}",
        "{space}: {totals}.",
        "No",
        "{card}",
        "{amounts}",
        "{why}",
        "{rule}",
        "Abracadabra",
        "Gold",
        "Version",
        "{space}: {results}",
        "{space}: {totals}. {results}",
    }
    for sentence in set(sentences()):
        translated = words.gettext(sentence)
        assert translated != sentence or sentence in said_the_same, sentence
        assert placeholders(translated) == placeholders(sentence), sentence
    for one, many in plurals():
        for count in (0, 1, 2):
            translated = words.ngettext(one, many, count)
            assert translated not in (one, many), one
            assert placeholders(translated) <= placeholders(many), one


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_its_source(language):
    source = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text()
    words = catalogue(LOCALE, DOMAIN, language)
    for block in source.split("\n\n")[1:]:
        lines = dict(line.split(" ", 1) for line in block.splitlines() if line.startswith("msg"))
        said = {name: msgspec.json.decode(value) for name, value in lines.items()}
        if "msgid_plural" in said:
            assert words.ngettext(said["msgid"], said["msgid_plural"], 1) == said["msgstr[0]"]
            assert words.ngettext(said["msgid"], said["msgid_plural"], 2) == said["msgstr[1]"]
        else:
            assert words.gettext(said["msgid"]) == said["msgstr"]


def test_a_language_nobody_has_translated_is_english_and_a_region_falls_back():
    assert RULES.say(Text("title"), "fi", NAMES) == "Aladdin's Dragons"
    assert RULES.say(Text("title"), "es-MX", NAMES) == "Los dragones de Aladino"
    assert RULES.say(Text("title"), "es_MX", NAMES) == "Los dragones de Aladino"


@pytest.mark.parametrize(
    ("event", "english", "spanish"),
    [
        (
            events.TreasureTaken(A, {"gem": 2, "crown": 1}, "cave-gem"),
            "Anna takes 1 crown and 2 gemstones in the gemstone cave.",
            "Anna toma 1 corona y 2 gemas en la cueva de las gemas.",
        ),
        (events.TokenPlaced(B, "market", None, False), "Ben places a token at the market.", None),
        (events.TokenPlaced(B, "market", 9, False), "Ben places the 9 at the market.", None),
        (events.TokensEvicted(A, 1, None), "Anna takes 1 token back from the rooms.", None),
        (events.TokensEvicted(A, 2, [1, 7]), "Anna takes 2 tokens back from the rooms: 1/7.", None),
        (events.CamelGiven(A, A), "Anna takes the camel and now goes first.", None),
        (
            events.SpaceRanked("market", [A, B], [7, 7], [[A, B]]),
            "Market: Anna 7, Ben 7. The tie goes by turn order from the camel: Anna, Ben.",
            None,
        ),
        (
            events.CavesFilled(
                "3-01", {"crown": [5, 3], "pearl": [], "gem": [4], "trophy": [], "gold": []}, {"gem": 2}
            ),
            "The caves are filled: Crowns 5/3, Gemstones 4. The bank lacked 2 gemstones.",
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


def test_a_refusal_names_what_was_wrong_in_the_readers_words():
    state, _ = tallied(guard=5, spaces={"guard": "A5", "room-1": "A7 A1"}, hoards=[{"gem": 9, "gold": 1}])
    with pytest.raises(IllegalAction) as refusal:
        RULES.check(state, "r1-room-1-buy", A, Buy(pay_7="crown", pay_1="gem"))
    assert RULES.say(refusal.value.text, "en", NAMES).startswith(
        "Payment for your 7: Crowns can't be chosen now. Possible: "
    )


def test_the_board_in_words_says_what_the_viewer_sees_and_is_asked():
    state, _ = tallied(
        guard=5, spaces={"guard": "A5 B5", "room-1": "A7", "room-2": "B9"}, hoards=[{"gem": 7}, {}, {"gold": 1}]
    )
    board = RULES.describe(RULES.view(state, A), "en", NAMES[:3])
    for line in (
        "Palace guard: guard 5; tallied; Anna 5 = 5, Ben 5 = 5",
        "Room 1: 6 artifacts left; being tallied; Anna 7 = 7",
        "Room 2: 6 artifacts left; Ben ?",
        "Your turn: Buy an artifact in room 1 for 7?",
        "  - Buy the artifact for 7\n    Pay your 7 with: one of 7 gemstones (you have 7)",
        "Carla: 0 artifacts; 8 tokens in hand; treasure 1 (1 gold bar)",
        "Your hand: 1 2 4 6 8 9",
    ):
        assert line in board
    assert "Ben 9*" in RULES.describe(RULES.view(state, B), "en", NAMES[:3])


def words_of(state, seat):
    """The title and the hint of the open question, as its player reads them."""
    (question,) = RULES.view(state, seat).questions
    return RULES.say(question.title, "en", NAMES), RULES.say(question.hint, "en", NAMES)


def test_a_purchase_says_its_price_what_one_owns_and_who_may_buy_next():
    position = {"guard": 5, "spaces": {"guard": "A5 B5", "room-1": "A7 B2"}}
    state, _ = tallied(**position, hoards=[{"gem": 9}, {"gold": 2}])  # A70: then the next in strength
    assert words_of(state, A) == (
        "Buy an artifact in room 1 for 7?",
        "If you don't buy it, next in line: Ben. You have 9 gemstones.",
    )
    poor, _ = tallied(**position, open_hoards=False, hoards=[{"gem": 5, "gold": 4}, {}])  # A69: one kind for each token
    assert words_of(poor, A) == (
        "Buy an artifact in room 1 for 7?",  # public facts alone
        "You can't pay with 5 gemstones and 4 gold bars: one kind for each token, all different. Next in line: Ben.",
    )


def test_who_has_the_camel_is_told_so():
    for owner, hint, button in ((A, "You have it now.", "button-keep-camel"), (B, "Now: Ben.", "button-leave-camel")):
        state, _ = tallied(camel=owner, spaces={"caravanserai": "A5"})
        (question,) = RULES.view(state, A).questions
        assert words_of(state, A)[1] == f"The camel's owner goes first and wins ties. {hint}"
        assert question.actions[1].button.code == button


def test_the_guards_question_says_his_price_and_what_one_owns():
    position = {"guard": 7, "spaces": {"guard": "A5", "room-1": "A7"}}
    state, _ = tallied(**position, hoards=[{"gem": 3}])  # A62: what is missing is paid
    title = "Bribe the guard with 2?"
    assert words_of(state, A) == (title, "Guard 7, you 5.")
    poor, _ = tallied(**position, open_hoards=False, hoards=[{"gem": 1}])
    assert words_of(poor, A) == (title, "You can't afford it: guard 7, you 5. You have 1 gemstone.")


def test_every_legal_kind_of_answer_is_in_the_board_in_words():
    state = table(caves={"gem": [4]})
    board = RULES.describe(RULES.view(state, A), "en", NAMES[:3])
    assert "Token: one of 1, 2, 4, 5, 6, 7, 8, 9" in board
    assert "Gemstone cave (shelves 4)" in board


def seen_faces(row):
    return [(face["value"], face["face_up"], face["mine"]) for face in row["faces"]]


def test_the_picture_hides_what_the_viewer_may_not_see():
    state, _ = tallied(guard=5, spaces={"guard": "A5 B5", "room-1": "A7", "room-2": "B9"}, hoards=[{"gem": 7}])
    drawn = RULES.picture(RULES.view(state, A), "en", NAMES[:3])
    spaces = {space["id"]: space for group in drawn["groups"] for space in group["spaces"]}
    assert [group["id"] for group in drawn["groups"]] == ["palace", "city", "caves"]
    assert [space["id"] for space in drawn["groups"][1]["spaces"]] == ["caravanserai", "market", "djinn", "tent"]
    (own,) = spaces["room-1"]["rows"]
    assert (own["seat"], own["name"], own["count"], own["total"], own["rank"]) == (A, "Anna", 1, 7, 1)
    assert seen_faces(own) == [(7, True, True)]
    assert seen_faces(spaces["room-2"]["rows"][0]) == [(None, False, False)]
    assert (spaces["guard"]["guard"], spaces["guard"]["state"]) == (5, "tallied")
    assert (spaces["room-1"]["state"], spaces["tent"]["state"]) == ("tallying", "closed")
    assert drawn["players"][A]["is_asked"]
    assert drawn["players"][B]["is_in_palace"]
    assert drawn["hand"] == [1, 2, 4, 6, 8, 9]
    assert RULES.picture(RULES.view(state, None), "en", NAMES[:3])["hand"] is None


def test_the_end_is_told_by_board_and_picture():
    state, _ = tallied(
        guard=5,
        spaces={"guard": "A5", "room-1": "A1"},
        hoards=[{"gem": 1}],
        stacks={"room-1": 1, "room-2": 0, "room-3": 0},
        artifacts=[1, 0, 0],
    )
    declined, _ = play(state, (A, Decline()))
    assert RULES.picture(RULES.view(declined, B), "en", NAMES[:3])["outcome"] is None
    assert asked(state).decision.seat == A
    state, _ = play(state, (A, Buy(pay_1="gem")))
    reason = "Anna wins, with 2 artifacts, as the last artifact is sold."
    assert reason in RULES.describe(RULES.view(state, B), "en", NAMES[:3])
    drawn = RULES.picture(RULES.view(state, B), "en", NAMES[:3])
    assert (drawn["outcome"], drawn["players"][A]["place"]) == (reason, 1)


def test_the_sentences_of_all_events_exist():
    """Each code that the sources name is in the tables."""
    folder = Path(text.__file__).parent
    known = {*Words.sentences, *Words.plurals}
    for path in folder.rglob("*.py"):
        for code in re.findall(r'Text\(\s*"([a-z-]+)"', path.read_text()):
            assert code in known, (path.name, code)
