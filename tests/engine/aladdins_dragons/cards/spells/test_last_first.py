"""And the last will be the first."""

import pytest

from engine.aladdins_dragons import events
from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.actions import Buy
from engine.core import IllegalAction
from tests.engine.aladdins_dragons.cards.scenes import Scene
from tests.engine.aladdins_dragons.magic_table import (
    MAGIC_RULES,
    asked_seats,
    at_window,
    declare,
    end_of_round,
    magic_table,
    silence,
)  # fmt: skip
from tests.engine.aladdins_dragons.table import A, B, C, only, options, play

MATRIX = {
    "last_first": Scene(
        rows={"market": "H9 R2"},
        caster_has={"carpet": "ranks", "double": "ranks"},
        another_has={"carpet": "ranks", "double": "ranks"},
    )
}
"""How it is cast to have most to do with artifacts, and what it has to do with each."""

TURN = declare("last_first")
CAVES = {"crown": [5, 3], "gem": [5, 3], "gold": [4]}


def turned(where, option="reverse", **position):
    """Carla's card has taken effect in the window there; whatever the tally has brought since."""
    state = magic_table(options={"last_first": option}, spells=["", "", "last_first"], **position)
    state, happened = play(at_window(state, where), (C, TURN))
    state, more = silence(state, lambda now: not asked_seats(now))
    return state, happened + more


def rankings(happened):
    return {ranked.space: (ranked.ranking, ranked.totals) for ranked in only(happened, events.SpaceRanked)}


def test_the_weakest_ranks_first_from_the_space_being_tallied_on_s3():
    spaces = {"cave-crown": "A9 B1", "cave-gem": "A8 B2 C4", "cave-gold": "A7 B5"}
    state, happened = turned("cave-gem", caves=CAVES, spaces=spaces)
    assert state.rankings["cave-crown"].seats == [A, B]
    assert rankings(happened)["cave-gem"] == ([B, C, A], [2, 4, 8])
    assert rankings(happened)["cave-gold"] == ([B, A], [5, 7])
    assert state.hoards[B] == {"crown": 3, "pearl": 0, "gem": 5, "trophy": 0, "gold": 4}


@pytest.mark.parametrize("option", ["reverse", "swap19"])
def test_ties_still_go_by_player_sequence_s3_a35(option):
    _, happened = turned("placed", option, camel=B, caves=CAVES, spaces={"cave-gem": "A4 B4 C4"})
    assert rankings(happened)["cave-gem"] == ([B, C, A], [4, 4, 4])


def test_a_one_counts_nine_and_a_nine_one_at_tables_that_play_it_so_s3():
    _, happened = turned("placed", "swap19", caves=CAVES, spaces={"cave-gem": "A9 B1 C8"})
    assert rankings(happened)["cave-gem"] == ([B, C, A], [9, 8, 1])


@pytest.mark.parametrize("option", ["reverse", "swap19"])
def test_the_guard_is_never_affected_s3_a66(option):
    state, _ = turned("placed", option, guard=9, spaces={"guard": "A9 B1"})
    assert state.admitted == [A]
    assert state.rankings["guard"].totals == [9, 1]


@pytest.mark.parametrize(("option", "first", "price"), [("reverse", A, 1), ("swap19", A, 9)])
def test_the_price_is_that_of_the_tokens_as_they_count_s3(option, first, price):
    spaces = {"guard": "A4 B5", "room-1": "A1 B8"}
    state, _ = turned("placed", option, guard=1, spaces=spaces, hoards=[{"gem": 9}])
    assert MAGIC_RULES.decisions(state)[0].seat == first
    assert options(state, f"pay_{price}") == ["gem"]
    state, happened = play(state, (A, Buy(**{f"pay_{price}": "gem"})))
    assert only(happened, events.TreasurePaid) == [events.TreasurePaid(A, {"gem": price}, "room-1")]


