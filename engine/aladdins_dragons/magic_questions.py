"""The questions of the magic version: windows, declarations, the tent, and what cards ask."""

from collections.abc import Mapping

from engine.aladdins_dragons import actions
from engine.aladdins_dragons.actions import Action
from engine.aladdins_dragons.board import model
from engine.aladdins_dragons.board.model import Play, State, Window
from engine.aladdins_dragons.cards.card import rule_text
from engine.aladdins_dragons.cards.deck import get_card
from engine.aladdins_dragons.cards.windows import could_act, play_forms
from engine.core import ActionForm, Choice, Decision, JsonObject, Option, Question, Seat, Text

MagicFrame = model.Window | model.Tent | model.Ask


def decisions(state: State, frame: MagicFrame) -> list[Decision]:
    """Who is asked. A sealed answer may be replaced, unasked, until the pass is complete."""
    match frame:
        case model.Window(where, kind, number, entitled, answers):
            name = f"{kind}-{state.magic.declared}" if kind == "reply" else where
            return [
                Decision(f"{state.round_id}-window-{name}-{number}", seat, "window", True, answer is None)
                for seat, answer in zip(entitled, answers, strict=True)
            ]
        case model.Tent(seat):
            return [Decision(f"{state.round_id}-tent", seat, "tent")]
        case model.Ask(card, _, waiting, turns):
            return [Decision(f"{state.round_id}-ask-{card}-{turns[seat] + 1}", seat, "ask") for seat in waiting]


def declarations(state: State) -> list[Decision]:
    """What seats may do unasked while placing lasts (A92)."""
    if not state.has_magic:
        return []
    window = _next_declaration(state)
    return [
        Decision(f"{state.round_id}-{window.where}", seat, "declare", prompted=False)
        for seat in state.sequence()
        if could_act(state, seat, window)
    ]


def _next_declaration(state: State) -> Window:
    return Window(f"declared-{state.magic.declared + 1}")


def declare_question(state: State, decision: Decision, silence: Text) -> Question:
    """What the seat could declare now; possibly nothing, which only its owner knows."""
    forms = play_forms(state, decision.seat, _next_declaration(state))
    return Question(decision, Text("ask-declare"), forms, silence, Text("hint-declare"))


def question(state: State, decision: Decision, frame: MagicFrame, defaults: Mapping[str, Text]) -> Question:
    """The decision as its own seat sees it."""
    seat = decision.seat
    match frame:
        case model.Window():
            forms = [ActionForm("pass", Text("do-pass")), *play_forms(state, seat, frame)]  # most answers are a pass
            hint = _window_hint(frame, seat)
            return Question(decision, _window_title(frame), forms, defaults["window"], hint)
        case model.Tent(_, cards, to):
            title = Text("ask-tent", {"to": {"seat": to}}) if to is not None else Text("ask-tent-alone")
            return Question(decision, title, [_tent_form(cards, state.magic.last_first)], defaults["tent"])
        case model.Ask(card):
            title, forms = get_card(card).question(state, frame, seat)
            return Question(decision, title, forms, get_card(card).default_text(state, frame, seat))


def _window_title(window: Window) -> Text:
    if window.kind == "reply":
        return Text("ask-reply", {"plays": shown(window)})
    if window.plays:
        return Text("ask-respond", {"plays": shown(window)})
    if window.where in ("start", "placed", "caves"):
        return Text(f"ask-window-{window.where}")
    return Text("ask-window-space", {"at": {"at": window.where}})


def shown(window: Window) -> JsonObject:
    """What has been shown in the window, for a sentence."""
    return _in_words(window.plays, window)


def _in_words(plays: list[Play], window: Window) -> JsonObject:
    """Plays for a sentence; those of the window are named to what is aimed at them."""
    shown = [play.card for play in window.plays]
    return {"plays": [[play.seat, play.card, play.targets, shown] for play in plays]}


def _window_hint(window: Window, seat: Seat) -> Text:
    answer = window.answers[window.entitled.index(seat)]
    if answer is None:
        return Text("hint-window")
    if not answer:
        return Text("hint-passed")
    return Text("hint-played", {"plays": _in_words(answer, window)})


def _tent_form(cards: list[str], last_first: str) -> ActionForm:
    options = [Option(card, Text("card", {"card": {"card": card}}), rule_text(card, last_first)) for card in cards]
    return ActionForm("keep_spell", Text("do-keep-spell"), [Choice("card", Text("field-card"), options)])


def default(state: State, frame: model.Tent | model.Ask, seat: Seat) -> Action:
    """What the deadline answers: at the tent the first card stays (A99)."""
    if isinstance(frame, model.Tent):
        return actions.KeepSpell(frame.cards[0])
    return get_card(frame.card).default(state, frame, seat)
