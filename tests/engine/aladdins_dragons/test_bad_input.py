"""What a player cannot do in the magic version is refused with a sentence, and nothing changes, byte for byte."""

from typing import NamedTuple

import pytest

from engine.aladdins_dragons.actions import Bribe, Buy, KeepSpell, Place, PlayCard, Reply
from engine.aladdins_dragons.cards.deck import ALL_CARDS
from engine.aladdins_dragons.model import Bribes, Effect, Purchase, Tent
from engine.core import IllegalAction, Text
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    PASS,
    at_window,
    declare,
    magic_table,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, play, tally

NAMES = ["Anna", "Ben", "Carla"]
SPELLS = "charity dragon_leaves dragons_return lunar_eclipse mages_apprentice mirage second_chance taboo teleport"
SPACES = {
    "cave-gold": "B9", "market": "A7 B5", "caravanserai": "C4", "guard": "A9 B8", "room-1": "A4 B1",
    "room-2": "A1 A2 A5 A6 A8",
}  # fmt: skip


def no(what, value):
    return f"{what}: {value} can't be chosen now."


def at_most(most, what):
    return f"{what}: choose between 0 and {most}."


def cannot(card):
    return f"You can't play {card} now: you have none to use, or there's nothing it could do."


def extra(what):
    return f"{what}: this isn't part of the question."


def together(total, what):
    return f"{what}: choose {total} in all."


STALE = "You can no longer answer this question."


class Case(NamedTuple):
    """What Anna tries at the market, and what she is told. Taboo! lies on the caravanserai."""

    name: str
    action: object
    sentence: str


def at_market():
    """Anna has most spells, a lamp and a carpet; gem cave and gold cave had treasure, the gold cave is tallied."""
    state = magic_table(
        caves={"gem": [4, 2], "gold": [3]}, spaces=SPACES, tiles=["lamp carpet", "lamp", "lamp"],
        spells=[SPELLS, "spy", ""], hoards=[{"gem": 9}],
    )  # fmt: skip
    state.magic.effects = [Effect("closed", C, "caravanserai")]
    return at_window(state, "market")


def move(token, to):
    return declare("second_chance", token=token, to=to)


def port(token, to, **pay):
    return declare("teleport", token=token, to=to, pay=pay)


CASES = [
    # targets that do not exist
    Case("no such space", declare("taboo", space="bazaar"), no("Space", "bazaar")),
    Case("a room not in use", declare("taboo", space="room-4"), no("Space", "Room 4")),
    Case("a space by number", declare("taboo", space=3), no("Space", "3")),
    Case("no such token", move("market:9", "room-3"), no("Token", "the token no. 9 at the market")),
    Case("not her token", move("market:2", "room-3"), no("Token", "the token no. 2 at the market")),
    Case("her own token", port("market:1", "room-3", gem=3), no("Token", "the token no. 1 at the market")),
    Case("no such artifact", declare("mages_apprentice", space="room-1", give="crown"), no("What you give", "Crowns")),
    Case("no such kind", declare("charity", take={"ruby": 3}), no("What you take", "ruby")),
    Case("no such card", declare("thunder"), "That doesn't answer the question."),
    Case("nothing named", declare("taboo"), "Space: please choose."),
    Case("more than is asked", declare("taboo", space="tent", seat=1), extra("Player")),
    # cards not held
    Case("a spell of Ben's", declare("spy"), cannot("Spy")),
    Case("an artifact she has not", declare("double", token="market:1"), cannot("Double")),
    Case("an artifact nobody uses", declare("scroll"), cannot("Scroll")),
    Case("nothing to copy", declare("parasite", variant="carpet"), cannot("Parasite")),
    Case("giving anything", declare("mages_apprentice", space="room-1", give="key"), no("What you give", "Key")),
    # at another moment
    Case("a purchase's card in a window", declare("abracadabra"), cannot("Abracadabra")),
    Case("a key in a window", declare("key"), cannot("Key")),
    Case("a counterspell against nothing", declare("counterspell", play=0), cannot("Counterspell")),
    # into tallied or closed spaces
    Case("moving to a tallied space", move("market:1", "tent"), no("Where it goes", "Aladdin's tent")),
    Case("moving under Taboo!", move("market:1", "caravanserai"), no("Where it goes", "Caravanserai")),
    Case("another's under Taboo!", port("market:2", "caravanserai", gem=3), no("Where it goes", "Caravanserai")),
    Case("moving into a bare cave", move("market:1", "cave-pearl"), no("Where it goes", "Pearl cave")),
    Case("a sixth token in a room", move("market:1", "room-2"), no("Where it goes", "Room 2")),
    Case("leaves on a tallied cave", declare("dragon_leaves", space="cave-gold"), cannot("Dragon Leaves")),
    Case("a tallied cave's treasure", declare("dragons_return", space="cave-gold"), cannot("Dragon's Return")),
    # the guard
    Case("Taboo! on the guard", declare("taboo", space="guard"), no("Space", "Palace guard")),
    Case("an eclipse of the guard", declare("lunar_eclipse", space="guard"), no("Space", "Palace guard")),
    Case("moving to the guard", move("market:1", "guard"), no("Where it goes", "Palace guard")),
    Case("moving from the guard", move("guard:1", "room-3"), no("Token", "the token no. 1 at the palace guard")),
    Case("another's", port("guard:2", "room-3", gem=3), no("Token", "the token no. 2 at the palace guard")),
    # payments that do not match
    Case("too little", declare("charity", take={"gem": 2}), together(3, "What you take")),
    Case("too much", declare("charity", take={"gem": 4}), at_most("3 gemstones", "What you take")),
    Case("less than nothing", declare("charity", take={"gem": 4, "gold": -1}), at_most("3 gemstones", "What you take")),
    Case("paid too little", port("market:2", "room-3", gem=2), together(3, "What you pay")),
    Case("paid with what she has not", port("market:2", "room-3", gold=3), no("What you pay", "Gold bars")),
    Case("a word", declare("teleport", token="market:2", to="room-3", pay="gem"), no("What you pay", "Gemstones")),
]  # fmt: skip


