"""The sultan thinks by what it sees only, the same again with the same dice, and in positions that may be so."""

from random import Random

import pytest

from engine.aladdins_dragons.actions import Pass, PlayCard, StayOut
from engine.aladdins_dragons.bots import OnwardBot, SultanBot
from engine.aladdins_dragons.facts import GUARD, KINDS, PIECES
from engine.aladdins_dragons.greedy import GreedyBot
from engine.aladdins_dragons.lookahead import Harvest, Worlds, pack, play_out, rank_of
from engine.aladdins_dragons.model import Boundary
from engine.aladdins_dragons.worlds import determinise
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES, at_window, magic_table, silence
from tests.engine.aladdins_dragons.table import RULES, A, B, table, tallied, tally
from tests.engine.playing import walk
from tests.lab.strength import measure

BOT = SultanBot(trials=40, playouts=8)


def answer(state, seat=A, number=1, bot=BOT):
    view = MAGIC_RULES.view(state, seat)
    return bot.choose(view, next(q for q in view.questions if q.decision.prompted), Random(number))


def test_there_are_three_bots():
    assert list(RULES.bots) == ["random", "careless", "greedy", "planner", "sultan", "vizier"]


@pytest.mark.parametrize("rules", [RULES, MAGIC_RULES], ids=["basic", "magic"])
def test_it_answers_alike_whatever_it_cannot_see(rules):
    """States that look the same to it get the same answer."""
    compared = 0
    for count, step in enumerate(walk(rules, 3, 5)):
        if step.decision is None or step.decision.sealed or count % 7:
            continue
        seat = step.decision.seat
        view = rules.view(step.before, seat)
        other = rules.determinise(view, Random(count))
        if rules.view(other, seat) != view or rules.dump(other) == rules.dump(step.before):
            continue
        first, second = (answer(world, seat, number=count) for world in (step.before, other))
        assert first == second
        rules.check(step.before, step.decision.id, seat, first)
        compared += 1
        if compared == 12:
            return
    raise AssertionError(f"{compared} positions compared")


@pytest.mark.parametrize("seats", [3, 5])
def test_what_it_plays_on_looks_to_it_like_what_it_sees(seats):
    for count, step in enumerate(walk(MAGIC_RULES, seats, 8)):
        if step.decision is None or count % 20:
            continue
        seat = step.decision.seat
        view = MAGIC_RULES.view(step.before, seat)
        again = MAGIC_RULES.view(determinise(view, Random(count)), seat)
        assert (again.spaces, again.hoards, again.hand, again.magic, again.guard) == (
            view.spaces, view.hoards, view.hand, view.magic, view.guard,
        )  # fmt: skip
        if count > 400:
            return


def test_in_the_worlds_it_deals_every_rival_has_his_eight_tokens_and_those_in_view_where_they_lie():
    state = table(3, spaces={"cave-gem": "B4 C9", "guard": "B2"}, caves={"gem": [5, 2]})
    state.spaces["cave-gem"][0].face_up = True
    dealer = Worlds(RULES.view(state, A), A, Random(3))
    for _ in range(50):
        found = dealer.layout(B)
        assert sorted(value for row in found.values() for value in row) == PIECES.tokens
        assert 4 in found["cave-gem"]
        assert found[GUARD]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_ranks_its_tokens_in_a_world_as_the_rules_do(seats):
    for number in range(20):
        random = Random(number)
        state, seat = laid_out(seats, random), random.randrange(seats)
        rivals = {other: rows(state, other) for other in range(seats) if other != seat}
        world = Worlds(RULES.view(state, seat), seat, random).of(rivals, state.guard)
        camel = state.camel
        state, _ = silence(tally(state)[0], lambda now: bool(now.admitted) or "guard" in now.tallied)
        assert state.camel == camel
        for space, ranking in state.rankings.items():
            if seat in ranking.seats and not space.startswith(("guard", "room-")):  # who is evicted is not ranked
                strength = ranking.totals[ranking.seats.index(seat)]
                assert rank_of(strength, world.bars[space]) == ranking.seats.index(seat)