def test_a_doubled_one_counts_twice_nine_s3_swap19():
    position = {"caves": CAVES, "spaces": {"cave-gem": "A1 B9"}, "tiles": ["double", "lamp", "lamp"]}
    state = magic_table(options={"last_first": "swap19"}, spells=["", "", "last_first"], **position)
    state, _ = play(at_window(state, "cave-gem"), (A, declare("double", token="cave-gem:1")), (C, TURN))
    assert state.rankings["cave-gem"].totals == [18, 1]


def test_what_has_been_ranked_stays_and_the_next_round_is_as_always_s3_a78():
    state, _ = turned("tent", caves=CAVES, spaces={"cave-gem": "A9 B1"})
    assert state.rankings["cave-gem"].seats == [A, B]
    state, _ = end_of_round(state)
    state, _ = MAGIC_RULES.advance(state)
    assert state.magic.effects == []


def test_without_a_lamp_it_is_refused_and_nothing_changes_s3_a84():
    state = magic_table(spells=["", "", "last_first"], tiles=["lamp", "lamp", "carpet"], spaces={"market": "A1"})
    state = at_window(state, "market")
    before = MAGIC_RULES.dump(state)
    with pytest.raises(IllegalAction):
        play(state, (C, TURN))
    assert MAGIC_RULES.dump(state) == before
    state, happened = play(state, (C, declare("carpet")))
    assert only(happened, magic.EffectBegan) == []


def test_an_eclipse_goes_by_the_printed_number_s3_s16():
    """A 9 that counts 1 and a 1 that counts 9 are odd both ways; of the sum nobody asks."""
    state = magic_table(
        options={"last_first": "swap19"}, caves=CAVES, spaces={"cave-gem": "A9 B8 B1"},
        spells=["", "solar_eclipse", "last_first"],
    )  # fmt: skip
    state = at_window(state, "cave-gem")
    state, _ = play(state, (B, declare("solar_eclipse", space="cave-gem")), (C, TURN))
    assert state.rankings["cave-gem"].totals == [9, 1]
    assert state.rankings["cave-gem"].seats == [B, A]


def test_in_the_city_the_weakest_wins_and_in_the_tent_the_next_weakest_is_second_s3_a53():
    state, happened = turned("placed", spaces={"tent": "A9 B1 C4"})
    (kept,) = only(happened, magic.SpellsDrawn)
    assert (kept.seat, state.agenda[-1].to) == (B, C)


def test_the_smuggler_stays_first_s3_s15():
    state = magic_table(
        spaces={"tent": "C1", "market": "C2", "caravanserai": "C4"}, spells=["smuggler", "", "last_first"],
        tiles=["lamp", "carpet", "lamp"],
    )  # fmt: skip
    state = at_window(state, "caves")
    state, _ = play(state, (A, declare("smuggler")), (C, TURN))
    state, _ = play(at_window(state, "djinn"), (B, declare("carpet")))
    state, _ = silence(state, lambda now: "djinn" in now.rankings)
    assert state.rankings["djinn"].seats == [A, B]


def test_it_may_be_countered_and_nothing_is_turned_round_s3_a81():
    state = magic_table(
        caves=CAVES, spaces={"cave-gem": "A9 B1"}, spells=["", "", "last_first"], tiles=["counterspell", "lamp", "lamp"]
    )
    state, _ = play(at_window(state, "cave-gem"), (C, TURN))
    state, _ = play(state, (A, declare("counterspell", play=1)))
    assert state.rankings["cave-gem"].seats == [A, B]


@pytest.mark.parametrize(("option", "says"), [("reverse", "the weakest counts"), ("swap19", "a 1 counts as 9")])
def test_the_card_says_what_it_does_at_this_table_s3(option, says):
    """Where it is drawn, held, and played."""
    state = magic_table(options={"last_first": option}, spells=["last_first"])
    view = MAGIC_RULES.view(state, A)
    (form,) = (form for question in view.questions for form in question.actions if form.type == "play_last_first")
    (own,) = MAGIC_RULES.picture(view, "en", ["Anna", "Ben", "Carla"])["own_spells"]
    for rule in (MAGIC_RULES.say(form.hint, "en", ["Anna", "Ben", "Carla"]), own["rule"]):
        assert says in rule
        assert "tables" not in rule
