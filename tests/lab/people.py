"""Simulated people: their habits, how they come to an answer, the orders they plan, and the doors they act through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import Enum, auto
from http import HTTPStatus
from math import log
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import translation
from msgspec import json

from engine.core import ActionForm, JsonObject, Question
from engine.orders.answers import GATHERINGS, ORDERS, SHEET
from engine.orders.model import MOST_ANSWERS, MOST_ORDERS
from engine.registry import AnyRules
from games.errors import Conflict, ServiceError
from games.models import Decision, Game, Move, SealedProposal, Seat, User
from games.moderation import repair
from games.people import tokens
from games.play import absences, deadline_rule, decision_links, game_moves, history, proposals, standing_orders
from games.play.queries import Access
from games.play.reply_grammar import QuestionReader, line_of, naming_of
from games.web.answers.question_form import WAY
from games.web.play.answering import PROPOSAL
from notifications.clock import present
from notifications.clock.calendar import Calendar, Quiet, deadline
from notifications.inbound import receiving
from notifications.inbound import receiving as dispatch
from notifications.models import Inbound
from tests.games.web.filling import pressed
from tests.lab.timeline import InvariantBroken, Timeline, expect

ZONES = (
    "Pacific/Auckland", "Asia/Tokyo", "Asia/Kolkata", "Africa/Nairobi", "Europe/Madrid", "Europe/London",
    "America/Sao_Paulo", "America/New_York", "America/Denver", "America/Los_Angeles",
)  # fmt: skip
"""Where people live: spread over the world."""


@dataclass(frozen=True)
class Habits:
    """How people play; the values here are those of ordinary people. Shares are between 0 and 1.

    Arguments:
        answer_hours: median time from a mail to looking at the game, in waking hours; lognormal.
        spread: sigma of that distribution.
        wakes, sleeps: by the wall clock of each person's zone; outside nobody acts.
        whim: share of answers that are drawn at random instead of chosen with care.
        forgets: share of mails that are never acted on; the next one may be.
        away_share: share of people who go away once in a game without a word, for `away_days` days.
        twice: share of answers that are sent a second time (a double click).
        stale: share of visits that begin with a page of an earlier question.
        sheets: share of the round sheets that are filled in; the others stay empty.
        ordered: share of the filled sheets that order every token; the others order half of them.
        rest: share of single placements at which the rest of the round is ordered as well.
        plans: share of plans that are complete: bribe, Key, purchases, Market, camel, Tent, what cards ask.
        ahead: share of filled sheets that are the plan for the tally as well.
        asks: share of plans that say "ask me" at one window.
        even_so: share of sheets and plans that hold whatever others play.
        comfort: share of passes by which one passes for longer than once.
        stays: share of visits that go on while the page, within seconds, shows the next question.
        accepts: share of proposals that are taken as they are, with one tap.
        edits: share of proposals that are changed a little; the others are not looked at.
        steward, steward_hours: share of people who want a steward where nobody must have one, and after how many of
            their waking hours he shall act.
        taken_back: share of games that a moderator takes back to an earlier step, once.
    """

    answer_hours: float = 5.0
    spread: float = 1.0
    wakes: time = time(7, 30)
    sleeps: time = time(23, 30)
    whim: float = 0.1
    forgets: float = 0.02
    away_share: float = 0.1
    away_days: float = 5.0
    twice: float = 0.03
    stale: float = 0.03
    sheets: float = 0.9
    ordered: float = 0.95
    rest: float = 0.8
    plans: float = 0.9
    ahead: float = 0.9
    asks: float = 0.08
    even_so: float = 0.3
    comfort: float = 0.7
    stays: float = 0.8
    accepts: float = 0.5
    edits: float = 0.2
    steward: float = 0.0
    steward_hours: float = 8.0
    taken_back: float = 0.0


ORDINARY = Habits()
KEEN = Habits(
    sheets=0.98,
    ordered=0.99,
    rest=0.95,
    plans=0.98,
    ahead=0.98,
    asks=0.02,
    even_so=0.6,
    comfort=0.9,
    accepts=0.2,
    edits=0.6,
)
"""People who like the form: one sheet in fifty is not filled in, one plan in fifty is not complete."""
CASUAL = Habits(
    sheets=0.45,
    ordered=0.5,
    rest=0.4,
    plans=0.45,
    ahead=0.45,
    asks=0.16,
    even_so=0.15,
    comfort=0.35,
    accepts=0.7,
    edits=0.1,
)
"""People who do not: every habit of diligence at half, all of them together."""
NAIVE = Habits(sheets=0.0, rest=0.0, plans=0.0, ahead=0.0, asks=0.0, comfort=0.0)
"""Ordinary people who are asked everything."""

POPULATIONS: Mapping[str, Habits] = {"keen": KEEN, "ordinary": ORDINARY, "casual": CASUAL}

GREEDY, SULTAN, MIXED = "greedy", "sultan", "mixed"
MINDS = (GREEDY, SULTAN, MIXED)
"""How people think: as this bot does, or each person as one of the two, drawn from the seed."""


def mind_of(minds: str, dice: Random) -> str:
    """The bot that stands for one person at a table of such minds."""
    return dice.choice((GREEDY, SULTAN)) if minds == MIXED else minds


# Plans orders as people would: where the tokens go, and what to do in the tally.

MOST_STEPS = 200  # of a placing part that is played on in mind
Given = JsonObject  # an order
TALLY_ORDERS: Mapping[str, Sequence[Given]] = {
    "bribe": ({"type": "bribe_up_to", "limit": 8, "spare": "none"}, {"type": "stay_out"}),
    "buy": ({"type": "buy_up_to", "limit": 30, "spare": "none"}, {"type": "decline"}),
    "market": ({"type": "exchange_for", "kind": "gold"}, {"type": "keep"}),
    "camel": ({"type": "leave_camel"},),
    "ask": ({"type": "default"},),
}
"""Orders for the tally by kind of decision: the first that fits applies."""
KEY: Given = {
    "kind": "bribe",
    "answers": [{"type": "card", "card": "key"}, *TALLY_ORDERS["bribe"]],
    "conditions": [{"type": "guard", "is": "at_least", "value": 5}],
    "until": "round",
}
"""An order to play the Key where the guard costs 5 or more."""


class Planner:
    """Chooses the orders of one player from their habits.

    Arguments:
        mind: the bot that stands for how the player thinks.
        dice: the person's.
    """

    def __init__(self, habits: Habits, mind: str, dice: Random) -> None:
        self._habits, self._mind, self._dice = habits, mind, dice

    def _draws(self, share: float) -> bool:
        return self._dice.random() < share

    def plan_sheet(self, rules: AnyRules, view: object, question: Question) -> JsonObject:
        """The answer to a round sheet or a plan, with the orders it carries."""
        habits, form = self._habits, question.actions[0]
        fields = {field.name for field in form.fields}
        if question.decision.kind == "sheet" and not self._draws(habits.sheets):
            rest = {"windows": "quiet", "tally": "later"}
            return {"type": form.type} | {name: rest[name] for name in sorted(fields)}
        orders: list[Given] = []
        is_ahead = self._draws(habits.ahead)
        if question.decision.kind == "sheet":
            placed = self.placements(rules, view, question.decision.seat)
            orders += placed if self._draws(habits.ordered) else placed[: len(placed) // 2]
        if question.decision.kind == "plan" or is_ahead:
            orders += self._tally(rules, view)
        windows = "never" if self._draws(habits.even_so) else "quiet"
        if windows == "never":
            orders = [order | {"even_so": True} for order in orders]
        said = {"windows": windows, "tally": "same" if is_ahead else "later"}
        return {"type": form.type, **{name: said[name] for name in sorted(fields)}, "orders": orders[:MOST_ORDERS]}

    def placements(self, rules: AnyRules, view: object, seat: int) -> list[Given]:
        """Orders for the tokens still in hand, as the seat would place them if the others placed at random."""
        state = rules.determinise(view, self._dice)
        orders: list[Given] = []
        for _ in range(MOST_STEPS):
            if rules.is_advance_pending(state):
                if orders:
                    break
                state, _events = rules.advance(state)
            asked = next((one for one in rules.decisions(state) if one.prompted), None)
            if asked is None or asked.kind == "plan":
                break
            if asked.kind != "place":
                action = rules.default(state, asked)
            elif asked.seat != seat:
                action = rules.draw(state, asked, self._dice)
            else:
                mine = rules.view(state, seat)
                question = next(one for one in rules.questions(mine) if one.decision.id == asked.id)
                action = rules.bots[self._mind].choose(mine, question, self._dice)
                orders.append(_order("place", [msgspec.json.decode(rules.dump_action(action))]))
            rules.play(state, asked.seat, action)
        return orders

    def _tally(self, rules: AnyRules, view: object) -> list[Given]:
        """Orders for the tally of the kinds that the rules have; perhaps one place at which to be asked."""
        kinds = {kind.name: kind for kind in rules.vocabulary.kinds(view)}
        orders: list[Given] = []
        if "window" in kinds and self._draws(self._habits.asks):
            topic = str(self._dice.choice(kinds["window"].topics).value)
            orders.append({"kind": "window", "answers": [], "topic": topic, "until": "round"})
        if not self._draws(self._habits.plans):
            return orders
        if "window" in kinds:
            orders.append(KEY)
        orders += [_order(kind, wishes) | {"stays": True} for kind, wishes in TALLY_ORDERS.items() if kind in kinds]
        if "tent" in kinds:
            orders.append(self._tent(kinds["tent"].answers))
        return orders

    def _tent(self, forms: Sequence[ActionForm]) -> Given:
        """An order for the Tent: preferred cards in order, then any card if the rules allow it."""
        cards = next(form.fields[0].options for form in forms if form.fields)
        wishes = [_keeping(option.value) for option in self._dice.sample(cards, MOST_ANSWERS - 1)]
        return _order("tent", [*wishes, *({"type": form.type} for form in forms if not form.fields)])

    def prefer_lasting_pass(self, question: Question, answer: JsonObject) -> JsonObject:
        """Returns the answer, or instead of a single pass perhaps a lasting one."""
        forms = {form.type for form in question.actions}
        lasting = "pass_round" if self._draws(self._habits.even_so) else "pass_until_shown"
        if answer["type"] == "pass" and lasting in forms and self._draws(self._habits.comfort):
            return {"type": lasting}
        return answer


def _keeping(card: str | int) -> Given:
    return {"type": "keep_spell", "card": card}


def _order(kind: str, answers: Sequence[Given]) -> Given:
    return {"kind": kind, "answers": list(answers), "until": "round"}


# How a simulated person comes to an answer: on his own, or from what the rules propose.

CHANGED = 2  # tokens of a proposed sheet that somebody places elsewhere
Answer = Mapping[str, Any]


class SeenQuestion(NamedTuple):
    """What a person looks at: nothing but the view of the seat, and the question.

    Arguments:
        kept: the orders the seat has given before.
    """

    rules: AnyRules
    view: Any
    question: Question
    kept: list[Given]


def look_at(row: Decision) -> SeenQuestion:
    """The position in which a decision is asked. Raises InvariantBroken if the rules do not ask it."""
    rules, state, seat = row.game.rules, row.game.load_state(), row.seat.number
    view = rules.view(state, seat)
    question = next((found for found in rules.questions(view) if found.decision.id == row.code), None)
    if question is None:
        raise InvariantBroken(f"the service asks {row.code} of seat {seat}, the rules do not")
    return SeenQuestion(rules, view, question, msgspec.to_builtins(rules.orders(state, seat).orders))


class Reaction(Enum):
    """What somebody does with a proposal: take it as it is, change it, or answer on his own."""

    ACCEPT = auto()
    EDIT = auto()
    IGNORE = auto()


def react(habits: Habits, dice: Random) -> Reaction:
    """What a person of these habits does with one proposal."""
    drawn = dice.random()
    if drawn < habits.accepts:
        return Reaction.ACCEPT
    return Reaction.EDIT if drawn < habits.accepts + habits.edits else Reaction.IGNORE


class Thinker:
    """One person's mind.

    Arguments:
        mind: the bot that stands for it.
        dice: the person's.
    """

    def __init__(self, habits: Habits, mind: str, dice: Random) -> None:
        self._habits, self._mind, self._dice = habits, mind, dice
        self._planner = Planner(habits, mind, dice)

    def respond(
        self, position: SeenQuestion, proposed: Mapping[str, Any] | None
    ) -> tuple[dict[str, Any] | None, list[Given]]:
        """The person's answer, and the orders to give before it; None in place of an answer to accept the proposal."""
        reaction = react(self._habits, self._dice) if proposed else Reaction.IGNORE
        if reaction is Reaction.ACCEPT:
            return None, []
        if proposed and reaction is Reaction.EDIT:
            return self.edit(position, proposed), []
        answer, ordered = self.decide(position)
        if proposed and answer["type"] == SHEET and not answer.get(ORDERS):
            # Before an empty sheet is sent its player says what he means by it; the proposal stands beside that.
            return (None if self._dice.random() < self._habits.accepts else answer), []
        return answer, ordered

    def decide(self, position: SeenQuestion) -> tuple[dict[str, Any], list[Given]]:
        """An answer of the person's own, and the orders to give before it."""
        rules, view, question, kept = position
        if question.decision.kind in GATHERINGS:
            return self._planner.plan_sheet(rules, view, question), []
        is_ahead = question.decision.kind == "place" and self._dice.random() < self._habits.rest
        thought = self._planner.placements(rules, view, view.seat) if is_ahead else []
        if not thought:  # with nothing to place ahead only the question is answered
            return self._planner.prefer_lasting_pass(question, self._choose(position)), []
        first, *ordered = thought
        orders = [*(order for order in kept if order["kind"] != "place"), *ordered]
        answer: dict[str, Any] = first["answers"][0]
        return ({**answer, "orders": orders}, []) if _takes_orders(question, answer) else (answer, orders)

    def _choose(self, position: SeenQuestion) -> dict[str, Any]:
        rules, view, question, _kept = position
        if self._dice.random() < self._habits.whim:
            action = rules.sample(question, self._dice)
        else:
            action = rules.bots[self._mind].choose(view, question, self._dice)
        chosen: dict[str, Any] = msgspec.json.decode(rules.dump_action(action))
        return chosen

    def edit(self, position: SeenQuestion, proposed: Mapping[str, Any]) -> dict[str, Any]:
        """What is proposed, with a few tokens where the person wants them; where none is placed, an own answer."""
        orders = [dict(order) for order in proposed.get("orders", ())]
        placing = [order for order in orders if order["kind"] == "place"]
        if position.question.decision.kind not in GATHERINGS:
            own = self._choose(position)
            return {**proposed, "space": own.get("space", proposed["space"])} if placing else own
        placed = self._planner.placements(position.rules, position.view, position.view.seat) if placing else []
        spaces = {answer["token"]: answer["space"] for order in placed for answer in order["answers"]}
        for order in self._dice.sample(placing, min(CHANGED, len(placing))):
            first, *others = order["answers"]
            order["answers"] = [{**first, "space": spaces.get(first["token"], first["space"])}, *others]
        return {**proposed, "orders": orders}


