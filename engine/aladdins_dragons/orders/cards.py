"""Playing cards in advance: the answers, how a card is aimed when its time comes, and the rows of a plan."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice

from engine.aladdins_dragons.actions import play_type
from engine.aladdins_dragons.board.model import Window
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, get_card
from engine.aladdins_dragons.orders.facts import HITS, SHOWN, is_card, own, shown_plays
from engine.aladdins_dragons.orders.fields import (
    HERE,
    LEAST,
    MOST,
    any_spell_options,
    card_options,
    find_form,
    own_world,
    row,
    space_options,
)
from engine.core import ActionForm, Answer, Choice, Decision, Field, JsonObject, Meanings, Option, Question, Row, Text
from engine.core.answers import every_answer
from engine.orders.model import Entry
from engine.orders.rows import mark

BETWEEN = ("start", "placed", "caves")  # windows that are at no space
PLAY_ROWS, ASK_ROWS, REPLY_ROWS = 4, 3, 2
COUNTERSPELL, KEY = "counterspell", "key"
MOST_AIMS = 12
"""Ways to aim a card that are listed one by one; of a card with more only the one that fits."""


def counter_form() -> ActionForm:
    """Negates a spell of another, whichever is shown then."""
    cards = any_spell_options()
    return ActionForm("counter", Text("wish-counter"), [Choice("card", Text("field-card"), cards)])


def card_form(view: View) -> ActionForm:
    """Plays a card, aimed in the one way that fits then."""
    names = [*ARTIFACTS, *(view.magic.spells or [])]
    cards = [Option(name, Text("card", {"card": {"card": name}})) for name in dict.fromkeys(names)]
    return ActionForm("card", Text("wish-card"), [Choice("card", Text("field-card"), cards)])


def play_forms(view: View) -> list[ActionForm]:
    """Every way to play a card."""
    return [card_form(view), *forms_of_cards(view, Window(BETWEEN[0]))]


def forms_of_cards(view: View, window: Window) -> list[ActionForm]:
    """The seat's own cards as they could be aimed now, whether or not a lamp is lit yet."""
    state = own_world(view)
    seat = view.seat
    assert seat is not None
    cards = [*state.magic.spells[seat], *windows.unused_tiles(state, seat)]
    forms = [form for name in dict.fromkeys(cards) for form in get_card(name).forms(state, seat, window)]
    return [form for form in forms if form.fields]


def play_card(view: View, question: Question, entry: Entry) -> Answer | None:
    """The card with every field that leaves no choice; a token of one's own where it lies strongest."""
    form = find_form(question, play_type(entry["card"]))
    if form is None:
        return None
    aimed = {field.name: _only(view, field) for field in form.fields}
    return None if None in aimed.values() else {"type": form.type, **aimed}


def _only(view: View, field: Field) -> str | int | None:
    values = [option.value for option in field.options]
    if len(values) == 1 and isinstance(field, Choice):
        return values[0]
    if field.name == "token" and view.tallying:
        mine = {f"{view.tallying}:{token.number}": token.value or 0 for token in own(view, view.tallying)}
        return max((value for value in values if value in mine), key=lambda value: mine[str(value)], default=None)
    return None


def negate(view: View, question: Question, entry: Entry) -> Answer | None:
    """The first spell of another that is meant and has not been struck."""
    form = find_form(question, play_type(COUNTERSPELL))
    windows_open = [frame for frame in view.agenda if isinstance(frame, Window)]
    if form is None or not windows_open:
        return None
    for option in form.fields[0].options:
        play = windows_open[-1].plays[int(option.value)]
        if play in shown_plays(view) and is_card(play.card, entry["card"]) and not play.is_struck:
            return {"type": form.type, form.fields[0].name: option.value}
    return None


def start_row(view: View) -> Row:
    """A card at the start of the round."""
    options, means = _own_plays(view, "start")
    play = Choice("start", Text("field-card"), options)
    order = {"kind": "window", "topic": "start", "answers": [mark("start")]}
    return row("start", [play], order, "placing", means={"start": means})


def card_rows(view: View) -> list[Row]:
    """Plays, replies and counters in the tally, and where to be asked."""
    if not view.has_magic:
        return []
    where = [Option(name, Text(f"place-{name}")) for name in ("placed", "caves")] + space_options(view.spaces)
    options, means = _own_plays(view, "placed")
    found = []
    for number in range(1, PLAY_ROWS + 1) if options else ():
        found.append(_play_row(number, where, options, means))
    if options:
        found += [_reply_row(number, options, means) for number in range(1, REPLY_ROWS + 1)]
    if COUNTERSPELL in (view.magic.artifacts or []):
        found += _counter_rows()
    asks = [Choice(f"ask-{number}", Text("field-space"), where) for number in range(1, ASK_ROWS + 1)]
    found += [row(ask.name, [ask], {"kind": "window", "topic": mark(ask.name)}, "cards") for ask in asks]
    return found


