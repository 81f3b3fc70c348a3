"""How simulated players act: by calling the services, or by whole requests to links, pages and API and by replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import translation
from msgspec import json

from engine.core import JsonObject
from engine.orders.actions import SHEET
from games import links
from games.accounts import tokens
from games.errors import Conflict, ServiceError
from games.inbox.grammar import QuestionReader
from games.inbox.reply_help import line_of, naming_of
from games.lab.simulation.timeline import InvariantBroken, expect
from games.models import Decision, Game, Move, SealedProposal, Seat
from games.orders import standing_orders
from games.play import game_moves, proposals
from games.timing import absences, deadline_rule
from games.web.answers.confirmation import MINE
from games.web.answers.question_form import WAY
from games.web.play.answering import PROPOSAL
from notifications.clock import present
from notifications.inbound import dispatch, receiving
from notifications.models import Inbound

if TYPE_CHECKING:
    from games.lab.simulation.people.player import SimulatedPlayer

Answer = Mapping[str, Any]
TAKEN = frozenset({HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.CREATED})


StatusAndText = tuple[int, str]  # status and words of a response
Way = Callable[["SimulatedPlayer", Decision, Answer, str], StatusAndText]
ORDERS = "orders"  # the name under which orders come with an answer
SERVER = "mx.play.example.org"
PROVED = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org"
SETTINGS = {
    "WORKER_HINTS_ENABLED": False,
    "ALLOWED_HOSTS": ["*"],
    "REPLY_ADDRESS": "reply+{token}@play.example.org",
    "MAIL_AUTHSERV_ID": SERVER,
}
"""Settings of a simulated service: no broker, and answers by mail."""


class ServiceDoor:
    """Answers by calling the services themselves.

    Arguments:
        dice: draws what is left to chance.
    """

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.refused = 0  # answers that came too late, as they may
        self._doubled = 0  # double clicks so far

    def answer(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str = "") -> None:
        """Answers a question that was open a moment ago. Raises InvariantBroken if a valid answer is refused."""
        try:
            self._submit(person, row, answer, key)
        except Conflict:
            self.refused += 1  # it was answered meanwhile, by a deadline or by an order

    def accept(self, person: SimulatedPlayer, row: Decision, proposal: SealedProposal) -> None:
        """Accepts what the rules proposed to a question that was open a moment ago."""
        self.answer(person, row, proposals.answer_of(proposal))

    def _submit(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str) -> Move:
        return game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=dict(answer),
            source=Move.Source.WEB,
            actor=person.user,
            received_at=present.now(),
            idempotency_key=key,
        )

    def answer_twice(self, person: SimulatedPlayer, row: Decision, answer: Answer) -> None:
        """A double click: the same answer under the same key, which must be one move."""
        self._doubled += 1
        key = f"twice-{row.ref}-{self._doubled}"  # one question may take several answers: a wave does
        self.answer(person, row, answer, key)
        before = row.game.moves.count()
        self.answer(person, row, answer, key)
        expect(row.game.moves.count() == before, f"{row}: a double click made two moves")

    def give_orders(self, person: SimulatedPlayer, seat: Seat, given: list[JsonObject]) -> None:
        """Answers in advance: all orders of the seat."""
        standing_orders.give(
            game_id=seat.game_id,
            seat=seat.number,
            raw={"orders": given},
            source=Move.Source.WEB,
            now=present.now(),
            actor=person.user,
        )

    def try_stale(self, person: SimulatedPlayer, game: Game, seat: Seat) -> None:
        """An answer from a page that is older than the question: refused, and nothing changes."""
        old = seat.decisions.filter(status=Decision.Status.ANSWERED, is_sealed=False).order_by("-pk").first()
        move = game.moves.filter(decision=old.code, seat=seat.number).first() if old else None
        if old is None or move is None:
            return
        before = game.moves.count()
        self._expect_refusal(person, old, game.rules.load_action(move.action.encode()), game)
        expect(game.moves.count() == before, f"{old}: an old page changed the game")

    def _expect_refusal(self, person: SimulatedPlayer, row: Decision, action: object, game: Game) -> None:
        try:
            self._submit(person, row, json.decode(game.rules.dump_action(action)), "")
        except ServiceError:
            return
        raise InvariantBroken(f"{row} was answered twice")

    def come_back(self, person: SimulatedPlayer, seat: Seat) -> None:
        """The absent player is back."""
        absences.come_back(seat_id=seat.pk, now=present.now())


class RequestDoor(ServiceDoor):
    """Answers by link without signing in, on the table's page, by the API and by reply, each as often."""

    def __init__(self, dice: Random) -> None:
        super().__init__(dice)
        self._signed_in: dict[int, Client] = {}
        self._tokens: dict[int, str] = {}
        self._mails = 0
        self._clicked: dict[str, Way] = {}

    def answer(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str = "") -> None:
        # Only the API takes orders with an answer, and an empty sheet without asking what is meant by it.
        way = self._api if ORDERS in answer or answer["type"] == SHEET else self.dice.choice(self._ways())
        if key:
            way = self._clicked.setdefault(key, way)  # both clicks of a double click are on one button
        self._expect_taken(way(person, row, answer, key), f"{way.__name__} {row}: {answer}")

    def _ways(self) -> list[Way]:
        return [self._link, self._page, self._api, self._reply]

    def accept(self, person: SimulatedPlayer, row: Decision, proposal: SealedProposal) -> None:
        """Accepts it behind the link, on the table's page, by the API, or by a reply that says ok."""
        pressed = {"decision": row.code, PROPOSAL: proposal.mark}
        ways: list[Callable[[], StatusAndText]] = [
            lambda: self._post_to_link(row, pressed | {MINE: "yes"}),
            lambda: self._post_to_page(person, row, pressed),
            lambda: self._post_to_api(person, row, {"proposal": proposal.mark}),
            lambda: self._send_reply(person, row, "ok"),
        ]
        way = self.dice.choice(ways if proposal.is_first else ways[:3])  # a yes does not say to which of several
        self._expect_taken(way(), f"{row}: proposal {proposal.answer}")

    def _expect_taken(self, response: StatusAndText, what: str) -> None:
        status, words = response
        if status == HTTPStatus.CONFLICT:
            self.refused += 1
        elif status not in TAKEN:
            raise InvariantBroken(f"{status} {words!r} to {what}")

    def _reply(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str) -> StatusAndText:
        """Replies with a line that means this answer, in the player's words; a double click sends the email again."""
        game, view = row.game, row.game.rules.view(row.game.load_state(), row.seat.number)
        question = next((one for one in game.rules.questions(view) if one.decision.id == row.code), None)
        with translation.override(person.user.recipient.language):
            line = (
                line_of(dict(answer), QuestionReader(question, naming_of(game)))
                if question and question.decision.prompted
                else ""
            )
        return self._send_reply(person, row, line, key) if line else self._api(person, row, answer, key)

    def _send_reply(self, person: SimulatedPlayer, row: Decision, line: str, key: str = "") -> StatusAndText:
        self._mails += not key
        name = key or f"{self._mails}-{row.ref}"
        head = f"From: {person.user.email}\nMessage-ID: <{name}@example.org>\n{PROVED}\nSubject: Re: your move"
        content, now = f"{head}\n\n{line}\n".encode(), present.now()
        receiving.receive(content=content, to=links.reply_address(row), envelope_sender=person.user.email, now=now)
        while dispatch.handle_one(now):
            pass
        heard = Inbound.objects.filter(subject=row.subject).order_by("-pk").first()
        if heard is None or heard.state not in (Inbound.State.DONE, Inbound.State.ANSWERED):
            return HTTPStatus.BAD_REQUEST, f"{heard and heard.state}: {line}"
        if heard.state == Inbound.State.ANSWERED and not self._is_asked(row, now):
            return HTTPStatus.CONFLICT, heard.answer
        return (HTTPStatus.OK if heard.state == Inbound.State.DONE else HTTPStatus.BAD_REQUEST), heard.answer

    def _is_asked(self, row: Decision, now: datetime) -> bool:
        """Whether it can be answered: it is open, and its time has not run out while nobody could act on that."""
        in_time = Q(due_at=None) | Q(due_at__gte=now - deadline_rule.grace())
        return Decision.objects.filter(in_time, pk=row.pk, status=Decision.Status.OPEN).exists()

    def _link(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str) -> StatusAndText:
        return self._post_to_link(row, as_posted(row.code, answer, key))

    def _post_to_link(self, row: Decision, posted: Mapping[str, str]) -> StatusAndText:
        path = links.act_url(row).removeprefix(settings.SITE_URL)
        shown = Client().get(path)
        expect(shown.status_code == HTTPStatus.OK, f"the link of {row} gave {shown.status_code}")
        return _status_and_text(Client().post(path, dict(posted)))

    def _page(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str) -> StatusAndText:
        return self._post_to_page(person, row, as_posted(row.code, answer, key))

    def _post_to_page(self, person: SimulatedPlayer, row: Decision, posted: Mapping[str, str]) -> StatusAndText:
        client = self._signed_in.setdefault(person.user.pk, Client())
        shown = client.get(reverse("table", args=[row.game.ref]))
        if shown.status_code == HTTPStatus.FOUND:  # not signed in yet, or not any more
            client.force_login(person.user, backend=settings.AUTHENTICATION_BACKENDS[0])
            shown = client.get(reverse("table", args=[row.game.ref]))
        expect(shown.status_code == HTTPStatus.OK, f"the page of {row.game} gave {shown.status_code}")
        return _status_and_text(client.post(reverse("table_act", args=[row.game.ref]), dict(posted)))

    def _api(self, person: SimulatedPlayer, row: Decision, answer: Answer, key: str) -> StatusAndText:
        return self._post_to_api(person, row, {"action": dict(answer)}, key)

    def _post_to_api(
        self, person: SimulatedPlayer, row: Decision, body: Mapping[str, Any], key: str = ""
    ) -> StatusAndText:
        if person.user.pk not in self._tokens:
            _row, self._tokens[person.user.pk] = tokens.create_token(
                user=person.user, name="simulation", now=present.now()
            )
        headers = {"Authorization": f"Bearer {self._tokens[person.user.pk]}"}
        if key:
            headers["Idempotency-Key"] = key
        path = reverse("api_decision", args=[row.game.ref, row.code])
        return _status_and_text(Client(headers=headers).post(path, dict(body), content_type="application/json"))


class ReplyDoor(RequestDoor):
    """Answers by reply alone, as far as one line can say it."""

    def _ways(self) -> list[Way]:
        return [self._reply]

    def accept(self, person: SimulatedPlayer, row: Decision, proposal: SealedProposal) -> None:
        """Accepts it by a reply that says ok, or by one that says the proposed answer."""
        if proposal.is_first:
            self._expect_taken(self._send_reply(person, row, "ok"), f"{row}: proposal {proposal.answer}")
        else:
            self.answer(person, row, proposals.answer_of(proposal))


def _status_and_text(response: Any) -> StatusAndText:
    return response.status_code, response.content[:400].decode(errors="replace")


def as_posted(code: str, answer: Answer, key: str = "") -> dict[str, str]:
    """The POST data of an action, as the form of its question sends it."""
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