def laid_out(seats, random):
    """All tokens anywhere."""
    lying = {}
    for seat in range(seats):
        for value in PIECES.tokens:
            space = random.choice(["cave-gem", "cave-gold", "market", "guard", "room-1", "room-2"])
            lying[space] = f"{lying.get(space, '')} {'ABCDE'[seat]}{value}"
    return table(seats, spaces=lying, caves={"gem": [5, 3], "gold": [4]}, camel=random.randrange(seats))


def rows(state, seat):
    return {space: [token.value for token in row if token.seat == seat] for space, row in state.spaces.items()}


def test_a_layout_is_worth_an_artifact_if_it_enters_comes_first_and_can_pay_a61_a69_a70():
    def value(guard, **position):
        state = table(3, hoards=[{"gem": 4, "gold": 4}, {"gem": 4}], **position)
        dealer = Worlds(RULES.view(state, A), A, Random(1))
        world = dealer.of({B: rows(state, B)}, guard)
        harvest = Harvest(RULES.view(state, A), A)
        return harvest.value(harvest.stakes(rows(state, A)), world)

    nothing = value(5)
    assert value(5, spaces={"guard": "A5", "room-1": "A4"}) > nothing + 5
    assert value(7, spaces={"guard": "A5", "room-1": "A4"}) > nothing + 4, "by a bribe"
    assert value(10, spaces={"guard": "A5", "room-1": "A4"}) == nothing, "too dear a bribe"
    assert value(5, spaces={"guard": "A4", "room-1": "A5"}) == nothing, "cannot pay"
    assert value(5, spaces={"guard": "A5 B6", "room-1": "A1 B2"}) == nothing, "a rival is before it"
    assert value(5, spaces={"guard": "A5", "room-1": "A1 B2"}) > nothing + 5, "who does not enter is not in the way"
    assert value(5, spaces={"room-1": "A4"}) == nothing


def test_a_round_is_played_out_by_the_rules_to_its_end():
    for seats in (3, 5):
        for count, step in enumerate(walk(MAGIC_RULES, seats, 21)):
            is_tally = step.decision is not None and step.decision.kind in ("window", "bribe", "buy", "market")
            if not is_tally or not step.before.tallied or count % 5:
                continue
            before = MAGIC_RULES.dump(step.before)
            after = play_out(pack(step.before), step.decision.seat, step.action)
            assert MAGIC_RULES.dump(step.before) == before
            assert after.outcome is not None or after.agenda[-1] == Boundary("round")
            held = sum(sum(hoard.values()) for hoard in after.hoards) + sum(after.bank.values())
            assert held == 29 * len(KINDS)
            if count > 500:
                break


def test_it_takes_the_cave_with_a_carpet_and_leaves_it_at_home_where_it_is_in_vain():
    for row, expected in (("A5 B7", PlayCard("carpet")), ("A5 B9", Pass())):
        state = magic_table(spaces={"cave-gem": row}, caves={"gem": [9]})
        room = next(room for room, stack in state.stacks.items() if "carpet" in stack[:-1])
        state.stacks[room].remove("carpet")
        state.magic.known[room].pop(0)
        state.artifacts[A].append("carpet")
        assert answer(at_window(state, "cave-gem")) == expected


def test_it_does_not_bribe_for_nothing():
    state, _ = tallied(hoards=[{"gem": 9}], spaces={"guard": "A2", "cave-gem": "A9"}, guard=8)
    assert answer(state) == StayOut()


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RULES, MAGIC_RULES], ids=["basic", "magic"])
def test_the_sultan_beats_the_greedy_bot_and_the_greedy_bot_the_random_one(rules):
    """Seeds are fixed, so this is no matter of luck; among equals each would win a third."""
    for bot, other in ((BOT, GreedyBot()), (GreedyBot(), OnwardBot(RULES.to_action))):
        assert measure(rules, 3, 3, bot, other, {}).wins >= 2, other.name
