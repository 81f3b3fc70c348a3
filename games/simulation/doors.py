"""The ways in which people act: the service's one function, or links, pages and API by whole requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import links
from games.errors import Conflict, ServiceError
from games.forms.answers import WAY
from games.models import Decision, Game, Move, Seat
from games.services import absences, orders, play, tokens
from notifications.clock import present

if TYPE_CHECKING:
    from games.simulation.person import Person

Answer = Mapping[str, Any]
TAKEN = frozenset({HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.CREATED})


class Broken(AssertionError):
    """The service did what it must never do."""


class Door:
    """How somebody answers. The base class calls the services themselves.

    Arguments:
        dice: draws what is left to chance.
    """

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.refused = 0  # answers that came too late, as they may

    def answer(self, person: Person, row: Decision, answer: Answer, key: str = "") -> None:
        """Answers a question that was open a moment ago. Raises Broken if the service refuses what it offered."""
        try:
            self._submit(person, row, answer, key)
        except Conflict:
            self.refused += 1  # it was answered meanwhile, by a deadline or by an order

    def _submit(self, person: Person, row: Decision, answer: Answer, key: str) -> Move:
        return play.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=dict(answer),
            source=Move.Source.WEB,
            actor=person.user,
            received_at=present.now(),
            idempotency_key=key,
        )

    def answer_twice(self, person: Person, row: Decision, answer: Answer) -> None:
        """A double click: the same answer under the same key, which must be one move."""
        key = f"twice-{row.ref}"
        self.answer(person, row, answer, key)
        before = row.game.moves.count()
        self.answer(person, row, answer, key)
        _expect(row.game.moves.count() == before, f"{row}: a double click made two moves")

    def give_orders(self, person: Person, seat: Seat, given: list[dict[str, Any]]) -> None:
        """Answers in advance: all orders of the seat."""
        orders.give(
            game_id=seat.game_id,
            seat=seat.number,
            raw={"orders": given},
            source=Move.Source.WEB,
            now=present.now(),
            actor=person.user,
        )

    def try_stale(self, person: Person, game: Game, seat: Seat) -> None:
        """An answer from a page that is older than the question: refused, and nothing changes."""
        old = seat.decisions.filter(status=Decision.Status.ANSWERED, is_sealed=False).order_by("-pk").first()
        move = game.moves.filter(decision=old.code, seat=seat.number).first() if old else None
        if old is None or move is None:
            return
        before = game.moves.count()
        self._expect_refusal(person, old, game.rules.load_action(move.action.encode()), game)
        _expect(game.moves.count() == before, f"{old}: an old page changed the game")

    def _expect_refusal(self, person: Person, row: Decision, action: Any, game: Game) -> None:
        from msgspec import json

        try:
            self._submit(person, row, json.decode(game.rules.dump_action(action)), "")
        except ServiceError:
            return
        raise Broken(f"{row} was answered twice")

    def come_back(self, person: Person, seat: Seat) -> None:
        """The absent player is back."""
        absences.come_back(seat_id=seat.pk, now=present.now())


class Browser(Door):
    """Links without signing in, the table's page, and the API, each as often, by whole requests."""

    def __init__(self, dice: Random) -> None:
        super().__init__(dice)
        self._signed_in: dict[int, Client] = {}
        self._tokens: dict[int, str] = {}

    def answer(self, person: Person, row: Decision, answer: Answer, key: str = "") -> None:
        way: Callable[[Person, Decision, Answer, str], Any] = self.dice.choice([self._link, self._page, self._api])
        response = way(person, row, answer, key)
        if response.status_code == HTTPStatus.CONFLICT:
            self.refused += 1
        elif response.status_code not in TAKEN:
            raise Broken(f"{way.__name__} {row}: {response.status_code} {response.content[:400]!r} to {answer}")

    def _link(self, person: Person, row: Decision, answer: Answer, key: str) -> Any:
        path = links.act_url(row).removeprefix(settings.SITE_URL)
        shown = Client().get(path)
        _expect(shown.status_code == HTTPStatus.OK, f"the link of {row} gave {shown.status_code}")
        return Client().post(path, as_posted(row.code, answer, key))

    def _page(self, person: Person, row: Decision, answer: Answer, key: str) -> Any:
        client = self._signed_in.get(person.user.pk)
        if client is None:
            client = self._signed_in[person.user.pk] = Client()
            client.force_login(person.user, backend=settings.AUTHENTICATION_BACKENDS[0])
        shown = client.get(reverse("table", args=[row.game.ref]))
        _expect(shown.status_code == HTTPStatus.OK, f"the page of {row.game} gave {shown.status_code}")
        return client.post(reverse("table_act", args=[row.game.ref]), as_posted(row.code, answer, key))

    def _api(self, person: Person, row: Decision, answer: Answer, key: str) -> Any:
        if person.user.pk not in self._tokens:
            _row, self._tokens[person.user.pk] = tokens.create_token(
                user=person.user, name="simulation", now=present.now()
            )
        headers = {"Authorization": f"Bearer {self._tokens[person.user.pk]}"}
        if key:
            headers["Idempotency-Key"] = key
        path = reverse("api_decision", args=[row.game.ref, row.code])
        return Client(headers=headers).post(path, {"action": dict(answer)}, content_type="application/json")


def as_posted(code: str, answer: Answer, key: str = "") -> dict[str, str]:
    """An action as the form of its question sends it."""
    form = str(answer["type"])
    posted = {"decision": code, WAY: form}
    if key:
        posted["key"] = key
    for name, value in answer.items():
        if isinstance(value, Mapping):
            posted |= {f"{form}-{name}-{option}": str(amount) for option, amount in value.items()}
        elif name != "type":
            posted[f"{form}-{name}"] = str(value)
    return posted


def _expect(holds: bool, fault: str) -> None:
    if not holds:
        raise Broken(fault)