def refusal(state, decision, seat, action, language="en"):
    """What the seat is told, without what it may choose; the state is what it was."""
    return sentence(state, decision, seat, action, language).partition(" Possible:")[0]


def sentence(state, decision, seat, action, language="en"):
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction) as refused:
        MAGIC_RULES.apply(state, decision, seat, action)
    assert MAGIC_RULES.dump(state) == before
    return MAGIC_RULES.say(refused.value.text, language, NAMES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_cannot_be_played_is_refused_with_a_sentence_a77(case):
    state = at_market()
    assert refusal(state, "r1-window-market-1", A, case.action) == case.sentence
    spanish = refusal(state, "r1-window-market-1", A, case.action, "es")
    assert spanish != case.sentence and "{" not in spanish


@pytest.mark.parametrize(
    ("action", "language", "choices"),
    [
        (move("market:1", "room-2"), "en", "Possible: Market, Room 1, Room 3"),
        (move("market:1", "room-2"), "es", "Puedes elegir: Mercado, Sala 1, Sala 3"),
        (move("market:1", "room-2"), "de", "Möglich: Markt, Kammer 1, Kammer 3"),
        (port("market:2", "room-3", gold=3), "en", "Possible: Gemstones"),
        (declare("taboo", space="guard"), "en", "House of the Djinn, Market, …"),
    ],
)
def test_a_refusal_of_a_choice_names_what_would_do_as_far_as_one_reads(action, language, choices):
    assert sentence(at_market(), "r1-window-market-1", A, action, language).endswith(choices)


@pytest.mark.parametrize("name", ALL_CARDS)
def test_no_card_is_played_that_is_not_held_a82_a84(name):
    """Ben is asked, for he has a tile nobody has seen; but it is a scroll."""
    state = magic_table(spaces={"market": "A7"}, tiles=["lamp", "scroll", "lamp"])
    state.magic.unknown[B] = ["scroll"]
    title = MAGIC_RULES.say(Text("card", {"card": {"card": name}}), "en", NAMES)
    assert refusal(at_window(state, "market"), "r1-window-market-1", B, declare(name)) == cannot(title)


def test_no_use_beyond_the_allowance_a82():
    state = magic_table(
        spaces={"market": "A7", "caravanserai": "A4"},
        tiles=["carpet double lamp", "carpet", "lamp"],
        spells=["charity"],
    )
    state, _ = play(at_window(state, "market"), (A, declare("carpet")), (B, PASS))
    for card, targets in (("double", {"token": "market:1"}), ("lamp", {}), ("charity", {"take": {"gem": 3}})):
        assert refusal(state, "r1-window-market-2", A, declare(card, **targets)) == STALE
    state = at_window(state, "caravanserai")
    state.agenda[-1].entitled, state.agenda[-1].answers = [A, B], [None, None]
    for card, targets in (("double", {"token": "market:1"}), ("lamp", {}), ("charity", {"take": {"gem": 3}})):
        title = MAGIC_RULES.say(Text("card", {"card": {"card": card}}), "en", NAMES)
        assert refusal(state, "r1-window-caravanserai-1", A, declare(card, **targets)) == cannot(title)


@pytest.mark.parametrize(
    ("token", "space", "sentence"),
    [
        (9, "market", no("Space", "Market")),
        (9, "cave-pearl", no("Space", "Pearl cave")),
        (9, "room-1", no("Space", "Room 1")),
        (3, "tent", no("Token", "3")),
        (1, "tent", no("Token", "1")),
        (9, "room-4", no("Space", "Room 4")),
    ],
)
def test_no_token_is_placed_where_it_may_not_lie_a23_a25_s19(token, space, sentence):
    """Taboo! lies on the market, the pearl cave is bare, and Anna has five tokens in the first room."""
    state = magic_table(caves={"gem": [4]}, spaces={"room-1": "A1 A2 A4 A5 A6"})
    state.magic.effects = [Effect("closed", C, "market")]
    assert refusal(state, "r1-place-0-1", A, Place(token, space)) == sentence


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Bribe({"gem": 1}), together(2, "What you pay")),
        (Bribe({"gem": 3}), at_most("2 gemstones", "What you pay")),
        (Bribe({"gold": 2}), no("What you pay", "Gold bars")),
        (declare("key"), cannot("Key")),
        (declare("parasite", variant="key"), cannot("Parasite")),
        (declare("carpet"), cannot("Flying Carpet")),
    ],
)
def test_nobody_enters_by_a_wrong_bribe_or_a_key_he_has_not_a62_a64(action, sentence):
    state, _ = tally(magic_table(guard=9, spaces={"guard": "A7"}, hoards=[{"gem": 9}], spells=["parasite"]))
    state, _ = silence(state, lambda now: isinstance(now.agenda[-1], Bribes))
    assert refusal(state, MAGIC_RULES.decisions(state)[0].id, A, action) == sentence


