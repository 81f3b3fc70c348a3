"""The state of a game is made of its text for whoever loads it, and handed on where the text is still the same."""

import pytest
from django.test import Client

from games.models import Game
from games.play import game_moves, queries
from notifications.clock import present
from tests.games.conftest import answer, fresh, open_rows, some_answer
from tests.games.web.acting import act_path
from tests.games.web.filling import answer_form, filled


@pytest.fixture
def made(placing: Game, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The texts of which the rules have made states since."""
    texts: list[bytes] = []
    rules = placing.rules
    load = rules.load

    def noted(text: bytes) -> object:
        texts.append(text)
        return load(text)

    monkeypatch.setattr(rules, "load", noted)
    return texts


def test_who_loads_it_has_one_of_his_own(placing: Game) -> None:
    one, other = placing.load_state(), placing.load_state()
    assert one == other and one is not other


def test_what_is_kept_is_handed_on_once(placing: Game) -> None:
    state = placing.load_state()
    placing.keep_state(state)
    assert placing.load_state() is state
    assert placing.load_state() is not state


def test_it_is_taken_from_the_game_as_it_was_read_before_unless_that_has_moved_on(placing: Game) -> None:
    earlier, now = fresh(placing), fresh(placing)
    state = earlier.load_state()
    earlier.keep_state(state)
    assert now.load_state(earlier) is state
    earlier.keep_state(state)
    now.state = now.state.replace("{", "{ ", 1)
    assert now.load_state(earlier) is not state
    assert earlier.load_state() is not state, "it was taken all the same"


def test_an_answer_by_link_is_looked_at_and_given_with_one(placing: Game, client: Client, made: list[bytes]) -> None:
    row = open_rows(placing)[0]
    form = filled(answer_form(client.get(act_path(row))), some_answer(fresh(placing), row))
    made.clear()
    assert client.post(act_path(row), form).status_code == 303
    assert len(made) == 1
    assert fresh(placing).state == written(placing, fresh(placing))


def test_whose_game_has_moved_on_meanwhile_is_given_with_another(
    placing: Game, made: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = open_rows(placing)[0]
    access = queries.Access(read := fresh(placing), row.seat)
    assert queries.question(access, row.code) is not None
    action = some_answer(fresh(placing), row)
    answer(placing, row, present.now(), action)
    before = fresh(placing)
    made.clear()
    with pytest.raises(game_moves.Conflict):
        answer(read, row, present.now(), action, read=read)
    assert made == [before.state.encode()]
    assert fresh(placing).seq == before.seq


def test_who_is_refused_leaves_what_is_stored_and_what_others_load_as_it_was(placing: Game) -> None:
    row = open_rows(placing)[0]
    read = fresh(placing)
    assert queries.question(queries.Access(read, row.seat), row.code) is not None
    with pytest.raises(game_moves.Illegal):
        answer(read, row, present.now(), {"type": "place", "space": "nowhere", "token": 1}, read=read)
    assert read.load_state() == fresh(placing).load_state() == placing.load_state()


def test_what_an_answer_has_led_to_is_told_from_the_state_that_was_stored(placing: Game, made: list[bytes]) -> None:
    row = open_rows(placing)[0]
    move = answer(placing, row, present.now())
    made.clear()
    kept = move.game.load_state()
    assert made == []
    assert kept == fresh(placing).load_state()


def test_what_is_asked_then_is_known_and_asked_anew_where_the_game_has_moved_on(
    placing: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = answer(placing, open_rows(placing)[0], present.now()).game
    known = placing.rules.decisions(fresh(placing).load_state())
    monkeypatch.setattr(placing.rules, "decisions", lambda state: [])
    assert game.look_at_asked() == known
    monkeypatch.undo()
    answer(placing, open_rows(placing)[0], present.now())
    game.state = fresh(placing).state
    assert game.look_at_asked() == placing.rules.decisions(fresh(placing).load_state()) != known


def written(before: Game, after: Game) -> str:
    """What the state would be if its last move was made on a state of its own."""
    move = after.moves.get(seq=after.seq)
    rules, seat = before.rules, move.seat
    assert seat is not None
    state, _events = rules.apply(before.load_state(), move.decision, seat, rules.load_action(move.action.encode()))
    return rules.dump(state).decode()
