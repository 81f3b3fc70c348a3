"""The greedy bot plays a card when it helps at once, as far as it can see."""

from random import Random

import pytest

from engine.aladdins_dragons.actions import (
    Bribe,
    Buy,
    Exchange,
    GiveCamel,
    KeepSpell,
    LeaveCamel,
    Pass,
    PlayCard,
    StayOut,
)  # fmt: skip
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.flow import run
from engine.aladdins_dragons.greedy import GreedyBot
from engine.aladdins_dragons.model import Ask, Bribes, Purchase, Tent, Window
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, declare, magic_table, silence
from tests.engine.aladdins_dragons.table import A, B, C, play, tallied, tally

RICH = {"gem": 4, "gold": 4, "crown": 4}


def answer(state, seat=A):
    """What the bot answers to what the seat is asked."""
    view = MAGIC_RULES.view(state, seat)
    question = next(question for question in view.questions if question.decision.prompted)
    return GreedyBot().choose(view, question, Random(1))


def at_cave(tiles="lamp", spells="", row="A5 B7", *, lit=True, **position):
    """The gemstones, 6 and 2, are being tallied; the lamp of A is lit unless said otherwise."""
    state = magic_table(
        spaces={"cave-gem": row, **position.pop("spaces", {})},
        caves={"gem": [6, 2], **position.pop("caves", {})},
        tiles=[tiles, "lamp", "lamp"],
        spells=[spells],
        **position,
    )
    state = at_window(state, "cave-gem")
    if lit and spells:
        state.magic.used[A] = ["lamp"]
    return state


def until(state, frame):
    """The tally, everybody silent, up to a frame of that kind."""
    return silence(tally(state)[0], lambda now: isinstance(now.agenda[-1], frame))[0]


def test_a_carpet_comes_where_it_changes_the_rank_a86():
    assert answer(at_cave("carpet lamp")) == PlayCard("carpet")


@pytest.mark.parametrize("row", ["A5 B9", "A5 B4", "A1 B5"])
def test_a_carpet_stays_at_home_where_the_rank_is_the_same_a86(row):
    assert answer(at_cave("carpet lamp", row=row)) == Pass()


def test_a_token_is_doubled_where_that_changes_the_rank_a87():
    assert answer(at_cave("double lamp")) == PlayCard("double", {"token": "cave-gem:1"})
    assert answer(at_cave("double lamp", row="A2 B9")) == Pass()


def test_an_eclipse_falls_on_what_is_in_the_way_s10_s16():
    assert answer(at_cave(spells="lunar_eclipse", row="A4 B7")) == PlayCard("lunar_eclipse", {"space": "cave-gem"})
    assert answer(at_cave(spells="lunar_eclipse", row="A5 B7")) == Pass(), "its own token is odd as well"
    assert answer(at_cave(spells="solar_eclipse", row="A5 B8")) == PlayCard("solar_eclipse", {"space": "cave-gem"})


def test_who_is_last_turns_the_order_round_s3():
    spaces = {"cave-gold": "A1 B6", "market": "A2 C8"}
    state = at_cave(spells="last_first", row="A4 B7", spaces=spaces, caves={"gold": [5]})
    assert answer(state) == PlayCard("last_first")


def test_the_dragon_takes_what_others_would_get_s8():
    state = at_cave(spells="dragons_return", row="A2", spaces={"cave-gold": "B6"}, caves={"gold": [9]})
    action = answer(state)
    assert action in (PlayCard("dragons_return", {"space": "cave-gold"}), Pass())


def test_treasure_is_laid_where_one_is_alone_s7():
    state = at_cave(spells="dragon_leaves", row="B7", spaces={"cave-gold": "A9"})
    assert answer(state) == PlayCard("dragon_leaves", {"space": "cave-gold"})


def test_a_useless_token_gets_a_second_chance_s1():
    state = at_cave(spells="second_chance", row="A9 B1", spaces={"market": "A5 B6"}, caves={"gold": [6]})
    assert answer(state) == PlayCard("second_chance", {"token": "market:1", "to": "cave-gold"})


def test_a_rival_in_the_way_is_sent_elsewhere_s20():
    state = at_cave(spells="teleport", row="A6 B9 C5", caves={"gem": [9]}, hoards=[{"gem": 5, "gold": 1}])
    action = answer(state)
    assert isinstance(action, PlayCard) and action.card == "teleport"
    assert action.targets["token"] == "cave-gem:2"
    assert sum(action.targets["pay"].values()) == 3


def test_one_spell_that_helps_little_does_not_light_the_lamp_but_under_a_lit_one_it_is_played_a84_s4():
    state = at_cave("lamp carpet", "charity", row="A9 B1", lit=False)
    assert answer(state) == Pass()
    state.magic.used[A] = ["lamp"]
    action = answer(state)
    assert action.card == "charity"
    assert sum(action.targets["take"].values()) == 3


def test_what_hits_it_is_countered_and_what_does_not_is_let_pass_a80():
    for row, expected in (("A7 B4", PlayCard("counterspell", {"play": 1})), ("A4 B7", Pass())):
        state = magic_table(
            spaces={"cave-gem": row},
            caves={"gem": [6]},
            tiles=["counterspell lamp", "lamp"],
            spells=["", "lunar_eclipse"],
        )
        state = at_window(state, "cave-gem")
        state, _ = play(state, (B, declare("lunar_eclipse", space="cave-gem")))
        assert answer(state) == expected


