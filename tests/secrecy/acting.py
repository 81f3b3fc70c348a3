"""What Ben does in secret, by every way there is, and what all do openly."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from random import Random
from typing import Any

from django.urls import reverse

from games.models import Decision
from games.play import decision_links, pauses, proposals, queries, standing_orders
from notifications.inbound import receiving
from tests.games.conftest import answer, fresh, open_rows, settle, some_answer
from tests.games.magic import PASS
from tests.games.web.acting import act_path, post_some_answer
from tests.games.web.filling import answer_form, filled, pressed
from tests.secrecy.worlds import HIDDEN, HOST, STAFF_PLAYER, House, Received

PLACING = "place"
FAR = [{"type": "round", "is": "at_least", "value": 9}]
EMPTY_SHEET = {"type": "sheet", "windows": "quiet", "tally": "later"}
PROOF = "Authentication-Results: mx.play.example.org; dmarc=pass header.from=example.org"
Hidden = Callable[[House], None]


def play_to(house: House, kind: str, turn: str = "") -> None:
    """Plays at random until such a question is asked, and no other beside it.

    Arguments:
        turn: and of nobody else than this player.
    """
    for dice in range(500):
        settle(house.now)
        rows = open_rows(house.game)
        others = [row for row in rows if row.kind != kind]
        if not others and turn in ("", rows[0].seat.name):
            break
        row = (others or rows)[0]
        if row.kind == PLACING and row.is_sealed:
            place_all(house, row.seat.name)
            continue
        action = EMPTY_SHEET if row.kind == "sheet" else PASS if row.kind == "window" else None
        answer(house.game, row, house.now, action or some_answer(fresh(house.game), row, dice))
    else:
        raise AssertionError(f"no {kind} in sight")
    house.do(f"at {kind}", lambda: None)


def begin_hour(house: House) -> None:
    """All agree on an hour together, and it begins."""
    starts_at = house.now + dt.timedelta(minutes=2)
    for seat in house.game.seats.all():
        pauses.agree_on_hour(game_id=house.game.pk, seat=seat.number, starts_at=starts_at, now=house.now)
    house.wait(0.05)
    assert fresh(house.game).is_live_hour


def last_asked(house: House) -> Decision:
    """What Ben was asked last, answered or not."""
    return house.game.decisions.filter(seat__name=HIDDEN).select_related("seat__user", "game").latest("pk")


def by_service(dice: int, house: House) -> None:
    """He answers, or answers something else."""
    row = last_asked(house)
    answer(house.game, row, house.now, some_answer(fresh(house.game), row, dice))


def by_api(dice: int, house: House) -> None:
    """His program answers."""
    row = last_asked(house)
    action = some_answer(fresh(house.game), row, dice)
    path = f"games/{house.game.ref}/decisions/{row.code}/"
    house.programs[HIDDEN].post(path, {"action": action})


def by_link(dice: int, house: House) -> None:
    """He opens the link of his letter and answers there."""
    row = house.asked(HIDDEN)
    if row is not None:
        post_some_answer(house.clients[HIDDEN], row, dice)


def by_mail(line: str, house: House) -> None:
    """He answers his letter."""
    row = last_asked(house)
    number = house.game.moves.count()
    house.dice.throw(f"mail {number} {line}")  # two of them have two names
    head = [f"From: {house.people[HIDDEN].email}", f"Message-ID: <{line[:4].strip()}{number}@example.org>", PROOF]
    content = "\n".join([*head, "Subject: Re: Your move", "", line]).encode()
    to = decision_links.reply_address(row)
    assert receiving.receive(content=content, to=to, envelope_sender="x@example.org", now=house.now) is not None


def accept(way: str, house: House) -> None:
    """He plays what the rules propose to him, if his question is still open."""
    row = house.asked(HIDDEN)
    proposed = row and proposals.load_or_make(row, house.now)
    if row is None or proposed is None:
        return
    if way == "mail":
        by_mail("yes", house)
    elif way == "api":
        path = f"games/{house.game.ref}/decisions/{row.code}/"
        house.programs[HIDDEN].post(path, {"proposal": proposed.mark})
    else:
        form = {"decision": row.code, "key": "k", "proposal": proposed.mark, **pressed()}
        assert house.clients["nobody"].post(act_path(row), form).status_code == HTTPStatus.SEE_OTHER
        house.clients["nobody"].cookies.clear()


def choose_steward(hours: int | None, way: str, house: House) -> None:
    """He chooses after how many hours his steward acts, or that he has none."""
    if way == "api":
        house.programs[HIDDEN].put(f"games/{house.game.ref}/steward/", {"hours": hours})
    else:
        house.clients[HIDDEN].post(reverse("steward", args=[house.game.ref]), {"hours": hours or ""})


def look(house: House) -> None:
    """He opens the table."""
    house.clients[HIDDEN].get(reverse("table", args=[house.game.ref]))


def order(house: House, *given: dict[str, Any], **more: Any) -> None:
    """He gives orders in place of those he had."""
    seat = house.seat(HIDDEN).number
    raw, user = {"orders": list(given)}, house.people[HIDDEN]
    standing_orders.give(game_id=house.game.pk, seat=seat, raw=raw, source="web", now=house.now, actor=user, **more)


def place(token: int, space: str = "guard") -> dict[str, Any]:
    """An order that places a token."""
    return {"kind": PLACING, "answers": [{"type": "place", "token": token, "space": space}]}


def far(token: int) -> dict[str, Any]:
    """One that does nothing for long."""
    return {**place(token), "conditions": FAR}


def far_order(random: Random, house: House) -> None:
    """He gives an order that does nothing for long, if he has a token for it."""
    order(house, *(far(token) for token in random.sample(hand(house), min(1, len(hand(house))))))


def in_hours(house: House, hours: int) -> dt.datetime:
    """The time some hours from now."""
    return house.now + dt.timedelta(hours=hours)


def hand(house: House, name: str = HIDDEN) -> list[int]:
    """The tokens that a player has not placed."""
    access = queries.Access(fresh(house.game), house.seat(name))
    return sorted(queries.view_of(access).hand)


def pass_by_hand(house: House, name: str = HIDDEN) -> None:
    """A player who is asked in a window passes."""
    row = house.asked(name)
    if row is not None and row.kind == "window":
        answer(house.game, row, house.now, PASS)


def place_openly(house: House, name: str) -> None:
    """A player whose turn it is places his lowest token at the market."""
    row = house.asked(name)
    assert row is not None
    answer(house.game, row, house.now, {"type": "place", "token": hand(house, name)[0], "space": "market"})


def in_secret(random: Random) -> list[Hidden]:
    """Some of what he can do about a sealed question, at random; at least one answer."""
    dice = random.randrange(10_000)
    answering: list[Hidden] = [partial(by_service, dice), partial(by_api, dice), partial(by_link, dice)]
    beside: list[Hidden] = [
        look,
        partial(by_mail, "what is this?"),
        partial(far_order, random),
        order,
        partial(by_service, dice + 1),
        partial(by_api, dice + 2),
        partial(choose_steward, random.choice([None, 1, 5, 23]), random.choice(["api", "page"])),
        partial(choose_steward, 2, "page"),
    ]
    answering += [partial(accept, way) for way in ("mail", "api", "link")]
    return [random.choice(answering), *random.sample(beside, random.randint(0, 3))]


def settle_on(house: House, dice: int) -> None:
    """Whatever he has answered before, in the end Ben answers this, to everything that he is asked at this moment."""
    for row in asked_now(house):
        _settle_on(house, row, dice)


def asked_now(house: House) -> list[Decision]:
    """What Ben may answer now, answered or not: his treasures beside his first sheet are two questions."""
    game, seat = fresh(house.game), house.seat(HIDDEN)
    codes = [
        one.id for one in game.rules.decisions(game.load_state()) if one.seat == seat.number and one.kind != "declare"
    ]
    rows = house.game.decisions.filter(seat=seat, code__in=codes).select_related("seat__user", "game")
    return list({row.code: row for row in rows.order_by("pk")}.values())


def _settle_on(house: House, row: Decision, dice: int) -> None:
    if row.kind != PLACING:
        answer(house.game, row, house.now, some_answer(fresh(house.game), row, dice))
        return
    access = queries.Access(fresh(house.game), row.seat)
    if any(form.type == "start_over" for one in queries.open_questions(access) for form in one.question.actions):
        answer(house.game, row, house.now, {"type": "start_over"})
    place_all(house, HIDDEN)


def place_all(house: House, name: str) -> None:
    """A player places a whole wave, his lowest token first."""
    while (row := house.asked(name)) is not None and row.kind == PLACING:
        action = {"type": "place", "token": hand(house, name)[0], "space": "guard"}
        answer(house.game, row, house.now, action)


def others_answer(house: House, dice: int) -> Received:
    """Carla answers by her program and Anna by the link of her letter; Anna is the last. Gives what they are answered:
    addresses that a form leads on to, and pages behind them."""
    found: Received = {}
    for name in (STAFF_PLAYER, HOST):
        for row in [row for row in open_rows(house.game) if row.seat.user == house.people[name]]:
            house.do(f"{name} answers {row.kind}", lambda row=row: found.update(_answered_openly(house, row, dice)))
    return found


def _answered_openly(house: House, row: Decision, dice: int) -> Received:
    name, kind = row.seat.name, row.kind
    if row.kind == PLACING and row.is_sealed:
        place_all(house, name)
        return {}
    if name == HOST:
        client = house.clients["player"]
        form = answer_form(client.get(act_path(row)))
        posted = client.post(act_path(row), filled(form, some_answer(fresh(house.game), row, dice)))
        assert posted.status_code == HTTPStatus.SEE_OTHER
        page = client.get(posted["Location"])
        return {f"Anna is led on to, {kind}": posted["Location"].encode(), f"Anna sees then, {kind}": page.content}
    action = some_answer(fresh(house.game), row, dice)
    path = f"games/{house.game.ref}/decisions/{row.code}/"
    return {
        f"Carla's program is told, {kind}": repr(house.programs["staff player"].post(path, {"action": action})).encode()
    }
