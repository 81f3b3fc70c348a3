"""The page behind a link in a mail: bad links, rubbish, and what the rules forbid."""

import datetime as dt

import pytest
from django.test import Client

from games.models import Decision, Game, Move
from games.play import game_moves, queries
from tests.games.conftest import answer, fresh, open_rows, settle, some_answer
from tests.games.web.acting import act_path, back_path, seq_of
from tests.games.web.filling import answer_form, filled, soup_of, untouched

# Bad links


def test_foreign_truncated_and_tampered_links_are_all_the_same_404(client, placing):
    row = open_rows(placing)[0]
    _, _, ref, token, _ = act_path(row).split("/")
    foreign = Decision.objects.exclude(seat=row.seat).first()
    assert foreign is not None
    paths = [
        f"/act/{ref}/{token[:-1]}/",
        f"/act/{ref}/{'a' * len(token)}/",
        f"/act/{ref}/{token.upper()}x/",
        f"/act/{foreign.ref}/{token}/",
        f"/act/nothing12345/{token}/",
        f"/act/{ref}/{token}-{token}/",
    ]
    pages = [client.get(path) for path in paths]
    assert {page.status_code for page in pages} == {404}
    assert len({page.content for page in pages}) == 1
    assert {page.headers["Referrer-Policy"] for page in pages} == {"no-referrer"}
    assert client.post(paths[3], {"place-token": "9", "place-space": "market"}).status_code == 404


def test_a_link_of_a_closed_account_is_not_good(client, placing):
    row = open_rows(placing)[0]
    row.seat.user.is_active = False
    row.seat.user.save()
    assert client.get(act_path(row)).status_code == 404
    assert client.get(back_path(row.seat)).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("rubbish", ["\0", "x" * 5000, "'; drop table games_move; --", "\ud7ff\u202e", "[]"])
def test_rubbish_is_refused_in_words(client, placing, rubbish):
    row = open_rows(placing)[0]
    before = seq_of(placing)
    for data in (
        {"decision": rubbish},
        {"place-token": rubbish, "place-space": rubbish},
        {"place-token": "9", "place-space": rubbish, "key": rubbish, "do": rubbish},
    ):
        response = client.post(act_path(row), data)
        assert response.status_code in (409, 422)
        assert soup_of(response).select_one("[role=alert]")
    assert seq_of(placing) == before


def test_a_link_dies_when_the_seat_resigns(client, placing, now):
    row = open_rows(placing)[0]
    path = act_path(row)
    game_moves.resign(game_id=placing.pk, seat=row.seat.number, actor=row.seat.user, source=Move.Source.WEB, now=now)
    assert client.get(path).status_code == 404


def test_a_spent_link_says_what_happened_with_200(client, placing, now):
    row = open_rows(placing)[0]
    answer(placing, row, now, {"type": "place", "token": 9, "space": "market"})
    response = client.get(act_path(row))
    page = response.content.decode()
    assert response.status_code == 200
    assert "a token at the market." in page, page[page.index("<main") :][:1500]
    assert "<form" not in page
    assert "/act/" not in page  # a spent link leads to no fresh one


