"""An answer by mail counts once, in time, for its own decision, from its own player; and it is answered once."""

import datetime as dt
import re

import pytest

from games.inbox import handler
from games.models import Move
from games.play import decision_links, game_moves, queries
from notifications.channels.mail.letter import thread_root
from notifications.clock import present
from notifications.composers import composer_for
from notifications.delivery import sending
from notifications.inbound import addresses, receiving
from notifications.inbound import receiving as dispatch
from notifications.messages import Form
from notifications.models import Inbound, Notice
from tests.games.conftest import answer, fresh, open_rows, settle
from tests.games.web.filling import pressed

State = Inbound.State
OURS = "Authentication-Results: mx.play.example.org; dmarc=pass header.from=example.org"


@pytest.fixture(autouse=True)
def mail_settings(settings):
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    settings.MAIL_AUTHSERV_ID = "mx.play.example.org"


@pytest.fixture
def row(placing, now):
    """The first placement."""
    (row,) = open_rows(placing)
    return row


def token(row):
    """One of the tokens in the player's hand; which are there is chance."""
    access = queries.Access(row.game, row.seat)
    return queries.open_questions(access)[0].question.actions[0].fields[0].options[0].value


class Post:
    """Mails to reply addresses, and what becomes of them."""

    def __init__(self, now):
        self.now, self.number, self.token = now, 0, ""

    def mail(self, row, text, *, sender=None, results=OURS, number=None, subject="Re: Your move"):
        """A mail of the decision's player, unless somebody else is named."""
        self.number += 1
        if row.kind == "place" and not self.token:
            self.token = str(token(row))
        head = [f"From: {sender or row.seat.user.email}", f"Message-ID: <{number or self.number}@example.org>", results]
        lines = [*filter(None, head), f"Subject: {subject}", "", text.replace("{token}", self.token)]
        return "\n".join(lines).replace("\n", "\r\n").encode()

    def send(self, row, text, *, to=None, **given):
        """Send it, let a worker handle it, return its row."""
        content = self.mail(row, text, **given)
        to = to or decision_links.reply_address(row)
        inbound = receiving.receive(content=content, to=to, envelope_sender="x@example.org", now=self.now)
        while dispatch.handle_one(self.now):
            pass
        if inbound is not None:
            inbound.refresh_from_db()
        return inbound


@pytest.fixture
def post(now):
    return Post(now)


def heard(user):
    """The mail that answers this person's last answer."""
    notice = Notice.objects.filter(kind="heard", recipient=user.recipient).latest("pk")
    letter = composer_for("heard")
    assert letter.is_current(notice) == ""
    return letter.compose(notice, notice.recipient.language, Form.LETTER)


def moves(row):
    return list(row.game.moves.filter(decision=row.code, kind=Move.Kind.ANSWER))


@pytest.mark.slow
def test_a_line_places_a_token_and_is_answered_with_what_happened(post, row):
    inbound = post.send(row, "{token} market\n\n> 8 pearls")
    assert inbound.state == State.DONE
    (move,) = moves(row)
    assert move.source == Move.Source.MAIL and f'"token":{post.token}' in move.action and '"market"' in move.action
    mail = heard(row.seat.user)
    assert f"{post.token} market" in mail.text and mail.headers["Auto-Submitted"] == "auto-replied"


@pytest.mark.slow
def test_an_answer_stands_below_the_mail_it_answers_in_the_conversation_of_the_game(post, row):
    post.send(row, "{token} market", number=7)
    mail = heard(row.seat.user)
    root = thread_root(row.game.thread)
    assert (mail.headers["In-Reply-To"], mail.headers["References"]) == ("<7@example.org>", f"{root} <7@example.org>")


@pytest.mark.slow
def test_a_message_id_that_cannot_be_written_down_is_not_repeated(post, row):
    post.send(row, "{token} market", number="7>\n Bcc: <x")
    assert not {"In-Reply-To", "References"} & set(heard(row.seat.user).headers)


@pytest.mark.slow
def test_the_same_mail_again_changes_nothing(post, row):
    first = post.send(row, "{token} market", number=7)
    again = post.send(row, "{token} market", number=7)
    assert first.pk == again.pk and len(moves(row)) == 1
    assert Notice.objects.filter(kind="heard").count() == 1


@pytest.mark.slow
def test_a_worker_that_died_after_the_move_answers_without_a_second_one(post, row):
    inbound = post.send(row, "{token} market")
    Notice.objects.filter(kind="heard").delete()
    Inbound.objects.filter(pk=inbound.pk).update(state=State.WAITING)
    assert dispatch.handle_one(post.now)
    assert len(moves(row)) == 1 and f"{post.token} market" in heard(row.seat.user).text


