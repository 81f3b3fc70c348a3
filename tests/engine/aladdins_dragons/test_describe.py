"""What text board and picture say of the magic version: windows, plays, what lasts, cards, and nothing hidden."""

import pytest

from engine.aladdins_dragons import effects
from engine.aladdins_dragons.model import Ask, Effect, Play, Resolve, Tent, Token, Window
from engine.aladdins_dragons.words import Words
from engine.core import Text
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, PASS, at_window, declare, magic_table
from tests.engine.aladdins_dragons.table import A, B, C, play

NAMES = ["Anna", "Ben", "Carla"]
SPACES = {"market": "A8 B7", "tent": "B4", "room-1": "A4 B9"}


def position():
    return magic_table(
        tiles=["lamp carpet", "lamp counterspell", "lamp key"],
        spells=["charity second_chance", "taboo", "spy"],
        spaces=SPACES,
    )


def board(state, viewer, language="en"):
    text = MAGIC_RULES.describe(MAGIC_RULES.view(state, viewer), language, NAMES)
    return " ".join(text.split())


def drawn(state, viewer):
    return MAGIC_RULES.picture(MAGIC_RULES.view(state, viewer), "en", NAMES)


def spaces_of(picture):
    return {space["id"]: space for group in picture["groups"] for space in group["spaces"]}


def texts(state, viewer=None):
    return [note["text"] for note in drawn(state, viewer)["notes"]]


def test_a_window_says_where_it_is_and_what_was_played_with_its_aims_a77():
    state = at_window(position(), "market")
    assert texts(state) == ["The tally is at the market. Cards may be played (pass 1)."]
    state, _ = play(state, (A, PASS), (B, declare("taboo", space="room-2")), (C, PASS))
    shown = "The tally is at the market. Cards may be played (pass 2)."
    assert texts(state) == [shown, "Played: Aladdin's Lamp (Ben)", "Played: Taboo! in room 2 (Ben)"]
    title = next(q for q in MAGIC_RULES.view(state, A).questions).title
    assert MAGIC_RULES.say(title, "en", NAMES) == "Aladdin's Lamp (Ben), Taboo! in room 2 (Ben). Play a card too?"
    assert "Played: Taboo! in room 2 (Ben)" in board(state, C)


def test_a_card_aimed_at_a_card_names_it():
    state = at_window(position(), "market")
    state.agenda[-1].plays = [Play(B, "taboo", {"space": "room-2"}), Play(C, "counterspell", {"play": 0})]
    assert "Played: Counterspell: Taboo! (Carla)" in texts(state)


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ({}, "Charity"),
        ({"space": "market"}, "Charity at the market"),
        ({"take": {"gem": 2, "gold": 1}}, "Charity: 2 gemstones and 1 gold bar"),
        ({"token": "tent:2", "to": "market"}, "Charity: the token no. 2 in Aladdin's tent → Market"),
        ({"seat": 2, "token": "tent:1"}, "Charity: Carla, the token no. 1 in Aladdin's tent"),
        ({"space": "room-1", "give": "key"}, "Charity: in room 1, Key"),
    ],
)
def test_every_kind_of_aim_has_its_words(targets, said):
    assert Words("en", NAMES).plays([(A, "charity", targets, [])]) == f"{said} (Anna)"


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (Window("start"), "The round begins."),
        (Window("placed"), "All tokens are placed; the tally comes next."),
        (Window("caves"), "The caves are done; the city comes next."),
        (Window("declared-2"), "Someone plays a card while tokens are placed."),
        (Window("room-1", "reply"), "What was just played may be answered."),
    ],
)
def test_every_window_says_where_it_stands_a91(window, said):
    state = position()
    state.agenda.append(window)
    assert texts(state)[0].startswith(said)


def test_who_must_answer_a_card_and_what_is_still_to_take_effect_is_said_a75_a93():
    state = position()
    state.agenda += [
        Resolve([Play(B, "charity", {"take": {"gem": 3}})]),
        Ask("donation", Play(A, "donation"), [B, C], [0, 0, 0]),
    ]
    assert texts(state) == [
        "Donation (Anna): it is for Ben and Carla to answer.",
        "Still to take effect: Charity: 3 gemstones (Ben).",
    ]


def test_who_chooses_at_the_tent_is_said_and_not_between_what_a53():
    state = position()
    state.agenda.append(Tent(B, ["smuggler", "mirage"], C))
    assert texts(state, A) == ["The tent: Ben chooses a spell card; Carla gets the other."]
    assert "Smuggler" not in board(state, A)
    assert "Smuggler" in board(state, B)


