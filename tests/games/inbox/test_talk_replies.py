"""Replies to an email about what was said at a table are said there."""

import pytest

from games.models import Comment
from games.play import decision_links, table_talk
from notifications.composers import composer_for
from notifications.messages import Form
from notifications.models import Inbound, Notice
from tests.games.inbox.test_handler import State, mail_settings, moves, post, row

__all__ = ["mail_settings", "post", "row"]


def told_by_talk(row, now):
    """Somebody mentions the player of this row; returns the email's reply address."""
    speaker = next(seat.user for seat in row.game.seats.exclude(pk=row.seat_id).select_related("user"))
    table_talk.say(game_id=row.game_id, user=speaker, text=f"@{row.seat.name} shall we wait?", now=now)
    notice = Notice.objects.get(kind="talk", recipient=row.seat.user.recipient)
    letter = composer_for("talk").compose(notice, "en", Form.LETTER)
    assert "your first line goes to the whole table" in letter.text
    return letter.headers["Reply-To"]


def test_a_reply_to_words_from_the_table_is_said_there(post, row, now):
    to = told_by_talk(row, now)
    assert to != decision_links.reply_address(row)
    assert post.send(row, "ok\n\nOn Monday Anna wrote:\n> shall we wait?", to=to).state == State.DONE
    assert post.send(row, "help", to=to, number=2).state == State.DONE
    said = list(Comment.objects.order_by("pk").values_list("text", flat=True))
    assert said[1:] == ["ok"] and moves(row) == []
    long = post.send(row, "so " * 90, to=to, number=3)
    assert long.state == State.DONE and len(long.line) <= Inbound.LINE_LENGTH


@pytest.mark.parametrize("line", ["{token} market", "{token} market, {token} guard", "say order {token} market"])
def test_a_move_in_reply_to_words_from_the_table_is_neither_said_nor_done(post, row, now, line):
    """Nor a move with orders behind it, or an order: whoever reads the table would know."""
    inbound = post.send(row, line, to=told_by_talk(row, now))
    assert inbound.state == State.ANSWERED and "looks like a move" in inbound.answer
    assert Comment.objects.count() == 1 and moves(row) == []


def test_an_order_in_reply_to_words_from_the_table_is_an_order(post, row, now):
    inbound = post.send(row, "order {token} market", to=told_by_talk(row, now))
    assert inbound.state == State.DONE and "orders are saved" in inbound.answer
    assert Comment.objects.count() == 1