def test_an_answer_to_a_closed_decision_is_told_what_became_of_it(post, row, now):
    post.mail(row, "")
    answer(row.game, row, now)
    inbound = post.send(row, "{token} market")
    assert inbound.state == State.ANSWERED and "already been answered" in inbound.answer
    assert len(moves(row)) == 1


def test_what_our_own_mail_server_did_not_prove_is_held(post, row):
    inbound = post.send(row, "{token} market", results="")
    assert inbound.state == State.HELD and moves(row) == []
    assert "/reply/" in heard(row.seat.user).text


def test_somebody_else_who_has_the_address_is_held_and_only_the_player_hears_of_it(post, row, ben, carla):
    inbound = post.send(row, "{token} market", sender="mallory@example.org")
    assert inbound.state == State.HELD and moves(row) == []
    assert {notice.recipient for notice in Notice.objects.filter(kind="heard")} == {row.seat.user.recipient}


def confirm_path(user):
    found = heard(user).text
    return "/reply/" + found.split("/reply/")[1].split()[0]


@pytest.mark.slow
def test_a_held_answer_counts_once_its_player_says_it_is_his(post, row, client):
    inbound = post.send(row, "{token} market", results="")
    path = confirm_path(row.seat.user)
    meant = f"- Place a token face down: {post.token}, Market"
    assert meant in heard(row.seat.user).text
    assert f"{post.token} market" in (shown := client.get(path).content.decode()) and meant in shown
    assert "form" in client.post(path).content.decode() and moves(row) == []
    page = client.post(path, pressed())
    assert page.status_code == 200 and len(moves(row)) == 1
    assert client.post(path, pressed()).status_code == 200 and len(moves(row)) == 1
    inbound.refresh_from_db()
    assert inbound.state == State.DONE
    assert page.headers["Referrer-Policy"] == "no-referrer" and page.headers["Cache-Control"] == "no-store"


def test_a_confirmation_link_is_good_for_its_answer_alone(post, row, client):
    post.send(row, "{token} market", results="")
    path = confirm_path(row.seat.user)
    assert client.get(path[:-3] + "xx/").status_code == 404
    other = Inbound.objects.get()
    other.pk, other.ref, other.key = None, "another", "another"
    other.save()
    token = path.rstrip("/").rpartition("/")[2]
    assert client.post(f"/reply/another/{token}/", pressed()).status_code == 404


@pytest.mark.slow
def test_resigning_by_mail_must_be_confirmed(post, row, client):
    inbound = post.send(row, "resign")
    assert inbound.state == State.HELD
    row.seat.refresh_from_db()
    assert row.seat.status == "active"
    client.post(confirm_path(row.seat.user), pressed())
    row.seat.refresh_from_db()
    assert row.seat.status == "resigned"


@pytest.mark.parametrize(
    ("line", "shown"), [("status", "Palace"), ("help", "say Good game!"), ("AYUDA!", "say Good game!")]
)
def test_status_and_help_are_answered_and_change_nothing(post, row, line, shown):
    assert post.send(row, line).state == State.DONE
    assert shown in heard(row.seat.user).text and moves(row) == []


def test_what_is_not_understood_is_answered_with_what_would_be(post, row):
    inbound = post.send(row, "Let me think about it")
    assert inbound.state == State.ANSWERED and moves(row) == []
    text = heard(row.seat.user).text
    assert "didn't understand" in text and "Let me think about it" in text and "/act/" in text
    assert re.search(r"\n    \d \w+", text)


def test_the_answer_is_in_the_language_of_its_reader(post, row):
    row.seat.user.recipient.language = "es"
    row.seat.user.recipient.save()
    inbound = post.send(row, "¿Qué hago?")
    assert "no se ha cambiado nada" in inbound.answer
    assert "(lo lee toda la mesa)" in heard(row.seat.user).text


@pytest.mark.slow
def test_two_programs_that_answer_each_other_come_to_an_end(post, row):
    states = [post.send(row, "Your mail is important to us").state for _again in range(10)]
    assert states == [State.ANSWERED] * handler.MOST_REFUSALS + [State.IGNORED] * 7
    assert Notice.objects.filter(kind="heard").count() == handler.MOST_REFUSALS + 1
    mail = heard(row.seat.user)
    assert mail.headers["Auto-Submitted"] == "auto-replied" and "until tomorrow" in mail.text
    assert "This one changed nothing." in mail.text and "/my-games/" in mail.text
    post.now += handler.DAY
    assert post.send(row, "{token} market").state == State.DONE