@pytest.mark.slow
def test_the_form_of_another_question_is_refused_and_the_right_one_shown(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    data = filled(form, some_answer(placing, row)) | {"decision": "r1-market"}
    response = client.post(act_path(row), data)
    assert response.status_code == 409
    assert "a different question" in response.content.decode()
    assert answer_form(response).select("input[checked]")  # nothing that was typed is lost


# What the rules forbid


def refused(client: Client, row: Decision, action: dict) -> str:
    before = seq_of(row.game)
    response = client.post(act_path(row), filled(answer_form(client.get(act_path(row))), action))
    assert response.status_code == 422
    assert seq_of(row.game) == before
    alert = soup_of(response).select_one("[role=alert]")
    assert alert is not None
    return " ".join(alert.text.split())


@pytest.mark.slow
def test_tokens_go_to_no_closed_space_and_only_from_the_hand(client, placing, now):
    """A25: no empty cave. A26: no tent. A20: a token placed is not in the hand. A10: no room 4 for three players."""
    for _ in range(3):  # until the first player is asked again
        row = open_rows(placing)[0]
        answer(placing, row, now, {"type": "place", "token": 9, "space": "guard"})
    row = open_rows(placing)[0]
    view = placing.rules.view(fresh(placing).load_state(), row.seat.number)
    empty = [f"cave-{kind}" for kind, shelves in view.caves.items() if not shelves]
    for space in [*empty, "tent", "djinn", "room-4", "attic"]:
        assert "can't be chosen now" in refused(client, row, {"type": "place", "token": 1, "space": space})
    for token in (9, 3, 77):
        assert "can't be chosen now" in refused(client, row, {"type": "place", "token": token, "space": "guard"})


@pytest.mark.slow
def test_the_sixth_token_in_a_room_is_refused(client, placing, now):
    """A23: five tokens of a player in a room, not more."""
    for token in (1, 2, 4, 5, 6):
        for space in ("room-1", "guard", "guard"):  # the first player's token, then the others'
            answer(placing, open_rows(placing)[0], now, {"type": "place", "token": token, "space": space})
    row = open_rows(placing)[0]
    assert "can't be chosen now" in refused(client, row, {"type": "place", "token": 9, "space": "room-1"})


@pytest.mark.slow
def test_treasures_must_make_the_total(client, game):
    row = open_rows(game)[0]
    for amounts in ({"crown": 2}, {"crown": 2, "gold": 2}, {"crown": 4}):
        assert refused(client, row, {"type": "take_treasures", "amounts": amounts})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["market", "camel", "bribe"])
def test_what_is_not_offered_is_refused(client, reach, kind):
    row = reach(kind)
    wrong = {
        "market": {"type": "exchange", "give": "ruby", "take": {"gold": 3}},
        "camel": {"type": "give_camel", "seat": 9},
        "bribe": {"type": "bribe", "pay": {"gold": 29}},
    }
    assert refused(client, row, wrong[kind])


@pytest.mark.slow
def test_two_tokens_are_not_paid_with_one_kind(client, placing, now):
    """A69: as many kinds as tokens."""
    row = _buying_with_two_tokens(placing, now)
    access = queries.Access(fresh(placing), row.seat)
    question = next(q for q in access.game.rules.questions(queries.view_of(access)) if q.decision.id == row.code)
    form = next(form for form in question.actions if form.type == "buy")
    kinds = [{option.value for option in field.options} for field in form.fields]
    same = next(iter(kinds[0] & kinds[1]))
    assert "different kind" in refused(client, row, {"type": "buy"} | {field.name: same for field in form.fields})


def _buying_with_two_tokens(game: Game, now: dt.datetime) -> Decision:
    for dice in range(4000):
        settle(now)
        row = open_rows(game)[0]
        if row.kind == "buy":
            access = queries.Access(fresh(game), row.seat)
            forms = game.rules.questions(queries.view_of(access))[0].actions
            for form in forms:
                options = [{option.value for option in field.options} for field in form.fields]
                if len(options) == 2 and options[0] & options[1]:
                    return row
        answer(game, row, now, some_answer(fresh(game), row, dice))
    raise AssertionError("nobody can buy with two tokens")


@pytest.mark.slow
def test_what_was_typed_is_shown_again_after_a_refusal(client, placing):
    row = open_rows(placing)[0]
    form = answer_form(client.get(act_path(row)))
    response = client.post(act_path(row), untouched(form) | {"place-token": "7", "person": "me"})
    checked = answer_form(response).select("input[checked]")
    assert [(field["name"], field["value"]) for field in checked] == [("place-token", "7")]
    assert "Space: please choose one." in response.content.decode()
