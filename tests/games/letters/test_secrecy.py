"""Nobody's letter depends on what its reader may not know."""

import datetime as dt
from collections.abc import Iterator
from random import Random

import pytest
from django.db import transaction
from msgspec import to_builtins

from games.models import Decision, Game, User
from games.play import queries
from notifications.messages import MailMessage, WebhookMessage
from tests.games.conftest import answer, fresh, open_rows, settle
from tests.games.letters.conftest import ACT_LINK, asked_again, hook, let_pass, mail

pytestmark = pytest.mark.slow


def worlds(game: Game, seat: int | None, number: int = 6) -> Iterator[int]:
    """Puts states into the game one after another that look alike from a seat."""
    state, rules = fresh(game).load_state(), game.rules
    view = rules.view(state, seat)
    for dice in range(number):
        other = rules.determinise(view, Random(dice))
        assert rules.view(other, seat) == view
        Game.objects.filter(pk=game.pk).update(state=rules.dump(other).decode())
        yield dice


def parts(letter: MailMessage) -> tuple[str, str, str]:
    return (letter.subject, letter.text, letter.html)


@pytest.mark.parametrize("kind", ["due", "reminder", "excused"])
def test_what_the_reader_cannot_see_changes_no_letter(turn: Decision, ben: User, now: dt.datetime, kind: str) -> None:
    asked_again("reminder", turn, now)
    asked_again("excused", turn, now)
    letters = {parts(mail(kind, ben)) for _world in worlds(turn.game, turn.seat.number)}
    assert len(letters) == 1


def test_the_worlds_do_differ(turn: Decision) -> None:
    states = {fresh(turn.game).state for _world in worlds(turn.game, turn.seat.number)}
    assert len(states) > 1


@pytest.mark.parametrize("kind", ["due", "reminder", "started"])
def test_what_no_spectator_can_see_changes_no_webhook(turn: Decision, ben: User, now: dt.datetime, kind: str) -> None:
    asked_again("reminder", turn, now)
    before = hook(kind, ben)
    assert isinstance(before, WebhookMessage)
    for _world in worlds(turn.game, None):
        assert hook(kind, ben) == before


def test_the_token_somebody_placed_face_down_is_not_in_the_next_players_letter(placing: Game, now: dt.datetime) -> None:
    """The step is made in several worlds, so that the log is tested too."""
    row = open_rows(placing)[0]
    access = queries.Access(placing, row.seat)
    question = placing.rules.questions(queries.view_of(access))[0]
    letters = set()
    for token in (1, 4, 9):
        action = to_builtins(placing.rules.sample(question, Random(1))) | {"token": token, "space": "market"}
        with transaction.atomic():
            answer(placing, row, now, action)
            settle(now)
            following = open_rows(placing)[0]
            assert following.seat != row.seat and following.seat.user is not None
            letters.add(tuple(ACT_LINK.sub("ACT", part) for part in parts(mail("due", following.seat.user))))
            transaction.set_rollback(True)  # take this world back
    assert len(letters) == 1


def test_a_sealed_answer_of_another_is_not_in_a_letter(game: Game, ben: User, now: dt.datetime) -> None:
    other = next(row for row in open_rows(game) if row.seat.user != ben)
    letters = set()
    for kind in ("crown", "gem", None):
        with transaction.atomic():
            if kind:
                answer(game, other, now, {"type": "take_treasures", "amounts": {kind: 3}})
            letters.add(parts(mail("due", ben)))
            transaction.set_rollback(True)  # take this world back
    assert len(letters) == 1, "not even whether he has answered"


@pytest.mark.parametrize("kind", ["reminder", "excused", "passed"])
def test_no_webhook_says_who_has_not_answered_a_sealed_question(
    game: Game, ben: User, now: dt.datetime, kind: str
) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    assert row.is_sealed
    if kind == "passed":
        let_pass(row, now)
    else:
        asked_again(kind, row, now)
    assert hook(kind, ben) is None


def test_no_webhook_carries_a_link_that_acts(turn: Decision, ben: User, now: dt.datetime) -> None:
    asked_again("reminder", turn, now)
    for kind in ("due", "reminder", "started"):
        message = hook(kind, ben)
        assert message is not None
        assert "/act/" not in str(message.data)
        assert message.data["url"].endswith(f"/table/{turn.game.ref}/")