@pytest.mark.slow
def test_what_is_held_after_the_last_answer_of_a_day_is_kept_and_can_be_confirmed(post, row, client):
    post.now = present.now()  # as the page, which shows what was held lately
    for _again in range(handler.MOST_REFUSALS):
        post.send(row, "Let me think about it")
    fourth = post.send(row, "Not yet", results="")
    fifth = post.send(row, "{token} market", results="")
    assert (fourth.state, fifth.state) == (State.IGNORED, State.HELD) and moves(row) == []
    assert Notice.objects.filter(kind="heard").count() == handler.MOST_REFUSALS + 1
    client.force_login(row.seat.user)
    page = client.get("/my-games/").content.decode()
    assert fifth.line in page and "Yes, I sent this" in page and fourth.line not in page
    path = decision_links.confirm_url(fifth, row.seat)
    assert path in page
    client.post(path, pressed())
    assert len(moves(row)) == 1
    assert "Yes, I sent this" not in client.get("/my-games/").content.decode()


@pytest.mark.slow
def test_the_last_notification_of_a_day_links_to_where_its_own_reply_is_confirmed(post, row, client):
    for _again in range(handler.MOST_REFUSALS):
        post.send(row, "{token} market", results="")
    fourth = post.send(row, "{token} market", results="")
    assert fourth.state == State.HELD
    mail = heard(row.seat.user)
    assert "until tomorrow" in mail.text and decision_links.confirm_url(fourth, row.seat) in mail.text
    client.post(confirm_path(row.seat.user), pressed())
    fourth.refresh_from_db()
    assert fourth.state == State.DONE and len(moves(row)) == 1


@pytest.mark.slow
def test_what_is_confirmed_and_refused_is_answered_though_no_more_answers_come_that_day(post, row, client, now):
    held = [post.send(row, "{token} market", results="") for _again in range(handler.MOST_REFUSALS + 1)][-1]
    answer(row.game, row, now)
    page = client.post(decision_links.confirm_url(held, row.seat), pressed()).content.decode()
    held.refresh_from_db()
    assert held.state == State.ANSWERED and "already been answered" in page


def test_nobody_is_shown_what_was_held_at_anothers_seat(post, row, client, david):
    post.now = present.now()
    held = post.send(row, "{token} market", results="")
    client.force_login(david)
    assert held.line not in client.get("/my-games/").content.decode()


@pytest.mark.parametrize("field", ["List-Unsubscribe: <https://x.example>", "Precedence: list", "List-Id: <a.b>"])
def test_a_clear_and_proved_answer_with_a_lists_head_is_held_for_a_tap(post, row, client, field):
    inbound = post.send(row, "{token} market", results=f"{OURS}\n{field}")
    assert inbound.state == State.HELD and moves(row) == []
    client.post(confirm_path(row.seat.user), pressed())
    assert len(moves(row)) == 1


@pytest.mark.parametrize(
    ("text", "results"),
    [("I'm away until Monday", OURS), ("status", OURS), ("", OURS), ("order", OURS), ("{token} market", "")],
)
def test_other_mail_with_a_lists_head_is_left_alone_without_an_answer(post, row, text, results):
    assert post.send(row, text, results=f"{results}\nList-Id: <a.b>".strip()) is None
    assert not Notice.objects.filter(kind="heard").exists() and moves(row) == []


def test_an_answer_below_quoted_text_is_held_for_a_tap(post, row, client):
    inbound = post.send(row, "On 3/4/26 12:00, Caravanserai wrote:\n> 8 pearls\n\n{token} market")
    assert inbound.state == State.HELD and moves(row) == []
    assert "This is what it means" in heard(row.seat.user).text
    client.post(confirm_path(row.seat.user), pressed())
    assert len(moves(row)) == 1


def test_a_program_gets_no_answer_at_all(post, row):
    assert post.send(row, "{token} market", subject="Automatic reply: Your move") is None
    assert Inbound.objects.count() == 0 and moves(row) == []


def test_an_address_in_other_letters_is_known_by_those_that_mail_servers_have_for_it(post, row):
    row.seat.user.recipient.address = "anna@bücher.example"
    row.seat.user.recipient.save()
    proof = OURS.replace("from=example.org", "from=xn--bcher-kva.example")
    inbound = post.send(row, "{token} market", sender="Anna@xn--bcher-kva.example", results=proof)
    assert inbound.state == State.DONE and len(moves(row)) == 1


def test_an_address_dies_with_its_seat(post, row, ben):
    address = decision_links.reply_address(row)
    assert receiving.is_known(address)
    seat = row.seat
    seat.link_generation += 1
    seat.save()
    assert not receiving.is_known(address)
    assert post.send(row, "{token} market", to=address) is None