def test_every_effect_that_lasts_is_said():
    state = at_window(position(), "market")
    names = (effects.CLOSED, effects.FACE_UP, effects.LAST_FIRST, effects.FIRST)
    state.magic.effects = [
        Effect(name, C, "room-1" if name in (effects.CLOSED, effects.FIRST) else "") for name in names
    ]
    for option in ("reverse", "swap19"):
        state.magic.last_first = option
        assert len(set(texts(state))) == 1 + len(names)
    assert "Room 1: no more tokens may come in this round." in board(state, A)
    assert [mark["id"] for mark in spaces_of(drawn(state, A))["room-1"]["marks"]] == ["closed", "first"]


def test_carpets_and_doubles_are_told_from_tokens_of_the_hand_a71():
    state = at_window(position(), "market")
    state.spaces["market"] += [Token(A, 3, True, 7, "carpet"), Token(B, 7, True, 8, "double")]
    assert "Anna 8 3 (Flying Carpet), Ben 7 7 (Double)" in board(state, C)
    faces = [face["source"] for row in spaces_of(drawn(state, C))["market"]["rows"] for face in row["faces"]]
    assert faces == ["", "carpet", "", "double"]


def test_everybody_sees_how_many_spells_and_uses_and_the_tiles_that_are_known_a47():
    state = at_window(position(), "market")
    state.magic.used[A] = ["carpet"]
    anna, ben, _carla = drawn(state, C)["players"]
    assert (anna["spells"], anna["uses_label"]) == (2, "0 artifact uses left")
    assert [(tile["id"], tile["is_used"]) for tile in anna["tiles"]] == [("carpet", True), ("lamp", False)]
    assert [tile["id"] for tile in ben["tiles"]] == ["counterspell", "lamp"]


@pytest.mark.parametrize("open_hoards", [True, False])
def test_tiles_are_shown_as_far_as_everybody_could_know_them_hidden_hoards_or_not_a47(open_hoards):
    state = at_window(position(), "market")
    state.open_hoards = open_hoards
    state.magic.used[A] = ["carpet"]
    state.magic.unknown[B] = ["counterspell"]
    anna, ben, carla = drawn(state, C)["players"]
    assert [tile["id"] for tile in anna["tiles"]] == ["carpet", "lamp"]
    assert [tile["id"] for tile in ben["tiles"]] == ["lamp", "hidden"]
    assert [tile["id"] for tile in carla["tiles"]] == ["key", "lamp"]


def test_a_tile_only_its_owner_knows_is_face_down_for_others_s2():
    state = at_window(position(), "market")
    state.magic.unknown[B] = ["counterspell"]
    assert [tile["id"] for tile in drawn(state, A)["players"][B]["tiles"]] == ["lamp", "hidden"]
    assert [tile["id"] for tile in drawn(state, B)["players"][B]["tiles"]] == ["counterspell", "lamp"]


def test_what_is_for_sale_lies_face_up_and_what_comes_next_does_not_a17():
    state = at_window(position(), "market")
    state.stacks["room-1"][-1] = "scroll"
    state.magic.offers.remove("room-2")
    spaces = spaces_of(drawn(state, A))
    assert (spaces["room-1"]["offer"], spaces["room-1"]["artifact"]) == ("scroll", "Scroll")
    assert (spaces["room-2"]["offer"], spaces["room-2"]["artifact"]) == ("hidden", None)
    assert "Room 2: 5 artifacts left; the next one comes up next round" in board(state, A)


def test_the_own_cards_are_listed_with_what_they_do_and_nobody_elses():
    state = at_window(position(), "market")
    lists = {group["label"]: [card["name"] for card in group["cards"]] for group in drawn(state, A)["cards"]}
    assert lists["Your spells"] == ["Charity", "2nd Chance"]
    assert lists["Your artifacts"] == ["Flying Carpet", "Aladdin's Lamp"]
    assert "Charity: Take treasure worth 3 from the bank, in any kinds it has." in board(state, A)
    for viewer in (None, B):
        assert "Charity" not in board(state, viewer)
        assert "Charity" not in str(drawn(state, viewer))


def test_the_text_board_says_what_cannot_be_chosen_together():
    state = at_window(magic_table(spaces=SPACES, spells=["second_chance"]), "placed")
    assert "(not with: Market)" in board(state, A)


def test_a_card_is_said_in_the_log_with_what_it_is_aimed_at():
    state = at_window(position(), "market")
    _, events = play(state, (A, declare("charity", take={"gem": 3})), (B, PASS), (C, PASS))
    said = [MAGIC_RULES.say(event, "en", NAMES) for event in events]
    assert "Anna plays Charity: 3 gemstones." in said


def test_a_barred_choice_is_refused_with_both_names():
    text = Text("illegal-pair", {"value": {"option": "market"}, "other": {"option": "tent:2"}})
    assert "the token no. 2 in Aladdin's tent, Market" in MAGIC_RULES.say(text, "en", NAMES)
