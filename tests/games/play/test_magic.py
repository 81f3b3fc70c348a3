"""Everything the magic version asks has a page form that answers it, a mail with links, and a shape in the API."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from bs4 import BeautifulSoup
from bs4.filter import SoupStrainer
from django.db import transaction
from django.test import Client

from engine.aladdins_dragons.actions import PlayCard
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.core import Decision as Asked
from engine.core import Question
from games.models import Decision, Game, Move, Seat, User
from games.play import automatic_answers, decision_links, decisions
from games.play.notify import ask
from tests.engine.aladdins_dragons.rules import DealtRules
from tests.games.api.conftest import Program
from tests.games.conftest import answer, fresh, open_rows
from tests.games.letters.conftest import mail
from tests.games.magic import PASS, dealt, give, kept_dealt
from tests.games.web.filling import filled, steady

pytestmark = pytest.mark.slow

__all__ = ["dealt", "kept_dealt"]
GAMES, STEPS = 60, 400
LEFT_IN_THE_DECK = 6
DECLARED = {*SPELLS, *ARTIFACTS} - {"scroll"}  # which is never declared (A85)
KINDS = {"take_treasures", "place", "declare", "window", "tent", "ask", "market", "camel", "bribe", "buy"}


class Rich(DealtRules):
    """Everybody has an artifact of most types out of the stacks, and some spells are left for the tent: all happens
    soon."""

    def new(self, seats: int, options: Mapping[str, str], seed: str) -> Any:
        state, events = super().new(seats, options, seed)
        for number, tile in product(range(seats), ARTIFACTS):
            room = next((room for room, stack in state.stacks.items() if len(stack) > 3 and tile in stack[:-1]), None)
            if room is not None and tile not in state.artifacts[number]:
                place = state.stacks[room].index(tile)
                state.artifacts[number].append(state.stacks[room].pop(place))
                del state.magic.known[room][place]
        for number in range(LEFT_IN_THE_DECK):
            state.magic.spell_deck.append(state.magic.spells[number % seats].pop())
        return state, events


RULES = Rich()


class Position(NamedTuple):
    """A state, what is asked in it, and an answer of one type."""

    state: bytes
    decision: Asked
    answer: dict[str, Any]


@cache
def positions() -> dict[str, Position]:
    """For every type of answer a position in which somebody can give it, out of games played at random."""
    found: dict[str, Position] = {}
    for seed in range(GAMES):
        _play(seed, found)
    return found


def _play(seed: int, found: dict[str, Position]) -> None:
    dice = Random(seed)
    state, _events = RULES.new(3, {}, f"{seed:064x}")
    for _step in range(STEPS):
        if RULES.outcome(state):
            return
        if RULES.is_advance_pending(state):
            state, _events = RULES.advance(state)
            continue
        decision = dice.choice([d for d in RULES.decisions(state) if d.prompted or not d.sealed])
        question = question_of(state, decision)
        _note(found, state, question, dice)
        if question.actions:
            state, _events = RULES.apply(state, decision.id, decision.seat, RULES.sample(question, dice))


def question_of(state: Any, decision: Asked) -> Question:
    questions = RULES.questions(RULES.view(state, decision.seat))
    return next(question for question in questions if question.decision.id == decision.id)


def _note(found: dict[str, Position], state: Any, question: Question, dice: Random) -> None:
    decision = question.decision
    for form in question.actions:
        key = decision.kind if decision.kind == "declare" else f"{decision.kind}:{form.type}"
        if key not in found:
            only = msgspec.structs.replace(question, actions=[form])
            answer = msgspec.json.decode(RULES.dump_action(RULES.sample(only, dice)))
            found[key] = Position(RULES.dump(state), decision, answer)


def played_in(found: Iterable[str]) -> set[str]:
    """The cards declared in these types of answer."""
    return {key.split("play_")[1].split("__")[0] for key in found if "play_" in key}


def put(game: Game, position: Position, now: dt.datetime) -> tuple[Seat, Decision | None]:
    """Sets the game to that position; returns the seat that is asked, and the row unless it acts unasked."""
    Game.objects.filter(pk=game.pk).update(state=position.state.decode(), advance_at=None)
    game = fresh(game)
    seats = {seat.number: seat for seat in game.seats.select_related("user__recipient")}
    game.decisions.all().delete()
    move = Move(game=game, seq=0, decision="", seat=None)
    decisions.reconcile(
        game, seats, decisions.open_rows(game, seats), game.rules.decisions(game.load_state()), move, now
    )
    seat = seats[position.decision.seat]
    seat.game = game
    row = game.decisions.filter(code=position.decision.id, seat=seat).select_related("seat__user__recipient").first()
    return seat, row


def test_every_kind_of_decision_and_every_card_is_among_the_positions():
    assert {position.decision.kind for position in positions().values()} == KINDS
    assert played_in(positions()) == DECLARED


def every_position(game: Game, now: dt.datetime) -> Iterator[tuple[str, Position, Seat, Decision | None]]:
    """The game in each position in turn; what is done to it is undone."""
    for key, position in sorted(positions().items()):
        with transaction.atomic():
            yield key, position, *put(game, position, now)
            transaction.set_rollback(True)


def test_the_page_takes_every_type_of_answer_without_scripts(dealt: Game, now: dt.datetime) -> None:
    for key, position, seat, row in every_position(dealt, now):
        client = Client()
        if row is None:
            client.force_login(seat.user)
            target = page = f"/table/{dealt.ref}/"
            page, target = f"{page}?may={position.decision.id}", f"{target}act/"
        else:
            page = target = "/" + decision_links.act_url(row).split("/", 3)[3]
        only_forms = BeautifulSoup(client.get(page).content, "html.parser", parse_only=SoupStrainer("form"))
        form = only_forms.select_one(f"[id='answer-{position.decision.id}']")
        assert form is not None, key
        done = client.post(target, filled(form, position.answer))
        assert done.status_code == 303, (key, done.content)
        assert fresh(dealt).moves.filter(decision=position.decision.id, seat=seat.number).exists(), key


def test_the_mail_of_every_question_says_what_it_answers_to_and_links_to_it(dealt: Game, now: dt.datetime) -> None:
    seen = set()
    for _key, position, seat, row in every_position(dealt, now):
        if row is None or position.decision.kind in seen:
            continue
        seen.add(position.decision.kind)
        ask(row, seat, now)
        letter = mail("due", seat.user)
        question = question_of(RULES.load(position.state), position.decision)
        assert RULES.say(question.title, "en", dealt.seat_names()) in letter.text
        assert decision_links.act_url(row) in letter.text
        for form in question.actions:
            if len(question.actions) > 1 and not form.fields:
                assert f"{decision_links.act_url(row)}?do={form.type}" in letter.text, form.type
    assert seen == KINDS - {"declare"}


def test_in_the_mail_of_a_window_the_first_link_is_to_play_nothing(dealt: Game, now: dt.datetime) -> None:
    row = dealt.decisions.filter(kind="window").select_related("seat__user__recipient").first()
    ways = re.findall(r"^- (.*)\n  http", mail("due", row.seat.user).text, re.MULTILINE)
    assert ways[0] == "Play nothing"


def test_a_program_is_told_every_question_and_gives_every_type_of_answer(dealt: Game, now: dt.datetime) -> None:
    programs = {seat.number: Program(seat.user) for seat in dealt.seats.all()}
    for key, position, seat, _row in every_position(dealt, now):
        program = programs[seat.number]
        asked = {question["code"]: question for question in program.get(f"games/{dealt.ref}/decisions/")["items"]}
        forms = {form["type"]: form for form in asked[position.decision.id]["actions"]}
        names = {field["name"] for field in forms[position.answer["type"]]["fields"]}
        assert names == set(position.answer) - {"type"}, key
        program.post(f"games/{dealt.ref}/decisions/{position.decision.id}/", {"action": position.answer})


def test_what_another_has_answered_in_a_window_is_nowhere_before_it_closes_a76(
    dealt: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    """Not on the page, in the mail, in the API, nor in whether the page has anything new."""
    row = next(row for row in open_rows(dealt) if row.seat.user == ben)
    spell = next(
        form for form in question_of(dealt.load_state(), Asked(row.code, row.seat.number, row.kind)).actions
        if form.type.startswith("play_") and not form.fields
    )  # fmt: skip
    client, worlds = Client(), set()
    client.force_login(carla)
    for action in (None, PASS, {"type": spell.type}):
        with transaction.atomic():
            if action:
                answer(dealt, row, now, action)
            page, api = client.get(f"/table/{dealt.ref}/"), Program(carla)
            seen = SoupStrainer(id="table")
            polled = BeautifulSoup(page.content, "html.parser", parse_only=seen).get_text(" ", strip=True)
            letter = mail("due", carla)
            facts = [api.get(f"games/{dealt.ref}/{path}") for path in ("", "decisions/", "log/")]
            worlds.add((polled, steady(page.content), letter.text, letter.subject, str(facts)))
            transaction.set_rollback(True)
    assert len(worlds) == 1


def test_a_card_that_a_bot_plays_reaches_the_rules(dealt: Game, now: dt.datetime, monkeypatch: Any) -> None:
    row = dealt.decisions.filter(kind="window").select_related("seat").first()
    spells: list[list[str]] = [[], [], []]
    spells[row.seat.number] = ["spy"]
    game = give(dealt, spells=spells)
    monkeypatch.setattr(type(game.rules.bots["greedy"]), "choose", lambda *_arguments: PlayCard("spy"))
    assert automatic_answers.bot_action(game, row, "greedy") == {"type": "play_spy"}
