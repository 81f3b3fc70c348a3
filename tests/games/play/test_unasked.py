"""What may be done unasked (A92): no mail, no deadline, no default; by page, link and API; first come, first served."""

import datetime as dt
import json

import pytest
from django.test import Client

from engine.rules import OpenDecision
from games.errors import Conflict
from games.models import Decision, Game, Move
from games.play import decision_links, game_moves, queries
from notifications.models import Notice
from tests.games.api.conftest import Program
from tests.games.conftest import answer, fresh, open_rows, seat_of
from tests.games.magic import PASS, all_pass, dealt, dealt_placing, give, kept_dealt, placement
from tests.games.web.filling import filled, soup_of

__all__ = ["dealt", "dealt_placing", "kept_dealt"]
SPY = {"type": "play_spy"}


@pytest.fixture
def game(dealt_placing: Game) -> Game:
    """A placement is asked. Nobody holds a spell but the next two seats: Spy the first of them, Taboo! the second."""
    spells: list[list[str]] = [[], [], []]
    first = (placement(dealt_placing).seat.number + 1) % 3
    spells[first], spells[(first + 1) % 3] = ["spy"], ["taboo"]
    return give(dealt_placing, spells=spells)


def bystander(game: Game, step: int = 1):
    """The seat so many places behind the one that is to place."""
    number = (placement(game).seat.number + step) % 3
    return game.seats.select_related("user__recipient").get(number=number)


def page_of(seat, game: Game, query: str = ""):
    client = Client()
    client.force_login(seat.user)
    return client, client.get(f"/table/{game.ref}/{query}")


def test_what_may_be_done_unasked_has_no_row_no_mail_and_nobody_waits_for_it(game):
    row, seat = placement(game), bystander(game)
    assert [waited.number for waited in queries.waiting(game, None)[0]] == [row.seat.number]
    assert not Decision.objects.filter(kind="declare").exists()
    assert not Notice.objects.filter(kind="due", recipient=seat.user.recipient, subject=row.subject).exists()
    found = queries.open_questions(queries.Access(game, seat))
    assert [(one.question.decision.kind, one.decision) for one in found] == [("declare", None)]


def test_whoever_could_act_as_far_as_others_see_but_can_play_nothing_is_not_offered_it(game):
    row = placement(game)
    spells, used = [[], [], []], [[], [], []]
    spells[row.seat.number], used[row.seat.number] = ["smuggler"], ["lamp"]  # S15: not while tokens are placed
    game = give(game, spells=spells, used=used)
    view = queries.view_of(queries.Access(game, row.seat))
    assert [(one.seat, one.kind) for one in view.asked if not one.prompted] == [(row.seat.number, "declare")]
    found = queries.open_questions(queries.Access(game, row.seat))
    assert [one.question.decision.kind for one in found] == ["place"]


@pytest.mark.slow
def test_the_table_offers_it_and_shows_its_form_on_demand(game):
    seat = bystander(game)
    client, response = page_of(seat, game)
    soup = soup_of(response)
    assert "You may play a card at any moment while tokens are placed" in soup.get_text()
    assert soup.select_one("#table")["data-hx-get"]  # it is still exchanged when the game goes on
    (aside,) = soup.select("#asked details.aside")
    assert len(soup.select("form.answer")) == 1 and soup.select_one(".waiting") is not None
    assert (aside["id"], aside.has_attr("open")) == ("may-r1-declared-1", False)
    form = aside.select_one("form.answer")
    assert form.select_one("input[name=decision]")["value"] == "r1-declared-1"
    done = client.post(f"/table/{game.ref}/act/", filled(form, SPY), follow=True)
    assert "You play Aladdin's Lamp." in soup_of(done).select_one("p.did").get_text()
    assert fresh(game).moves.get(decision="r1-declared-1").source == "web"


@pytest.mark.slow
def test_it_can_be_played_from_the_link_of_the_own_placement(game, now):
    row = placement(game)
    spells: list[list[str]] = [[], [], []]
    spells[row.seat.number] = ["spy"]
    give(game, spells=spells)
    client, path = Client(), decision_links.act_url(row).split("/", 3)[3]
    page = soup_of(client.get(f"/{path}"))
    asked, may = page.select("form.answer")
    (aside,) = page.select("details.aside")
    assert (aside["id"], aside.has_attr("open")) == ("may-r1-declared-1", False)
    assert aside.select_one("form.answer") is may and asked.find_parent("details") is None
    done = client.post(f"/{path}", filled(may, SPY))
    assert done.status_code == 303
    assert fresh(game).moves.get(decision="r1-declared-1").source == "link"


def test_a_link_is_for_nothing_else_of_its_seat(game, now):
    row = placement(game)
    path = decision_links.act_url(row).split("/", 3)[3]
    refused = Client().post(f"/{path}", {"decision": "r1-declared-2", "do": "play_spy"})
    assert refused.status_code == 409
    assert fresh(game).seq == game.seq


