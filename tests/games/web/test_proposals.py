"""What is proposed to a player stands on his own pages and in his own letters; one button, line or call plays it."""

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.inbox import handler
from games.models import Decision, Game, Move, User
from games.play import proposals, queries
from notifications.models import Inbound
from tests.games.api.conftest import Program
from tests.games.conftest import answer, fresh, open_rows, propose_all, row_of, settle
from tests.games.inbox.test_handler import OURS, Post, heard
from tests.games.letters.conftest import mail
from tests.games.web.acting import act_path
from tests.games.web.filling import choose_me, pressed, soup_of, words

pytestmark = pytest.mark.slow
EMPTY = {"type": "sheet", "windows": "quiet", "tally": "later"}


def offered(page: Any) -> Any:
    """The form that accepts a proposal; None if the page has none."""
    button = soup_of(page).select_one("button[name=proposal]")
    return button.find_parent("form") if button else None


def inputs(form: Any) -> dict[str, str]:
    """What pressing its button posts, with nothing that a person adds."""
    fields = {field["name"]: field.get("value", "") for field in form.select("input[type=hidden]")}
    return fields | {"proposal": form.select_one("button[name=proposal]")["value"]}


def is_played_as_proposed(row: Decision) -> bool:
    """True if the last answer to this decision is what was proposed."""
    shown = proposals.load(row)
    move = row.game.moves.filter(decision=row.code, seat=row.seat.number).last()
    assert shown is not None and move is not None
    rules = row.game.rules
    return bool(move.action == rules.dump_action(rules.parse(json.loads(shown.answer))).decode())


def test_the_page_behind_the_link_shows_the_proposal_with_its_reason_and_one_button_plays_it(
    client: Client, proposing: Game, ben: User
) -> None:
    row = row_of(proposing, ben)
    form = offered(client.get(act_path(row)))
    assert "Our idea:" in form.text and "Play this" in form.text
    assert "Place a token face down" in form.text
    assert form.select_one("p.hint:not(.confirming-hint)").text.strip()
    response = client.post(act_path(row), inputs(form) | pressed(), follow=True)
    assert response.status_code == 200
    assert is_played_as_proposed(row)


def test_the_button_in_the_letter_opens_a_page_that_asks_for_nothing_else(
    client: Client, proposing: Game, ben: User
) -> None:
    row = row_of(proposing, ben)
    page = client.get(f"{act_path(row)}?do=proposal")
    soup = soup_of(page)
    assert len(soup.select("button[name=proposal]")) == 1
    assert soup.select_one("details#other-answers form.answer"), "the whole form stays within reach"
    assert choose_me(client, client.post(act_path(row), inputs(offered(page))), act_path(row)).status_code == 303
    assert is_played_as_proposed(row)


def test_where_nothing_is_proposed_the_button_of_an_older_letter_opens_the_form(client: Client, placing: Game) -> None:
    page = client.get(f"{act_path(open_rows(placing)[0])}?do=proposal")
    assert page.status_code == 200 and offered(page) is None
    assert soup_of(page).select_one("form.answer")


def test_a_program_that_presses_buttons_accepts_no_proposal(client: Client, proposing: Game, ben: User) -> None:
    row = row_of(proposing, ben)
    posted = inputs(offered(client.get(act_path(row))))
    for one in (posted, {name: value for name, value in posted.items() if name != "confirm"}):
        assert soup_of(client.post(act_path(row), one)).select_one("form.who")
    assert row_of(proposing, ben).pk == row.pk


def test_the_table_shows_it_to_its_player_alone(client: Client, proposing: Game, ben: User, anna: User) -> None:
    client.force_login(ben)
    table = reverse("table", args=[proposing.ref])
    form = offered(client.get(table))
    mark = inputs(form)["proposal"]
    client.force_login(anna)
    assert mark not in client.get(table).content.decode()
    client.force_login(ben)
    response = client.post(reverse("table_act", args=[proposing.ref]), inputs(form))
    assert response.status_code == 303
    assert is_played_as_proposed(Decision.objects.get(pk=row_of_any(proposing, ben).pk))


def row_of_any(game: Game, user: User) -> Decision:
    """The last thing this person was asked, open or not."""
    rows = Decision.objects.filter(game=game, seat__user=user).select_related("game", "seat")
    return rows.order_by("-pk")[0]


