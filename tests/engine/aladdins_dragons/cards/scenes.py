"""A round played by what seats mean to do: each plays his cards at the first moment it can, and is silent otherwise."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from msgspec.structs import replace

from engine.aladdins_dragons.actions import to_action
from engine.aladdins_dragons.model import Ask, Boundary, Bribes, Placing, Purchase, State, Window
from engine.core import Choice, Decision, Field, Question
from engine.core.answers import every_answer
from tests.engine.aladdins_dragons.magic_table import MAGIC_RULES
from tests.engine.aladdins_dragons.table import tally

ENTRY, PURCHASE, PLACING, ASKED = "entry", "purchase", "placing", "asked"
"""Moments that are no window."""


class Intent(NamedTuple):
    """A card a seat means to play.

    Arguments:
        where: the window in which, or one of the moments above.
        form: the type of the form, "play_parasite__key", "place".
        wishes: for each field the values to take, the first that is offered.
    """

    seat: int
    where: str
    form: str
    wishes: dict[str, Sequence[Any]] = {}


ROW = "H1 R7 C8"
"""Tokens of who has the tile, of the other of the two, and of Carla, who is stronger whatever the others add."""


class Scene(NamedTuple):
    """How a spell is cast so that it has most to do with others.

    Arguments:
        where: the moment (see `scenes`).
        wishes: what it names.
        use: the space in which a carpet or a double comes, if not the market.
        rows: tokens by space that differ from the usual ones.
        reply: how the others answer what it asks, a form and wishes, if not by silence.
        caster_has: what it has to do with the caster's artifacts, in the words of `test_matrix`, beside needing a lamp.
        another_has: the same with artifacts of another seat, beside being struck by a counterspell.
        unused: artifacts that the caster never can use in this scene.
        reaches: what it can do with a tile in a room, whatever its type: "finds" it face down, "takes" it face up.
    """

    where: str = "market"
    wishes: dict[str, Any] = {}
    use: Mapping[str, str] = {}
    rows: Mapping[str, str] = {}
    reply: tuple[str, dict[str, Any]] | None = None
    caster_has: Mapping[str, str] = {}
    another_has: Mapping[str, str] = {}
    unused: Set[str] = frozenset()
    reaches: str = "-"


class Told(NamedTuple):
    """What came of it: all events, which intents could be carried out, and the types of answer each seat was offered.

    `named` has everything that was offered as a value, by card and field.
    """

    events: list[Any]
    done: list[Intent]
    offered: dict[int, set[str]]
    named: dict[tuple[str, str], set[Any]]


def moment(state: State) -> str:
    """The name by which an intent calls this moment."""
    match state.agenda[-1]:
        case Window(where):
            return where
        case Bribes():
            return ENTRY
        case Purchase():
            return PURCHASE
        case Placing():
            return PLACING
        case Ask():
            return ASKED
    return ""


def live(state: State, *intents: Intent) -> Told:
    """Everybody who is asked does what he means to, else what silence does, to the end of the round.

    Hands without tokens mean that placing is complete.
    """
    told, waiting = Told([], [], {}, {}), list(intents)
    if not any(state.hands):
        state, _ = tally(state)
    while not MAGIC_RULES.is_advance_pending(state) and state.outcome is None:
        state, events = _one_answer(state, waiting, told)
        told.events.extend(events)
        if isinstance(state.agenda[-1], Boundary) and state.agenda[-1].after == "placing":
            state, events = MAGIC_RULES.advance(state)
            told.events.extend(events)
    return told


def _one_answer(state: State, waiting: list[Intent], told: Told) -> tuple[State, list[Any]]:
    asked = {d.seat: d for d in reversed(MAGIC_RULES.decisions(state)) if d.prompted or d.kind == "declare"}
    questions = {seat: _question(state, decision) for seat, decision in asked.items()}
    for question in questions.values():
        _note(question, told)
    for intent in waiting:
        if intent.where == moment(state) and intent.seat in questions:
            answer = _answer(questions[intent.seat], intent)
            if answer is not None:
                waiting.remove(intent)
                told.done.append(intent)
                return MAGIC_RULES.apply(state, asked[intent.seat].id, intent.seat, to_action(answer))
    decision = next(decision for decision in MAGIC_RULES.decisions(state) if decision.prompted)
    return MAGIC_RULES.apply(state, decision.id, decision.seat, MAGIC_RULES.default(state, decision))


def _question(state: State, decision: Decision) -> Question:
    return next(q for q in MAGIC_RULES.view(state, decision.seat).questions if q.decision == decision)


def _note(question: Question, told: Told) -> None:
    told.offered.setdefault(question.decision.seat, set()).update(form.type for form in question.actions)
    for form in question.actions:
        card, _, _ = form.type.removeprefix("play_").partition("__")
        for field in form.fields:
            told.named.setdefault((card, field.name), set()).update(option.value for option in field.options)


def _answer(question: Question, intent: Intent) -> dict[str, Any] | None:
    """The first answer that is as wished; None if there is none."""
    form = next((form for form in question.actions if form.type == intent.form), None)
    if form is None:
        return None
    wished = replace(form, fields=[_wished(field, intent) for field in form.fields])
    return next(every_answer(replace(question, actions=[wished])), None)


def _wished(field: Field, intent: Intent) -> Field:
    """The field with nothing to choose but the first wish that is offered."""
    if field.name not in intent.wishes or not isinstance(field, Choice):
        return field
    options = [option for wish in intent.wishes[field.name] for option in field.options if option.value == wish]
    return replace(field, options=options[:1])