def test_a_borrowed_artifact_is_used_as_an_own_one_s13():
    state = at_cave(spells="parasite")
    state.magic.used[B] = ["carpet"]
    assert answer(state) == PlayCard("parasite", {"variant": "carpet"})


def test_the_smuggler_goes_where_nobody_is_s15():
    assert answer(at_window(magic_table(spells=["smuggler"], spaces={"cave-gem": "B1"}), "caves")) == PlayCard(
        "smuggler"
    )


def test_spies_come_before_the_first_token_s17():
    state = magic_table(spells=["spy"])
    state.agenda.append(Window("start"))
    run(Board(state))
    assert answer(state) == PlayCard("spy")


def test_a_hoard_of_one_kind_is_traded_for_others_s21():
    action = answer(at_cave(spells="trade", row="A9 B1", hoards=[{"gem": 10}]))
    assert action == PlayCard(
        "trade", {"give": {"gem": 8}, "take": dict.fromkeys(["crown", "pearl", "trophy", "gold"], 2)}
    )
    assert answer(at_cave(spells="trade", row="A9 B1", hoards=[dict.fromkeys(KINDS, 2)])) == Pass()


def test_an_eye_is_taken_where_it_costs_little_s9():
    state = at_cave(spells="eye_for_an_eye", row="A4 A2 B9")
    assert answer(state) == PlayCard("eye_for_an_eye", {"token": "cave-gem:3"})
    assert answer(at_cave(spells="eye_for_an_eye", row="A7 B9")) == Pass(), "its only token would go as well"


def test_a_tax_is_paid_for_a_token_that_brings_more_s5():
    for row, spaces, expected in (("A5", {"tent": "A1 B9"}, "pay"), ("A5", {"tent": "A9 B2"}, "remove")):
        state = at_cave(spells="city_tax", row=row, spaces=spaces, hoards=[{}, {"gem": 2, "gold": 2}])
        state, _ = play(state, (A, declare("city_tax")))
        state = silence(state, lambda now: isinstance(now.agenda[-1], Ask))[0]
        reply = answer(state, B)
        assert reply.form == expected


def test_a_tax_is_raised_from_those_who_cannot_pay_and_lose_much_s18():
    spaces = {"guard": "B9 C9", "room-1": "B1", "room-2": "B2", "room-3": "B4 C1"}
    for hoard, expected in (({"gem": 2}, PlayCard("sultans_tax")), ({"gem": 9}, Pass())):
        state = at_cave(spells="sultans_tax", row="A9", spaces=spaces, hoards=[{}, hoard, {"gold": 9}])
        for row in state.spaces.values():
            for token in row:
                token.face_up = True
        assert answer(state) == expected


# The guard and the rooms


def at_guard(tiles="lamp", guard=6, hoard=RICH, **spaces):
    """A is asked at the guard."""
    state = magic_table(tiles=[tiles, "lamp", "lamp"], hoards=[hoard], guard=guard, spaces={"guard": "A2 B9", **spaces})
    return until(state, Bribes)


def test_a_key_opens_where_there_is_something_to_buy_a64():
    assert answer(at_guard("key lamp", 10, **{"room-1": "A4"})) == PlayCard("key")
    assert answer(at_guard("key lamp", 10)) == StayOut()


def test_a_small_bribe_is_paid_from_what_there_is_most_of_and_a_key_saved_a62():
    hoard = {"gem": 7, "gold": 2, "crown": 2}
    assert answer(at_guard("key lamp", 3, hoard, **{"room-1": "A4"})) == Bribe({"gem": 1})
    assert answer(at_guard("lamp", 5, hoard, **{"room-1": "A4"})) == Bribe({"gem": 3})


def test_nobody_bribes_who_cannot_buy_afterwards_a62_a69():
    assert answer(at_guard("lamp", 10, {"gem": 9}, **{"room-1": "A4"})) == StayOut()
    assert answer(at_guard("lamp", 4, {"gem": 4, "gold": 4}, **{"room-1": "A5"})) == StayOut(), "not in one kind"
    assert answer(at_guard("lamp", 4, {"gem": 5, "gold": 3}, **{"room-1": "A5"})) == StayOut(), "not after the bribe"


def test_it_buys_from_what_it_will_miss_least_a69():
    state = magic_table(hoards=[{"gem": 9, "gold": 4}], guard=1, spaces={"guard": "A9", "room-1": "A4"})
    assert answer(until(state, Purchase)) == Buy(pay_4="gem")


# The city


def test_the_market_the_tent_and_the_camel_are_answered_by_what_is_of_use_a53_a58_a59():
    state, _ = tallied(hoards=[{"gem": 6}], spaces={"market": "A5", "caravanserai": "A4"}, camel=C)
    market = answer(state)
    assert isinstance(market, Exchange)
    assert (market.give, "gem" in market.take) == ("gem", False)
    state, _ = play(state, (A, market))
    assert answer(state) == GiveCamel(A)
    state.camel = A
    assert answer(state) == LeaveCamel()
    state = magic_table(spaces={"tent": "A5"})
    state.magic.spell_deck[-2:] = ["charity", "mirage"]
    assert answer(until(state, Tent)) == KeepSpell("charity")