def test_a_proposal_that_was_accepted_after_the_question_had_changed_is_refused_in_words(
    client: Client, proposing: Game, ben: User
) -> None:
    row = row_of(proposing, ben)
    form = offered(client.get(act_path(row)))
    before = fresh(proposing).seq
    stale = inputs(form) | {"proposal": "0" * 16, **pressed()}
    response = client.post(act_path(row), stale)
    assert response.status_code == 409
    assert "The question has changed since this proposal was made" in words(response)
    assert offered(response) is not None, "the new one stands there"
    assert fresh(proposing).seq == before


def test_an_accepted_sheet_may_be_replaced_until_all_have_given_theirs(
    client: Client, proposing: Game, ben: User, now: dt.datetime
) -> None:
    row = row_of(proposing, ben)
    client.post(act_path(row), inputs(offered(client.get(act_path(row)))) | pressed())
    answer(proposing, row, now, EMPTY)
    assert not is_played_as_proposed(row)


@pytest.mark.parametrize(
    ("chosen", "is_listed", "shown"),
    [
        ("", False, "in sight"),
        ("", True, "folded"),
        ("now", True, "in sight"),
        ("folded", False, "folded"),
        ("never", False, ""),
    ],
)
def test_each_sees_proposals_as_he_likes(
    client: Client, proposing: Game, ben: User, chosen: str, is_listed: bool, shown: str
) -> None:
    """At once, but folded where the game is rated; or as he has chosen."""
    User.objects.filter(pk=ben.pk).update(proposals_shown=chosen)
    Game.objects.filter(pk=proposing.pk).update(is_listed=is_listed)
    form = offered(client.get(act_path(row_of(proposing, ben))))
    assert (("in sight" if form.select_one(".idea") else "folded") if form else "") == shown
    is_told = "Proposal:" in mail("due", ben).text
    assert is_told == (shown == "in sight")


def test_the_settings_say_how_one_likes_them(client: Client, ben: User) -> None:
    client.force_login(ben)
    facts = {"name": "Ben", "language": "en", "zone": "UTC", "proposals_shown": "folded"}
    client.post(reverse("settings"), facts)
    ben.refresh_from_db()
    assert ben.proposals_shown == "folded"
    refused = client.post(reverse("settings"), facts | {"proposals_shown": "loud"})
    assert refused.status_code == 422


def test_a_program_reads_what_is_proposed_to_its_person_and_accepts_it(
    proposing: Game, ben: User, anna: User, now: dt.datetime
) -> None:
    program, path = Program(ben), f"games/{proposing.ref}/decisions/"
    assert program.get(path)["items"][0]["proposal"] is None, "no worker has come yet"
    propose_all(now)
    (question,) = program.get(path)["items"]
    proposed = question["proposal"]
    assert set(proposed) == {"mark", "action", "text", "reason"}
    assert proposed["action"]["type"] == "sheet"
    (hers,) = Program(anna).get(path)["items"]
    assert hers["proposal"]["mark"] != proposed["mark"]
    refused = program.post(f"{path}{question['code']}/", {"proposal": hers["proposal"]["mark"]}, status=409)
    assert "The question has changed" in refused["detail"]
    program.post(f"{path}{question['code']}/", {"proposal": proposed["mark"]})
    assert is_played_as_proposed(row_of_any(proposing, ben))


@pytest.mark.parametrize("body", [{}, {"proposal": ""}, {"proposal": True}, {"proposal": "x", "action": EMPTY}])
def test_a_call_says_either_an_action_or_a_proposal(proposing: Game, ben: User, body: dict[str, Any]) -> None:
    path = f"games/{proposing.ref}/decisions/{row_of(proposing, ben).code}/"
    Program(ben).post(path, body, status=422)


def test_the_letter_says_what_is_proposed_and_why_and_how_to_accept_it(
    settings: Any, proposing: Game, ben: User
) -> None:
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    letter = mail("due", ben)
    row = row_of(proposing, ben)
    assert "Play this" in letter.html
    assert "\n    ok\n" in letter.text
    (line,) = re.findall(r"Proposal: (.*?)\. ", letter.text)
    (asked,) = queries.open_questions(queries.Access(row.game, row.seat))
    said, shown = handler.answer_of(line, row, asked.question), proposals.load(row)
    assert shown is not None
    assert first_answers(said) == first_answers(proposals.answer_of(shown)), "what the letter says is what is played"


