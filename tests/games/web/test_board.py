"""The boards of games: the figure of a page and the picture of a mail, in every state of a game."""

from functools import cache
from random import Random
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from django.utils import translation
from jinja2 import UndefinedError

from engine.registry import get_rules
from games.tables import boards
from tests.engine.aladdins_dragons.rules import DealtRules

RULES = get_rules("aladdins-dragons", 2)
MAGIC = DealtRules()  # it plays with all spells dealt; what it draws is drawn by the same code
NAMES = ["Anna", "Ben", "Carla", "David", "Eva"]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def states(seats: int, steps: int, rules=RULES):
    """A game played at random, state by state; it is played once for all who look at it."""
    return list(walk(seats, steps, rules))


def walk(seats: int, steps: int, rules):
    options = {option.name: option.default for option in RULES.options}
    state, _events = rules.new(seats, options | ({"version": "magic"} if rules is MAGIC else {}), f"{seats:064x}")
    dice = Random(seats)
    for _ in range(steps):
        yield state
        if RULES.outcome(state):
            return
        if RULES.is_advance_pending(state):
            state, _events = RULES.advance(state)
            continue
        decision = next(decision for decision in RULES.decisions(state) if decision.prompted)
        questions = RULES.questions(RULES.view(state, decision.seat))
        question = next(question for question in questions if question.decision.id == decision.id)
        state, _events = RULES.apply(state, decision.id, decision.seat, RULES.sample(question, dice))


def drawn(state, viewer: int | None, names: list[str] = NAMES):
    return RULES.picture(RULES.view(state, viewer), "en", names)


def svg_of(picture) -> str:
    return boards.svg("aladdins-dragons", picture, is_plain=True)