REPEATED = "Pay for each of your tokens with a different kind of treasure: you've chosen Gemstones twice."


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Buy(pay_7="gem", pay_1="gem"), REPEATED),
        (declare("abracadabra", pay_7="gem", pay_1="gem"), REPEATED),
        (declare("abracadabra"), "Payment for your 7: please choose."),
        (declare("abracadabra", pay_7="crown", pay_1="gold"), no("Payment for your 7", "Crowns")),
        (PlayCard("abracadabra", {"pay_7": "gem", "pay_1": "gold", "card": "key"}), extra("Card")),
        (declare("mirage", space="room-1"), cannot("Mirage")),
    ],
)  # fmt: skip
def test_a_room_is_not_paid_otherwise_with_a_spell_than_without_a69_s2(action, sentence):
    """The rulebook: with a 7 and a 1 one cannot pay 8 of one kind."""
    state = magic_table(
        guard=1,
        spaces={"guard": "A9", "room-1": "A7 A1"},
        hoards=[{"gem": 9, "gold": 9}],
        spells=["abracadabra mirage"],
    )
    state, _ = silence(tally(state)[0], lambda now: isinstance(now.agenda[-1], Purchase))
    assert refusal(state, "r1-room-1-buy", A, action) == sentence


def test_the_tent_keeps_none_but_what_was_drawn_a53():
    state, _ = tally(magic_table(spaces={"tent": "A7"}))
    state.agenda[-1].cards[:] = ["spy", "taboo"]
    assert isinstance(state.agenda[-1], Tent)
    assert refusal(state, "r1-tent", A, KeepSpell("charity")) == no("Card", "Charity")
    assert refusal(state, "r1-tent", A, PASS) == "That doesn't answer the question."


@pytest.mark.parametrize(
    ("pay", "sentence"),
    [
        ({"gem": 4}, together(5, "What you pay")),
        ({"gem": 6}, at_most("5 gemstones", "What you pay")),
        ({"pearl": 5}, no("What you pay", "Pearls")),
        ({"gem": 3, "gold": 3}, together(5, "What you pay")),
    ],
)
def test_a_donation_is_the_price_and_of_what_one_has_s6(pay, sentence):
    state = at_window(magic_table(spells=["donation"], hoards=[{"gem": 6, "gold": 4}]), "placed")
    state, _ = play(state, (A, declare("donation")))
    assert refusal(state, "r1-ask-donation-1", A, Reply("donate", {"pay": pay})) == sentence


@pytest.mark.parametrize(
    ("decision", "seat"),
    [("r1-window-market-1", C), ("r1-window-market-2", A), ("r1-window-tent-1", A), ("r2-window-market-1", A), ("", A)],
)
def test_nobody_answers_for_another_seat_or_another_time_a76(decision, seat):
    assert refusal(at_market(), decision, seat, PASS) == STALE


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "play_taboo", "space": ["tent"]},
        {"type": "play_taboo", "space": None},
        {"type": "play_charity", "take": {"gem": "3"}},
        {"type": "play_charity", "take": {"gem": 1.5}},
        {"type": "answer_donate", "pay": [5]},
        {"type": "keep_spell"},
        {"type": "keep_spell", "card": 7},
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence_a77(raw):
    with pytest.raises(IllegalAction) as refused:
        MAGIC_RULES.parse(raw)
    assert MAGIC_RULES.say(refused.value.text, "en", NAMES).startswith("This answer can't be read: ")