def first_answers(action: Any) -> list[tuple[object, ...]]:
    """What each order answers first, without what it leaves open."""
    found = [order["answers"][0].values() for order in action["orders"] if order["kind"] != "ask"]
    return list(dict.fromkeys(tuple(value for value in values if value != "none") for values in found))


@pytest.mark.parametrize("line", ["ok", "OK.", "Yes!", "sí", "vale", "okay"])
def test_a_reply_that_says_yes_plays_what_is_proposed(
    settings: Any, proposing: Game, ben: User, now: dt.datetime, line: str
) -> None:
    settings.REPLY_ADDRESS, settings.MAIL_AUTHSERV_ID = "reply+{token}@play.example.org", "mx.play.example.org"
    mail("due", ben)
    row = row_of(proposing, ben)
    inbound = Post(now).send(row, line, results=OURS)
    assert inbound.state == Inbound.State.DONE
    assert is_played_as_proposed(row)
    assert row.game.moves.filter(decision=row.code).last().source == Move.Source.MAIL


def test_a_yes_where_nothing_is_proposed_or_something_else_was_before_does_nothing(
    settings: Any, placing: Game, proposing: Game, ben: User, now: dt.datetime
) -> None:
    settings.REPLY_ADDRESS, settings.MAIL_AUTHSERV_ID = "reply+{token}@play.example.org", "mx.play.example.org"
    row = open_rows(placing)[0]
    before = fresh(placing).seq
    assert Post(now).send(row, "yes").state == Inbound.State.ANSWERED
    assert "There's no proposal for you here" in heard(row.seat.user).text
    assert fresh(placing).seq == before
    propose_all(now)
    row = row_of(proposing, ben)
    Decision.objects.filter(pk=row.pk).update(opened_at=now + dt.timedelta(hours=1), wants_proposal=True)
    propose_all(now + dt.timedelta(hours=2))
    before = fresh(proposing).seq
    assert Post(now).send(row, "yes", number=9).state == Inbound.State.ANSWERED
    assert "The question has changed" in heard(ben).text
    assert fresh(proposing).seq == before
    settle(now)


def test_a_sheet_that_starts_from_the_proposal_and_is_sent_unchanged_is_the_proposal(
    client: Client, proposing: Game, ben: User
) -> None:
    row = row_of(proposing, ben)
    page = soup_of(client.post(act_path(row), {"rows": "1", "look": "proposal", "key": "look"}))
    assert row_of(proposing, ben).pk == row.pk, "to start from it sends nothing"
    form = page.select_one("form.answer")
    filled = {one["name"]: one["value"] for one in form.select("input[type=hidden], input[checked]")}
    filled |= {one.parent["name"]: one["value"] for one in form.select("option[selected]")}
    filled["words"] = form.select_one("textarea").text
    hidden = ("decision", "key", "rows", "challenge", "proof")
    without_scripts = {name: value for name, value in filled.items() if value and name not in hidden}
    start = json.loads(form.select_one("button[value=proposal]")["data-fill"])
    assert {name: value for name, value in start.items() if value and name != "do"} == without_scripts
    assert client.post(act_path(row), filled).status_code == 303
    sent, proposed = (json.loads(raw) for raw in (proposing.moves.last().action, proposals.load(row).answer))
    assert _by_kind(sent.pop("orders")) == _by_kind(proposed.pop("orders"))
    assert sent == proposed