def figure_of(picture) -> BeautifulSoup:
    return BeautifulSoup(boards.figure(picture["rules"], picture), "html.parser")


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULES, MAGIC], ids=["basic", "magic"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everything_lies_within_its_space_and_every_space_on_the_sheet(seats, rules):
    for state in states(seats, 150, rules):
        picture = drawn(state, 0)
        notes = [note["y"] + note["height"] for note in picture["notes"]]
        assert max([0, *notes]) < picture["groups"][0]["y"]
        assert all(spell["x"] + spell["width"] < picture["width"] for spell in picture["own_spells"])
        assert all(spell["y"] < picture["players_y"] for spell in picture["own_spells"])
        assert picture["players"][-1]["y"] + picture["players"][-1]["height"] <= picture["bank_y"]
        for group in picture["groups"]:
            for space in group["spaces"]:
                assert space["x"] > 0 and space["x"] + space["width"] < picture["width"]
                assert space["y"] + space["height"] <= group["y"] + group["height"] <= picture["height"]
                for row in space["rows"]:
                    places = [(face["x"], face["y"]) for face in row["faces"]]
                    assert len(set(places)) == row["count"]
                    assert all(8 <= x <= space["width"] - 8 and row["y"] < y < space["height"] - 8 for x, y in places)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULES, MAGIC], ids=["basic", "magic"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_picture_is_a_file_of_its_own_without_styles_scripts_or_links(seats, rules):
    for step, state in enumerate(states(seats, 150, rules)):
        if step % 10 == 0:
            tree = ElementTree.fromstring(svg_of(drawn(state, 1)))  # noqa: S314 - our own file
            assert not list(tree.iter(f"{SVG}script")) + list(tree.iter(f"{SVG}style"))
            ids = {element.get("id") for element in tree.iter() if element.get("id")}
            for element in tree.iter():
                assert not {"style", "onload"} & set(element.attrib)
                assert element.get("class", "frame") == "frame"
                assert element.get("href", "#ad-title").removeprefix("#") in ids


def test_it_is_read_out_by_a_screen_reader():
    tree = ElementTree.fromstring(svg_of(drawn(states(3, 1)[0], 0)))  # noqa: S314 - our own file
    assert tree.get("role") == "img"
    assert tree.find(f"{SVG}title").text == "The board of Aladdin's Dragons, Before the first round"
    assert "Crown cave" in tree.find(f"{SVG}desc").text


@pytest.mark.parametrize("rules", [RULES, MAGIC], ids=["basic", "magic"])
def test_on_a_page_each_space_is_a_button_that_says_it_and_each_token_can_be_named(rules):
    for state in states(4, 120, rules)[::20]:
        picture = drawn(state, 0)
        page = figure_of(picture)
        spaces = [space for group in picture["groups"] for space in group["spaces"]]
        said = {button["data-pick"]: button["aria-label"] for button in page.select(".space > button")}
        assert said == {space["id"]: space["summary"] for space in spaces}
        tokens = [
            f"{space['id']}:{face['number']}" for space in spaces for row in space["rows"] for face in row["faces"]
        ]
        assert [token["data-pick"] for token in page.select(".space .token[data-pick]")] == tokens
        assert not page.select("button button, [style], style, script")


def test_on_a_page_its_reader_is_you():
    page = figure_of(drawn(states(3, 30)[-1], 1))
    assert [seat.select_one(".who").get_text(strip=True) for seat in page.select(".seat")] == ["Anna", "You", "Carla"]
    assert [seat["data-seat"] for seat in page.select(".seat.is-you")] == ["1"]


def test_every_artifact_says_where_it_lies_what_it_does():
    picture = drawn(states(3, 150, MAGIC)[-1], 0)
    said = {element["title"] for element in figure_of(picture).select("[title]")}
    tiles = [tile for player in picture["players"] for tile in player["tiles"]]
    offers = [space["offer_rule"] for group in picture["groups"] for space in group["spaces"] if space["offer_rule"]]
    assert tiles and offers and {*(tile["label"] for tile in tiles), *offers} <= said
    assert all(": " in tile["label"] for tile in tiles if tile["id"] != "hidden")


def test_every_character_in_the_cave_says_what_it_does():
    cave = get_rules("cave-of-wonders", 1)
    state, _events = cave.new(2, {option.name: option.default for option in cave.options}, "1" * 64)
    picture = cave.picture(cave.view(state, 0), "en", NAMES)
    said = [title.text for title in figure_of(picture).select("title")]
    rules = [character["rule"] for character in picture["characters"]]
    seen = [space["rule"] for space in picture["spaces"] if space["rule"]]
    assert seen and len({*rules}) == len(rules)
    assert all(any(title.endswith(rule) for title in said) for rule in seen)
    assert [card["rule"] for card in picture["cards"][0]["cards"]] == rules


def test_the_cave_on_a_page_has_a_score_sheet_for_each_player_and_a_target_for_each_landing():
    cave = get_rules("cave-of-wonders", 1)
    state, _events = cave.new(3, {option.name: option.default for option in cave.options}, "1" * 64)
    picture = cave.picture(cave.view(state, 0), "en", NAMES)
    page = figure_of(picture)
    assert [sheet["aria-label"] for sheet in page.select(".scores")] == [
        player["summary"] for player in sorted(picture["players"], key=lambda player: player["seat"])
    ]
    landings = [space["id"] for space in picture["spaces"] if space["is_landing"]]
    assert landings and [place["data-pick"] for place in page.select("[data-pick]")] == landings


def test_a_number_is_written_the_same_in_every_language():
    picture = drawn(states(3, 40)[-1], 0)
    with translation.override("es"):
        in_spanish = svg_of(picture)
    assert in_spanish == svg_of(picture)


def test_a_face_down_token_of_another_player_shows_no_value():
    """A29: others see owner and number of tokens."""
    state = states(3, 12)[-1]
    spaces = [space for group in drawn(state, None)["groups"] for space in group["spaces"]]
    tokens = [face for space in spaces for row in space["rows"] for face in row["faces"]]
    assert tokens
    assert all(face["value"] is None for face in tokens)


def test_a_name_cannot_break_out_of_the_picture():
    names = ['</text><script>alert("1")</script>', '" onload="x', "Carla"]
    ElementTree.fromstring(svg_of(drawn(states(3, 30)[-1], 0, names)))  # noqa: S314 - our own file
    assert "<script" not in svg_of(drawn(states(3, 1)[0], 0, names))
    page = figure_of(drawn(states(3, 1)[0], None, names))
    assert not page.select("script, [onload]") and page.select(".who")[0].get_text(strip=True) == names[0]


def test_a_hoard_that_is_not_seen_is_a_question():
    options = {option.name: option.default for option in RULES.options} | {"open_hoards": "off"}
    hidden, _events = RULES.new(3, options, "1" * 64)
    asked = [svg_of(drawn(state, 0)).count(">?</text>") for state in (hidden, states(3, 1)[0])]
    assert asked[0] == asked[1] + 2
    page = figure_of(drawn(hidden, 0))
    owners = [piece["data-piece"] for piece in page.select(".hoard [data-piece]")]
    assert len(owners) == 5 and all(owner.endswith(":0") for owner in owners)


def test_a_value_that_is_missing_is_an_error():
    picture = drawn(next(iter(states(3, 1))), 0)
    del picture["bank_label"]
    with pytest.raises(UndefinedError, match="bank_label"):
        svg_of(picture)
    del picture["players_label"]
    with pytest.raises(UndefinedError, match="players_label"):
        figure_of(picture)