def test_an_answer_that_waited_while_the_seat_changed_hands_is_left_alone(post, row, david):
    content = post.mail(row, "{token} market")
    receiving.receive(content=content, to=decision_links.reply_address(row), envelope_sender=None, now=post.now)
    row.seat.user = david
    row.seat.save()
    dispatch.handle_one(post.now)
    assert Inbound.objects.get().state == State.IGNORED and moves(row) == []


def test_only_addresses_we_made_are_known(row):
    token = addresses.token_in(decision_links.reply_address(row))
    good = addresses.address_of(token)
    assert receiving.is_known(good.upper())
    other = token[:-1] + ("e" if token.endswith("a") else "a")
    for wrong in (other, token[1:], token.replace("-", "a"), "", "x" * 500):
        assert not receiving.is_known(addresses.address_of(wrong)), wrong
    assert not receiving.is_known(good.replace("play.example", "other.example"))
    assert not receiving.is_known("reply@play.example.org")


def test_what_came_in_time_counts_though_it_is_handled_after_the_deadline(post, row, settings):
    settings.DEADLINE_GRACE_SECONDS = 10
    due = row.due_at
    receiving.receive(
        content=post.mail(row, "{token} market"), to=decision_links.reply_address(row), envelope_sender=None, now=due
    )
    dispatch.handle_one(due + dt.timedelta(minutes=20))
    assert Inbound.objects.get().state == State.DONE


def test_an_error_of_ours_is_tried_again_and_then_put_aside(post, row, monkeypatch):
    def broken(**_):
        raise ZeroDivisionError

    monkeypatch.setattr(game_moves, "submit", broken)
    receiving.receive(
        content=post.mail(row, "{token} market"),
        to=decision_links.reply_address(row),
        envelope_sender=None,
        now=post.now,
    )
    for _again in range(dispatch.MOST_TRIES):
        assert Inbound.objects.get().state == State.WAITING
        dispatch.handle_one(post.now)
    assert Inbound.objects.get().state == State.FAILED
    assert not dispatch.handle_one(post.now)


def test_workers_hear_what_waits(post, row):
    receiving.receive(
        content=post.mail(row, "{token} market"),
        to=decision_links.reply_address(row),
        envelope_sender=None,
        now=post.now,
    )
    assert sending.handle_waiting_replies() == 1
    assert len(moves(row)) == 1


@pytest.mark.slow
def test_a_sealed_answer_may_be_replaced_by_mail_until_it_opens(post, game, now):
    row = open_rows(game)[0]
    assert post.send(row, "take 2 pearls 1 gold").state == State.DONE
    assert post.send(row, "take 3 crowns").state == State.DONE
    for other in open_rows(fresh(game)):
        if other.seat_id != row.seat_id:
            answer(game, other, now)
    settle(now)
    mine = [move for move in moves(row) if move.seat == row.seat.number]
    assert len(mine) == 2 and '"crown":3' in mine[1].action


@pytest.mark.slow
def test_the_mail_that_asks_says_how_to_answer_it_and_where(row):
    notice = Notice.objects.filter(kind="due", subject=row.subject).get()
    mail = composer_for("due").compose(notice, "en", Form.LETTER)
    assert mail.headers["Reply-To"] == decision_links.reply_address(row)
    shown = re.findall("<code>(.*?)</code>", mail.html)
    assert re.fullmatch(r"\d .+", shown[0]) and shown[1:] == ["help"]
    assert all(f"\n    {line}\n" in mail.text for line in shown)


def test_where_mails_cannot_be_answered_nothing_is_said_of_it(row, settings):
    settings.REPLY_ADDRESS = ""
    notice = Notice.objects.filter(kind="due", subject=row.subject).get()
    mail = composer_for("due").compose(notice, "en", Form.LETTER)
    assert "Reply-To" not in mail.headers and "reply to this email" not in mail.text.lower()


def test_where_no_reply_can_be_proved_the_mail_says_that_it_must_be_confirmed(row, settings):
    notice = Notice.objects.filter(kind="due", subject=row.subject).get()
    proved = composer_for("due").compose(notice, "en", Form.LETTER)
    settings.MAIL_AUTHSERV_ID = ""
    held = composer_for("due").compose(notice, "en", Form.LETTER)
    for before, after in ((proved.text, held.text), (proved.html, held.html)):
        assert "You then confirm it by a link." not in before
        assert "You then confirm it by a link." in after


@pytest.mark.slow
def test_where_no_reply_can_be_proved_each_one_counts_once_it_is_confirmed(post, row, settings, client):
    settings.MAIL_AUTHSERV_ID = ""
    inbound = post.send(row, "{token} market")
    assert inbound.state == State.HELD and moves(row) == []
    client.post(confirm_path(row.seat.user), pressed())
    inbound.refresh_from_db()
    assert inbound.state == State.DONE and len(moves(row)) == 1