def _by_kind(orders: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What is ordered, without what is meant anyway; the order of the kinds among each other means nothing."""
    found: dict[str, list[dict[str, Any]]] = {}
    for order in orders:
        answers = [{name: value for name, value in one.items() if value != "none"} for one in order["answers"]]
        said = {name: value for name, value in order.items() if value}
        found.setdefault(order["kind"], []).append({**said, "answers": answers})
    return found


SENT = {"rows": "1", "sheet-windows": "quiet", "sheet-tally": "later", "key": "k"}


@pytest.mark.parametrize(("rest", "count"), [("", 8), ("ask", 1)])
def test_tokens_that_a_sheet_leaves_in_hand_are_placed_as_proposed_unless_its_player_wants_to_be_asked(
    client: Client, proposing: Game, ben: User, rest: str, count: int
) -> None:
    row = row_of(proposing, ben)
    assert "Tokens left in hand: as proposed" in words(client.get(act_path(row)))
    filled = {"row.place-1-token": "9", "row.place-1-space": "market", "rest": rest}
    client.post(act_path(row), SENT | filled | pressed(), follow=True)
    move = proposing.moves.get(decision=row.code, seat=row.seat.number)
    placed = [order["answers"][0] for order in json.loads(move.action)["orders"] if order["kind"] == "place"]
    assert placed[0] == {"type": "place", "token": 9, "space": "market"}
    assert len({entry["token"] for entry in placed}) == len(placed) == count


def test_an_empty_sheet_is_not_sent_but_its_player_is_asked_what_he_means(
    client: Client, proposing: Game, ben: User
) -> None:
    row = row_of(proposing, ben)
    refused = client.post(act_path(row), SENT)
    assert refused.status_code == 422
    assert "What would you like to do?" in words(refused)
    assert {button.text for button in soup_of(refused).select("button[name=meant]")} == {
        "Ask me for each token",
        "Forfeit the round",
    }
    assert offered(refused) is not None, "what is proposed can be played"
    assert row_of(proposing, ben).pk == row.pk


@pytest.mark.parametrize(("meant", "kind"), [("ask", "sheet"), ("nothing", "sheet_nothing")])
def test_who_says_what_he_means_by_an_empty_sheet_sends_that(
    client: Client, proposing: Game, ben: User, meant: str, kind: str
) -> None:
    row = row_of(proposing, ben)
    assert client.post(act_path(row), SENT | {"meant": meant}).status_code == 303
    move = proposing.moves.get(decision=row.code, seat=row.seat.number)
    assert json.loads(move.action)["type"] == kind


def test_a_round_is_not_forfeited_by_a_button_alone_nor_with_orders(client: Client, proposing: Game, ben: User) -> None:
    row = row_of(proposing, ben)
    assert soup_of(client.post(act_path(row), {"meant": "nothing", "key": "k"})).select_one("form.who")
    filled = SENT | {"meant": "nothing", "row.place-1-token": "9", "row.place-1-space": "guard"}
    assert client.post(act_path(row), filled).status_code == 303
    move = proposing.moves.get(decision=row.code, seat=row.seat.number)
    assert json.loads(move.action)["type"] == "sheet"


def test_by_reply_an_empty_sheet_says_what_is_meant(
    settings: Any, proposing: Game, ben: User, now: dt.datetime
) -> None:
    settings.REPLY_ADDRESS, settings.MAIL_AUTHSERV_ID = "reply+{token}@play.example.org", "mx.play.example.org"
    row, post = row_of(proposing, ben), Post(now)
    before = fresh(proposing).seq
    assert post.send(row, "sheet tally same").state == Inbound.State.ANSWERED
    assert "doesn't place any tokens" in heard(ben).text
    assert fresh(proposing).seq == before
    assert post.send(row, "sheet ask me").state == Inbound.State.DONE
    assert post.send(row, "hoja nada").state == Inbound.State.DONE, "it may be replaced"
    moves = [
        json.loads(move.action)["type"] for move in proposing.moves.filter(seat=row.seat.number, decision=row.code)
    ]
    assert moves == ["sheet", "sheet_nothing"]


def test_a_program_means_what_it_says(proposing: Game, ben: User) -> None:
    row = row_of(proposing, ben)
    Program(ben).post(f"games/{proposing.ref}/decisions/{row.code}/", {"action": EMPTY})
    assert json.loads(proposing.moves.get(decision=row.code, seat=row.seat.number).action)["type"] == "sheet"


def test_a_move_asks_the_database_no_more_where_answers_are_proposed_and_once_to_accept_one(
    proposing: Game, anna: User, ben: User, carla: User, now: dt.datetime
) -> None:
    propose_all(now)
    counts: dict[str, int] = {}
    for name, user, is_on in (("none", carla, False), ("sent", anna, True), ("accepted", ben, True)):
        Game.objects.filter(pk=proposing.pk).update(proposals="on" if is_on else "off")
        row = row_of(proposing, user)
        shown = proposals.load(row)
        assert shown is not None
        body = {"proposal": shown.mark} if name == "accepted" else {"action": json.loads(shown.answer)}
        program = Program(user)
        program.get("me/")
        with CaptureQueriesContext(connection) as made:
            program.post(f"games/{proposing.ref}/decisions/{row.code}/", body)
        counts[name] = len(made)
    assert counts["sent"] == counts["none"]
    assert counts["accepted"] <= counts["sent"] + 1