def test_a_program_is_offered_it_and_plays_it(game):
    seat = bystander(game)
    program = Program(seat.user)
    (question,) = program.get(f"games/{game.ref}/decisions/")["items"]
    assert (question["kind"], question["is_waiting"], question["is_sealed"]) == ("declare", False, False)
    assert question["due_at"] is None
    done = program.post(f"games/{game.ref}/decisions/{question['code']}/", {"action": SPY})
    assert done["happened"][0]["text"] == "You play Aladdin's Lamp."
    assert program.get(f"games/{game.ref}/")["waits_for"] != []


def test_the_first_to_arrive_opens_the_window_and_the_second_is_told_a91(game):
    first, second = bystander(game), bystander(game, 2)
    Program(first.user).post(f"games/{game.ref}/decisions/r1-declared-1/", {"action": SPY})
    program = Program(second.user)
    answered = program.post(
        f"games/{game.ref}/decisions/r1-declared-1/", {"action": {"type": "play_taboo", "space": "market"}}, 409
    )
    assert answered["code"] == "conflict"
    assert json.dumps(answered).find("Spy") == -1
    program.post(f"games/{game.ref}/decisions/no-such-thing/", {"action": SPY}, 404)


@pytest.mark.slow
def test_the_placement_is_put_off_and_then_asked_again_with_a_new_mail_and_the_old_link(game, now):
    row, later = placement(game), now + dt.timedelta(hours=5)
    path = decision_links.act_url(row).split("/", 3)[3]
    game_moves.submit(
        game_id=game.pk,
        seat=bystander(game).number,
        decision="r1-declared-1",
        action=SPY,
        source=Move.Source.WEB,
        received_at=now,
    )
    row.refresh_from_db()
    assert row.status == Decision.Status.WITHDRAWN
    assert "isn't open at the moment" in Client().get(f"/{path}").content.decode()
    all_pass(game, later)
    again = placement(game)
    assert (again.pk, again.due_at) == (row.pk, later + dt.timedelta(days=1))
    assert soup_of(Client().get(f"/{path}")).select_one("form.answer")
    mails = Notice.objects.filter(kind="due", subject=row.subject)
    assert mails.count() == 2
    answer(game, again, later)


def test_no_deadline_and_no_bot_can_answer_it(game, now):
    for source in (Move.Source.DEADLINE, Move.Source.BOT, Move.Source.ABSENT):
        with pytest.raises(Conflict):
            game_moves.submit(
                game_id=game.pk,
                seat=bystander(game).number,
                decision="r1-declared-1",
                action=None,
                source=source,
                received_at=now,
            )
    assert fresh(game).seq == game.seq


def test_a_sealed_answer_is_still_shown_as_one_that_may_be_changed(dealt, now, anna):
    row = next(row for row in open_rows(dealt) if row.seat == seat_of(dealt, anna))
    answer(dealt, row, now, PASS)
    (aside,) = soup_of(page_of(row.seat, dealt)[1]).select("details.aside")
    assert (aside["id"], aside.has_attr("open")) == (f"again-{row.code}", False)  # none that may be done unasked
    assert aside.select_one("summary").get_text(strip=True) == "Change my answer"
    assert aside.select_one("form.answer input[name=decision]")["value"] == row.code


def test_rules_that_break_on_it_keep_nothing_and_say_so(game, now, monkeypatch):
    def broken(*_arguments: object, **_how: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(OpenDecision, "apply", broken)
    seat = bystander(game)
    client, response = page_of(seat, game, "?may=r1-declared-1")
    done = client.post(f"/table/{game.ref}/act/", filled(soup_of(response).select_one("form.answer"), SPY))
    assert done.status_code == 503
    assert "nothing was changed" in done.content.decode()


@pytest.mark.slow
def test_what_rules_each_other_out_is_said_on_the_page_and_refused_in_words(game, now):
    """S1, A24: a token cannot go where it lies."""
    row = placement(game)
    for token in (9, 9, 9, 8):
        space = "market" if token == 9 else "tent"
        answer(game, placement(game), now, {"type": "place", "token": token, "space": space})
    spells: list[list[str]] = [[], [], []]
    spells[row.seat.number] = ["second_chance"]
    give(game, spells=spells)
    client, response = page_of(row.seat, game, "?may=r1-declared-1")
    form = soup_of(response).select_one("form.answer")
    assert "not with: Market" in form.get_text()
    move = {"type": "play_second_chance", "token": "market:1", "to": "market"}
    refused = client.post(f"/table/{game.ref}/act/", filled(form, move))
    assert refused.status_code == 422
    said = soup_of(refused).select_one("form.answer .error").get_text(strip=True)
    assert said == ("These don't go together: the token no. 1 at the market, Market. Please change one of them.")
    (question,) = Program(row.seat.user).get(f"games/{game.ref}/decisions/")["items"]
    (token, _to) = question["actions"][-1]["fields"]
    assert {option["value"]: option["bars"] for option in token["options"]} == {
        "market:1": ["market"],
        "tent:1": ["tent"],
    }
