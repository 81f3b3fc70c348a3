"""Every sentence, and the board as plain text."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any

from caravanserai_pig.model import Event, GameBegan, GameEnded, Resigned, TurnRevealed, View
from engine.core import Seat, Text
from engine.core.language import BaseWords, _, locale_of

SENTENCES = {
    "title": _("Pig"),
    "option-goal": _("Goal"),
    "goal": _("{goal} points"),
    "illegal-seats": _("This game is for two to four players."),
    # what is asked
    "ask-roll": _("Roll the die: at how many points do you hold? You have {score}, and {missing} to go."),
    "hint-roll": _("A 1 ends your turn and loses what it has brought."),
    "do-hold": _("Roll until your turn has brought"),
    "field-at": _("Points"),
    "hold-at": _("hold at {at}"),
    "hold-goal": _("roll on until you win"),
    "default-roll": _("You roll, and hold at {at}."),
    "why-habit": _("Below 20 another roll brings more than it may lose."),
    "why-win": _("You need {missing} to win."),
    "order-roll": _("rolling"),
    # what has happened
    "began": _("{seat} begins. Whoever has {goal} points first wins."),
    "began-you": _("You begin. Whoever has {goal} points first wins."),
    "gained": _("{seat} rolls {dice} and gains {gain}: {score}."),
    "gained-you": _("You roll {dice} and gain {gain}: {score}."),
    "lost": _("{seat} rolls {dice} and gains nothing: {score}."),
    "lost-you": _("You roll {dice} and gain nothing: {score}."),
    "resigned": _("{seat} has resigned."),
    "resigned-you": _("You have resigned."),
    "won": _("{seat} wins with {score} points."),
    "won-you": _("You win with {score} points."),
    "abandoned": _("The others have resigned; {seat} ends the game and wins."),
    "abandoned-you": _("The others have resigned; you end the game and win."),
    "standing": _("Points: {totals}."),
    "story": _("The best turn was {seat}'s: {gain} points."),
    "story-you": _("The best turn was yours: {gain} points."),
    "figures-course": _("Points after each round"),
    "figures-round": _("Round {round}"),
    "figures-turns": _("Turns"),
    "figures-lost": _("ended by a 1"),
    # beginners and bots
    "lesson": _("Roll as often as you dare: each roll adds to your turn, but a 1 loses it all."),
    "lesson-roll": _("Say at which sum you stop rolling. 20 is a good habit; behind, dare more."),
    "lesson-gained": _("Your turn brought {gain}."),
    "lesson-lost": _("A 1 fell before you held, and your turn brought nothing."),
    "lesson-puzzle": _("You see into the future: the die will show 4, 5 and 1. Where do you hold?"),
    "bot-random": _("Random"),
    "bot-greedy": _("Greedy"),
    # answers by mail
    "words-hold": _("hold, hold at"),
    "words-order-roll": _("rolling"),
}


class Words(BaseWords):
    """A language and the names of the players by seat."""

    locale = locale_of("caravanserai_pig")
    domain = "pig"
    sentences = SENTENCES
    plurals = {}
    lists = {"pair": _("{first} and {last}"), "join": _(", ")}

    def shapes(self) -> dict[str, Callable[[Any], str]]:
        """What `engine.core.answers` refuses is named by field and option."""
        return {**super().shapes(), "field": lambda name: self.get(SENTENCES.get(f"field-{name}", name)), "option": str}


def say(text: Text | Event, language: str, names: Sequence[str], reader: Seat | None = None) -> str:
    """A sentence or an event in words."""
    sentence = text if isinstance(text, Text) else _event_text(text)
    return Words(language, names, reader).sentence(sentence.code, **sentence.params)


def _event_text(event: Event) -> Text:
    match event:
        case GameBegan(start, _seats, goal):
            return Text("began", {"seat": {"seat": start}, "goal": goal})
        case TurnRevealed(seat, _at, dice, gain, score):
            params = {"seat": {"seat": seat}, "dice": ", ".join(map(str, dice)), "gain": gain, "score": score}
            return Text("gained" if gain else "lost", params)
        case Resigned(seat):
            return Text("resigned", {"seat": {"seat": seat}})
        case GameEnded(outcome):
            return outcome.reason
    raise AssertionError(event)


def describe(view: View, language: str, names: Sequence[str]) -> str:
    """The whole board as plain text."""
    words = Words(language, names)
    lines = [f"{words.sentence('title')}: {words.sentence('goal', goal=view.goal)}", ""]
    for seat, score in enumerate(view.scores):
        turn = " *" if view.outcome is None and seat == view.active else ""
        lines.append(f"{words.name(seat)[:40]}: {score}{turn}")
    if view.outcome is not None:
        lines += ["", say(view.outcome.reason, language, names)]
    for question in view.questions:
        options = [say(one.label, language, names) for one in question.actions[0].fields[0].options]
        lines += ["", *wrap(say(question.title, language, names), 78), *wrap(", ".join(options), 78)]
    return "\n".join(lines) + "\n"