def _takes_orders(question: Question, answer: Answer) -> bool:
    return next(form.takes_orders for form in question.actions if form.type == answer["type"])


# How simulated players act: by calling the services, or by whole requests to links, pages and API and by replies.

TAKEN = frozenset({HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.CREATED})


StatusAndText = tuple[int, str]  # status and words of a response
Way = Callable[["SimulatedPlayer", Decision, Answer, str], StatusAndText]

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
        posted = {"decision": row.code, PROPOSAL: proposal.mark}
        ways: list[Callable[[], StatusAndText]] = [
            lambda: self._post_to_link(row, posted),
            lambda: self._post_to_page(person, row, posted),
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
        receiving.receive(
            content=content, to=decision_links.reply_address(row), envelope_sender=person.user.email, now=now
        )
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
        path = decision_links.act_url(row).removeprefix(settings.SITE_URL)
        shown = Client().get(path)
        expect(shown.status_code == HTTPStatus.OK, f"the link of {row} gave {shown.status_code}")
        return _status_and_text(Client().post(path, {**posted, **pressed()}))

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
        path = reverse("api_answer_decision", args=[row.game.ref, row.code])
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


# A seeded player, who looks at the game some time after an email and answers.

A_MOMENT = timedelta(minutes=1)  # after an answer: by then the page shows what is asked next, and it has been read


class SimulatedPlayer:
    """A player at the table.

    Arguments:
        user: the account; its zone is the person's.
        mind: the bot that stands for how the person thinks.
        door: how the person acts.
        dice: everything this person decides is drawn from it.
    """

    def __init__(
        self, user: User, timeline: Timeline, habits: Habits, mind: str, door: ServiceDoor, dice: Random
    ) -> None:
        self.user, self.timeline, self.habits, self.door, self.dice = user, timeline, habits, door, dice
        self.answers = 0
        self.accepted = 0  # of them: proposals as they were
        self._thinker = Thinker(habits, mind, dice)
        self._calendar = Calendar(ZoneInfo(user.recipient.zone), Quiet(habits.sleeps, habits.wakes))
        self._visit: datetime | None = None
        self._away = self._absence(timeline.now)

    def _absence(self, begins: datetime) -> tuple[datetime, datetime] | None:
        if self.dice.random() >= self.habits.away_share:
            return None
        start = begins + timedelta(days=self.dice.uniform(0, 30))
        return start, start + timedelta(days=self.habits.away_days)

    def hear(self, game: Game) -> None:
        """Plans a look at the game some time after an email, unless the email is forgotten."""
        if self.dice.random() < self.habits.forgets:
            return
        hours = self.dice.lognormvariate(log(self.habits.answer_hours), self.habits.spread)
        when = deadline(self.timeline.now, timedelta(hours=hours), self._calendar)
        if self._away and self._away[0] <= when < self._away[1]:
            when = deadline(self._away[1], timedelta(hours=hours), self._calendar)
        if self._visit is None or when < self._visit:
            self._visit = when
            self.timeline.at(when, lambda: self._look(game, when))

    def _look(self, game: Game, when: datetime) -> None:
        if self._visit != when:
            return  # an earlier look came first
        self._visit = None
        if self._asked(game) is None and game.seats.filter(user=self.user, status=Seat.Status.ABSENT).exists():
            self.door.come_back(self, game.seats.get(user=self.user))
        self.visit(game)

    def visit(self, game: Game) -> None:
        """Answers one question after the other, and perhaps stays on the page until it shows what comes next."""
        row = self._asked(game)
        refused, answers = self.door.refused, self.answers
        while row is not None and self.door.refused == refused:  # a late answer ends the visit
            self._answer(row)
            row = self._asked(game)
        if self.answers > answers and self.dice.random() < self.habits.stays:
            self.timeline.at(self.timeline.now + A_MOMENT, lambda: self.visit(game))

    def _asked(self, game: Game) -> Decision | None:
        """The first open question of this player."""
        rows = Decision.objects.filter(
            game=game,
            game__status=Game.Status.RUNNING,
            seat__user=self.user,
            status=Decision.Status.OPEN,
            is_automatic=False,
        )
        return rows.select_related("game", "seat__user").order_by("pk").first()

    def _answer(self, row: Decision) -> None:
        position = look_at(row)
        proposal = proposals.load_or_make(row, self.timeline.now) if row.seat.is_proposed_to else None
        answer, ordered = self._thinker.respond(position, proposals.answer_of(proposal) if proposal else None)
        if self.dice.random() < self.habits.stale:
            self.door.try_stale(self, row.game, row.seat)
        self.answers += 1
        if proposal and answer is None:
            self.accepted += 1
            self.door.accept(self, row, proposal)
            return
        assert answer is not None
        if answer["type"] == SHEET and self.dice.random() >= self.habits.asks:  # the page says so beforehand
            answer = dict(proposals.completed(Access(row.game, row.seat), row.code, answer))
        if ordered:
            self.door.give_orders(self, row.seat, ordered)
        self._send(row, answer)

    def _send(self, row: Decision, answer: Mapping[str, Any]) -> None:
        if self.dice.random() < self.habits.twice:
            self.door.answer_twice(self, row, answer)
        else:
            self.door.answer(self, row, answer)


# A moderator, who takes a game back to an earlier step.

EVERY = timedelta(hours=5)  # between two looks at the game
FIRST, LAST = 5, 40  # steps after which the rollback comes
MOST_BACK = 15  # steps that are rolled back
REASON = "An answer was given from the wrong seat."


class Moderator:
    """Rolls a game back once, after a number of steps drawn at random."""

    def __init__(self, timeline: Timeline, game: Game, dice: Random) -> None:
        self._timeline, self._game, self._dice = timeline, game, dice
        self._user = User.objects.create_superuser(f"moderator-{game.ref}@example.org", name="Eve")
        self._after = dice.randint(FIRST, LAST)
        timeline.at(timeline.now + EVERY, self._look)

    def _look(self) -> None:
        game = Game.objects.get(pk=self._game.pk)
        if game.is_over:
            return
        count = history.count_steps(game)
        if count <= self._after:
            self._timeline.at(self._timeline.now + EVERY, self._look)
            return
        step = self._dice.randrange(max(1, count - MOST_BACK), count)
        repair.roll_back(game=game, step=step, by=self._user, reason=REASON, now=self._timeline.now)
