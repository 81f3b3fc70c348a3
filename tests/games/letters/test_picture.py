"""The picture of the board in a mail: the page's own, for its reader alone, small, and no reason to lose a mail."""

import datetime as dt
import io

import pytest
from django.core import mail as django_mail
from PIL import Image, ImageSequence

from games.models import Decision, User
from games.play import pictures, queries
from games.play import pictures as picture
from games.tables import boards
from notifications.clock import present
from notifications.delivery.sending import deliver
from notifications.models import Conversation, Notice, Recipient
from tests.games.conftest import running, to_placing
from tests.games.letters.conftest import mail, newest


def drawn_for(row: Decision, user: User) -> bytes:
    seat = row.game.seats.get(user=user)
    access = queries.Access(row.game, seat)
    found = picture.board_picture(access, queries.view_of(access))
    png: bytes = found["picture"].content
    return png


def test_it_is_shown_at_the_size_it_has(turn: Decision, ben: User) -> None:
    letter = mail("due", ben)
    image = Image.open(io.BytesIO(letter.pictures[0].content))
    assert image.width == 400
    assert f'src="cid:{letter.pictures[0].cid}" width="400" height="{image.height}"' in letter.html


def test_its_alternative_text_is_the_board_in_short(turn: Decision, ben: User) -> None:
    assert (
        'alt="Aladdin&#x27;s Dragons - Round 1 - Placing tokens Player sequence from the camel:'
        in mail("due", ben).html
    )


@pytest.mark.slow
def test_it_shows_what_its_reader_may_see_and_nothing_else(turn: Decision, ben: User, carla: User) -> None:
    own, same, other = drawn_for(turn, ben), drawn_for(turn, ben), drawn_for(turn, carla)
    assert own == same and own != other


def test_what_is_kept_of_a_board_is_its_readers_alone(turn: Decision, ben: User, carla: User) -> None:
    seats = [turn.game.seats.get(user=ben), turn.game.seats.get(user=carla), None]
    readers = [queries.Access(turn.game, seat) for seat in seats]
    views = [queries.view_of(access) for access in readers]
    rules, names = turn.game.rules, turn.game.spoken_names()
    told = [queries.describe(access, view) for access, view in zip(readers, views, strict=True)]
    shown = [queries.picture(access, view) for access, view in zip(readers, views, strict=True)]
    assert told == [rules.describe(view, "en", names) for view in views] and len(set(told)) == 3
    assert shown == [rules.picture(view, "en", names) for view in views]
    assert queries.picture(readers[0], queries.view_of(readers[0])) is shown[0]
    views[0].hand.pop()
    assert queries.describe(readers[0], views[0]) == rules.describe(views[0], "en", names) != told[0]


@pytest.mark.slow
def test_the_same_picture_is_laid_out_once_and_its_pieces_are_drawn_once(
    turn: Decision, ben: User, carla: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out, drawn, draw, draw_piece = [], [], picture.draw, pictures._draw_piece
    monkeypatch.setattr(picture, "draw", lambda *args: (laid_out.append(args), draw(*args))[1])
    monkeypatch.setattr(pictures, "_draw_piece", lambda *key: (drawn.append(key), draw_piece(*key))[1])
    picture._drawn.cache_clear()
    pictures.sprites.clear()
    assert mail("due", ben).pictures == mail("due", ben).pictures and len(laid_out) == 1
    of_ben = len(drawn)
    drawn_for(turn, carla)
    assert len(laid_out) == 2, "another hand"
    assert len(drawn) == len(set(drawn)) < 1.3 * of_ben, "the rest is what Ben saw"


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["aladdins-dragons", "cave-of-wonders"])
def test_a_mail_with_its_picture_is_at_most_100_kilobytes(
    anna: User, ben: User, carla: User, now: dt.datetime, rules: str
) -> None:
    game = running(anna, [ben, carla], now, rules_name=rules)
    if rules == "aladdins-dragons":
        to_placing(game, now)
    while deliver(now, 1):
        pass
    asking = [sent for sent in django_mail.outbox if "(by " in sent.subject]
    assert asking and all(30_000 < len(sent.message().as_bytes()) <= 100_000 for sent in asking)
    assert asking[0].message().get_content_type() == "multipart/related"
    part = asking[0].message().get_payload()[1]
    assert part["Content-ID"].strip("<>") in asking[0].alternatives[0][0]
    assert part.get_content_disposition() == "inline"


def test_a_board_that_cannot_be_drawn_costs_nobody_his_mail(
    turn: Decision, ben: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    picture._drawn.cache_clear()
    monkeypatch.setattr("games.tables.boards.svg", lambda *_args, **_options: "no picture")
    letter = mail("due", ben)
    assert letter.pictures == () and "<img" not in letter.html and "Your hand:" in letter.html
    assert "could not be drawn" in caplog.text


def frames_of(content: bytes) -> list[bytes]:
    with Image.open(io.BytesIO(content)) as moving:
        return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(moving)]


@pytest.fixture
def news(turn: Decision, ben: User, monkeypatch: pytest.MonkeyPatch) -> Notice:
    """Ben is told of his turn just now, on a machine that has time."""
    monkeypatch.setattr(pictures, "MOST_SECONDS", 60)
    pictures._moving.cache_clear()
    notice = newest("due", ben)
    Notice.objects.filter(pk=notice.pk).update(created_at=present.now())
    return notice


def test_what_has_happened_since_his_last_answer_moves_between_two_pictures_of_the_board_as_it_is(
    turn: Decision, ben: User, news: Notice
) -> None:
    (letter,) = mail("due", ben).pictures
    first, *between, last = frames_of(letter.content)
    still = Image.open(io.BytesIO(drawn_for(turn, ben))).convert("RGB")
    assert letter.subtype == "gif" and len(letter.content) <= pictures.MOST_BYTES_MOVING
    assert len(between) >= 2 and first == last and first not in between
    assert len(first) == len(still.tobytes())


@pytest.mark.parametrize("forbids", ["everywhere", "at this table", "late", "processor", "bytes", "alike"])
def test_the_still_goes_out_where_it_is_off_or_late_or_too_much_or_shows_nothing_new(
    turn: Decision, ben: User, news: Notice, monkeypatch: pytest.MonkeyPatch, forbids: str
) -> None:
    match forbids:
        case "everywhere":
            Recipient.objects.filter(pk=ben.recipient.pk).update(muted=["moves"])
        case "at this table":
            Conversation.objects.update_or_create(
                recipient=ben.recipient, thread=news.thread, defaults={"muted": ["moves"]}
            )
        case "late":
            Notice.objects.filter(pk=news.pk).update(created_at=present.now() - dt.timedelta(minutes=2))
        case "processor":
            monkeypatch.setattr(pictures, "MOST_SECONDS", 0)
        case "bytes":
            monkeypatch.setattr(pictures, "MOST_BYTES_MOVING", 1000)
        case "alike":
            access = queries.Access(turn.game, turn.game.seats.get(user=ben))
            board = queries.picture(access, queries.view_of(access))
            still = boards.svg(turn.game.rules_name, board, is_plain=True)
            monkeypatch.setattr(boards, "svg", lambda *_board, **_options: still)
    (letter,) = mail("due", ben).pictures
    assert letter.subtype == "png"
