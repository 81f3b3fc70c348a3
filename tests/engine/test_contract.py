"""What the service may rely on, for every rule set and number of seats."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from engine.core import Choice, IllegalAction, StaleDecision
from engine.orders.answers import GATHERINGS
from engine.registry import AnyRules, get_rules, newest
from tests.engine.playing import PUBLISHED, SHARED, TABLES, one_step, question_of, seed_of, walk_again


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@pytest.mark.parametrize("number", SHARED)
def test_a_state_waits_or_advances_or_is_over_and_every_game_ends(rules: AnyRules, seats: int, number: int) -> None:
    for step in walk_again(rules, seats, number):
        conditions = [
            bool(rules.decisions(step.after)),
            rules.is_advance_pending(step.after),
            rules.outcome(step.after) is not None,
        ]
        assert sum(conditions) == 1
    outcome = rules.outcome(step.after)
    assert outcome is not None
    assert sorted(outcome.ranking) == list(range(seats))
    assert outcome.winners[0] == outcome.ranking[0]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@pytest.mark.parametrize("number", SHARED)
def test_an_answer_changes_no_argument_and_has_one_result(rules: AnyRules, seats: int, number: int) -> None:
    for step in walk_again(rules, seats, number):
        before = rules.dump(step.before)
        if step.decision is None:
            again, events = rules.advance(step.before)
        else:
            again, events = rules.apply(step.before, step.decision.id, step.decision.seat, step.action)
        assert rules.dump(step.before) == before
        assert rules.dump(again) == rules.dump(step.after)
        assert events == step.events


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_playing_in_place_is_the_same_as_applying_to_a_copy(rules: AnyRules, seats: int) -> None:
    random = Random(31)
    state, _ = rules.new(seats, {}, seed_of(31))
    own = rules.load(rules.dump(state))
    while rules.outcome(state) is None:
        decision = next((decision for decision in rules.decisions(state) if decision.prompted), None)
        if decision is None:
            state, events = rules.advance(state)
            assert rules.cross(own) == events
        else:
            action = rules.draw(own, decision, random)
            state, events = rules.apply(state, decision.id, decision.seat, action)
            assert rules.play(own, decision.seat, action) == events
        assert own == state


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@pytest.mark.parametrize("number", SHARED)
def test_states_actions_and_events_survive_their_json(rules: AnyRules, seats: int, number: int) -> None:
    for step in walk_again(rules, seats, number):
        assert rules.dump(rules.load(rules.dump(step.after))) == rules.dump(step.after)
        assert rules.load(rules.dump(step.after)) == step.after
        assert rules.load_events(rules.dump_events(step.events)) == step.events
        if step.action is not None:
            assert rules.load_action(rules.dump_action(step.action)) == step.action
            assert rules.parse(msgspec.json.decode(rules.dump_action(step.action))) == step.action


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@pytest.mark.parametrize("number", SHARED)
def test_everybody_asked_has_a_legal_answer_and_a_default(rules: AnyRules, seats: int, number: int) -> None:
    for count, step in enumerate(walk_again(rules, seats, number)):
        for decision in rules.decisions(step.after) if count % 5 == 0 else []:
            legal = rules.legal(step.after, decision.id, decision.seat)
            if not decision.prompted and not decision.sealed:
                continue  # nobody is asked: it may be that only the seat itself knows it can do nothing
            assert legal
            for action in [legal[0], legal[-1], rules.default(step.after, decision)]:
                rules.check(step.after, decision.id, decision.seat, action)
            assert rules.sample(question_of(rules, step.after, decision), Random(number)) in legal


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_question_alone_is_that_of_the_view_without_rows_for_orders(rules: AnyRules, seats: int) -> None:
    asked = 0
    for step in walk_again(rules, seats):
        for seat in range(seats):
            for one in rules.questions(rules.view(step.before, seat)):
                is_ours = one.decision.kind in GATHERINGS  # of which orders are the very matter
                bare = [form if is_ours else replace(form, rows=[]) for form in one.actions]
                assert rules.question(step.before, one.decision.id, seat) == replace(one, actions=bare)
                asked += 1
            with pytest.raises(StaleDecision):
                rules.question(step.before, "another", seat)
    assert asked


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_decision_ids_are_never_used_twice_for_a_seat(rules: AnyRules, seats: int) -> None:
    used: set[tuple[str, int]] = set()
    for step in walk_again(rules, seats):
        if step.decision is not None:
            key = (step.decision.id, step.decision.seat)
            assert key not in used
            used.add(key)


@pytest.mark.parametrize(("rules", "seats"), PUBLISHED)
def test_in_place_an_answer_does_the_same_to_the_state_itself(rules: AnyRules, seats: int) -> None:
    answered = 0
    for step in walk_again(rules, seats):
        if step.decision is None:
            continue
        before = rules.dump(step.before)
        for by_player in (True, False):
            opened = rules.open(step.before, step.decision.id, step.decision.seat)
            wanted = opened.apply(step.action, by_player=by_player)
            assert rules.dump(step.before) == before
            own = rules.load(before)
            opened = rules.open(own, step.decision.id, step.decision.seat)
            found = opened.apply(step.action, by_player=by_player, in_place=True)
            assert found == wanted
            assert found[0] is own
        answered += 1
    assert answered


@pytest.mark.parametrize(("rules", "seats"), PUBLISHED)
def test_what_is_refused_in_place_changes_nothing(rules: AnyRules, seats: int) -> None:
    previous = None
    for step in walk_again(rules, seats):
        if step.decision is not None and previous is not None and step.decision != previous:
            before = rules.dump(step.before)
            with pytest.raises(IllegalAction):
                rules.open(step.before, previous.id, previous.seat).apply(step.action, in_place=True)
            assert rules.dump(step.before) == before
        previous = None if step.decision is None or step.decision.sealed else step.decision


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_what_is_not_offered_is_refused_and_changes_nothing(rules: AnyRules, seats: int) -> None:
    seen_by_kind: dict[str, list[object]] = {}
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None:
            continue
        seen_by_kind.setdefault(step.decision.kind, []).append(step.action)
        if count % 10:
            continue
        before = rules.dump(step.before)
        legal = rules.legal(step.before, step.decision.id, step.decision.seat)
        for actions in seen_by_kind.values():
            for action in (action for action in actions[-20:] if action not in legal):
                with pytest.raises(IllegalAction):
                    rules.apply(step.before, step.decision.id, step.decision.seat, action)
        assert rules.dump(step.before) == before


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_each_open_decision_is_found_by_its_id_and_seat(rules: AnyRules, seats: int) -> None:
    kinds = set()
    for step in walk_again(rules, seats):
        for decision in rules.decisions(step.before):
            assert rules.open(step.before, decision.id, decision.seat).decision == decision
            kinds.add(decision.kind)
            with pytest.raises(StaleDecision):
                rules.open(step.before, decision.id, seats)
        with pytest.raises(StaleDecision):
            rules.open(step.before, "another", 0)
    assert kinds


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_decision_that_is_not_open_is_stale(rules: AnyRules, seats: int) -> None:
    previous = None
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is not None and previous is not None:
            with pytest.raises(StaleDecision):
                rules.apply(step.before, previous.id, previous.seat, step.action)
            other = (step.decision.seat + 1) % seats
            if (step.decision.id, other) not in {(d.id, d.seat) for d in rules.decisions(step.before)}:
                with pytest.raises(StaleDecision):
                    rules.apply(step.before, step.decision.id, other, step.action)
        previous = None if step.decision is None or step.decision.sealed else step.decision
        if count > 100:
            return


@pytest.mark.parametrize("seat", [-1, None, 99], ids=["before the first", "behind the last", "99"])
@pytest.mark.parametrize(
    "raw",
    [
        {"type": "sheet", "windows": "quiet", "tally": "later"},
        {"type": "plan", "windows": "quiet"},
        {"type": "plan_nothing"},
        {"type": "sheet_nothing"},
        {"type": "pass_until", "until": "market"},
        {"type": "pass_round"},
        {"type": "pass", "orders": []},
    ],
    ids=lambda raw: "-".join(map(str, raw.values())),
)
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_a_seat_that_does_not_exist_has_nothing_open_to_it(
    rules: AnyRules, raw: dict[str, object], seat: int | None
) -> None:
    options = {"tally": "plan"} if any(option.name == "tally" for option in rules.options) else {}
    seats = min(rules.seat_counts)
    state, _ = rules.new(seats, options, seed_of(31))
    random = Random(31)
    for _ in range(12):
        if rules.outcome(state) is not None:
            return
        opened = rules.decisions(state)
        try:
            action = rules.parse(raw)
        except IllegalAction:  # the game has no such answer
            return
        for code in {decision.id for decision in opened} | {"another"}:
            with pytest.raises(IllegalAction):
                rules.check(state, code, seats if seat is None else seat, action)
        state = one_step(rules, state, random).after


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_the_log_replays_to_the_same_state(rules: AnyRules, seats: int) -> None:
    steps = list(walk_again(rules, seats))
    state, _ = rules.new(seats, {}, seed_of(SHARED[0]))
    for step in steps:
        if step.decision is None:
            state, _ = rules.advance(state)
        else:
            action = rules.load_action(rules.dump_action(step.action))
            state, _ = rules.apply(rules.load(rules.dump(state)), step.decision.id, step.decision.seat, action)
    assert rules.dump(state) == rules.dump(steps[-1].after)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_an_action_is_exactly_its_form(rules: AnyRules, seats: int) -> None:
    for count, step in enumerate(walk_again(rules, seats)):
        if step.decision is None or count % 3:
            continue
        question = question_of(rules, step.before, step.decision)
        answer = msgspec.json.decode(rules.dump_action(step.action))
        (form,) = (form for form in question.actions if form.type == answer["type"])
        assert set(answer) == {"type", *(field.name for field in form.fields)}
        for field in form.fields:
            values = {option.value for option in field.options}
            if isinstance(field, Choice):
                assert answer[field.name] in values
            else:
                assert {str(value) for value in values} >= set(answer[field.name])
                assert field.fewest <= sum(answer[field.name].values()) <= field.total


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    ("_case", "raw"),
    [
        ("no object", 5),
        ("nothing", None),
        ("no type", {}),
        ("unknown type", {"type": "dance"}),
        ("the service's own", {"type": "forfeit"}),
    ],
)
def test_what_is_no_action_is_not_parsed(rules: AnyRules, _case: str, raw: object) -> None:
    with pytest.raises(IllegalAction):
        rules.parse(raw)


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_a_state_of_another_version_of_the_rules_is_not_loaded(rules: AnyRules) -> None:
    state, _ = rules.new(rules.seat_counts[0], {}, seed_of(1))
    state.rules_version += 1
    with pytest.raises(ValueError):
        rules.load(rules.dump(state))


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_the_registry_finds_a_rule_set_by_name_and_version(rules: AnyRules) -> None:
    assert get_rules(rules.name, rules.version) is rules
    with pytest.raises(KeyError):
        get_rules(rules.name, 0)


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_seats_and_options_that_do_not_exist_are_refused(rules: AnyRules) -> None:
    for seats in (max(rules.seat_counts) + 1, 1, 0):
        with pytest.raises(IllegalAction):
            rules.new(seats, {}, seed_of(1))
    with pytest.raises(IllegalAction):
        rules.new(rules.seat_counts[0], {"weather": "rain"}, seed_of(1))
    for option in rules.options:
        with pytest.raises(IllegalAction):
            rules.new(rules.seat_counts[0], {option.name: "perhaps"}, seed_of(1))


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_who_resigns_ranks_last_and_the_one_who_stays_may_end_the_game(rules: AnyRules, seats: int) -> None:
    state, _ = rules.new(seats, {}, seed_of(23))
    with pytest.raises(IllegalAction):
        rules.end(state, 0)
    for seat in range(1, seats):
        state, events = rules.resign(state, seat)
        assert len(events) == 1
        assert rules.decisions(state), "the seat's decisions go on"
        with pytest.raises(IllegalAction):
            rules.resign(state, seat)
    with pytest.raises(IllegalAction):
        rules.end(state, 1)
    state, _ = rules.end(state, 0)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.ending, outcome.winners, outcome.ranking[0]) == ("abandoned", [0], 0)
    assert not rules.decisions(state)
    assert not rules.is_advance_pending(state)
    with pytest.raises(IllegalAction):
        rules.advance(state)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_every_bot_plays_a_game_to_its_end(rules: AnyRules, seats: int) -> None:
    random, names = Random(3), sorted(rules.bots)
    state, _ = rules.new(seats, {}, seed_of(3))
    for _ in range(20_000):
        if rules.outcome(state) is not None:
            break
        if rules.is_advance_pending(state):
            state, _ = rules.advance(state)
            continue
        decision = next(decision for decision in rules.decisions(state) if decision.prompted)
        bot = rules.bots[names[decision.seat % len(names)]]
        action = bot.choose(rules.view(state, decision.seat), question_of(rules, state, decision), random)
        state, _ = rules.apply(state, decision.id, decision.seat, action)
    assert rules.outcome(state) is not None


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@pytest.mark.parametrize("language", ["en", "es", "de-AT", "xx"])
def test_everything_can_be_said_and_drawn_in_every_language(rules: AnyRules, seats: int, language: str) -> None:
    names = ["Anna", "Ben", "Carla", "David", "Eva"][:seats]
    for count, step in enumerate(walk_again(rules, seats)):
        for event in step.events:
            assert "{" not in rules.say(event, language, names)
        if count % 20 == 0:
            for viewer in (None, 0):
                view = rules.view(step.after, viewer)
                board = rules.describe(view, language, names)
                assert max(len(line) for line in board.splitlines()) <= 78
                assert all(name in board for name in names)
                assert msgspec.json.encode(rules.picture(view, language, names))
        if count > 300:
            return