def _play_row(number: int, where: list[Option], options: list[Option], means: Meanings) -> Row:
    at, play, when = f"where-{number}", f"play-{number}", f"if-{number}"
    order = {"kind": "window", "topic": mark(at), "answers": [mark(play)], "conditions": [mark(when)]}
    blanks = [
        Choice(at, Text("field-space"), where),
        Choice(play, Text("field-card"), options),
        Choice(when, Text("field-if"), [Option(name, Text(f"if-{name}")) for name in WHEN]),
    ]
    return row(play, blanks, order, "cards", optional=[when], means={play: means, when: dict(WHEN)})


def _first(plus: int, answer: str) -> Entry:
    return {"type": "first", "space": HERE, "plus": plus, "is": answer}


WHEN: Meanings = {
    "behind": [_first(0, "no")],
    "decides": [_first(0, "no"), _first(3, "yes")],
    "first": [_first(0, "yes")],
    "others": [{"type": "others", "space": HERE, "is": LEAST, "value": 1}],
    "crowd": [{"type": "others", "space": HERE, "is": LEAST, "value": 2}],
    "mine": [{"type": "mine", "space": HERE, "is": LEAST, "value": 1}],
    "alone": [
        {"type": "others", "space": HERE, "is": MOST, "value": 0},
        {"type": "mine", "space": HERE, "is": LEAST, "value": 1},
    ],
    "loses": [_first(0, "no"), {"type": "mine", "space": HERE, "is": LEAST, "value": 1}],
    "rich": [{"type": "all_treasure", "is": LEAST, "value": 6}],
    "poor": [{"type": "all_treasure", "is": MOST, "value": 5}],
}
"""The conditions that are offered for a play, and what they mean."""


def _reply_row(number: int, options: list[Option], means: Meanings) -> Row:
    shown, play = f"shown-{number}", f"reply-{number}"
    order = {
        "kind": "window",
        "answers": [mark(play)],
        "conditions": [{"type": SHOWN, "card": mark(shown), "seat": -1}],
    }
    blanks = [Choice(shown, Text("field-card"), card_options()), Choice(play, Text("field-card"), options)]
    return row(play, blanks, order, "cards", means={play: means})


@cache
def _counter_rows() -> tuple[Row, ...]:
    spells = any_spell_options()
    found = []
    for name, fact in (("counter-mine", {"type": HITS}), ("counter-any", {"type": SHOWN, "seat": -1})):
        order = {
            "kind": "window",
            "answers": [{"type": "counter", "card": mark(name)}],
            "conditions": [{**fact, "card": mark(name)}],
        }
        found.append(row(name, [Choice(name, Text("field-card"), spells)], order, "cards"))
    return tuple(found)


def _own_plays(view: View, where: str) -> tuple[list[Option], Meanings]:
    """Every way to play a card of the seat's own, and the answer that each is; counters have rows of their own."""
    state, seat = own_world(view), view.seat
    assert seat is not None
    options: list[Option] = []
    means: Meanings = {}
    names = dict.fromkeys([*state.magic.spells[seat], *windows.unused_tiles(state, seat)])
    for name in names:
        if name == COUNTERSPELL:
            continue
        options.append(Option(name, Text("row-card", {"card": {"card": name}})))
        means[name] = {"type": "card", "card": name}
        for value, targets, answer in _aimed(get_card(name).forms(state, seat, Window(where))):
            options.append(Option(value, Text("row-card", {"card": {"aimed": [name, targets]}})))
            means[value] = answer
    return options, means


def _aimed(forms: Iterable[ActionForm]) -> Iterable[tuple[str, JsonObject, JsonObject]]:
    for form in forms:
        question = Question(Decision("", 0, ""), form.label, [form], form.label)
        answers = list(islice(every_answer(question), MOST_AIMS + 1)) if form.fields else []
        for answer in answers if len(answers) <= MOST_AIMS else ():
            targets = {name: value for name, value in answer.items() if name != "type"}
            if not any(isinstance(value, Mapping) for value in targets.values()):
                yield f"{form.type} {' '.join(map(str, targets.values()))}", targets, dict(answer)
