"""What is going on in the magic version, in sentences: the open window, what was played, who must answer, what lasts.

Text board and picture say the same, for both are made from these notes.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.aladdins_dragons.board import model
from engine.aladdins_dragons.board.effects import LAST_FIRST
from engine.aladdins_dragons.board.magic_model import Effect
from engine.aladdins_dragons.board.model import Play
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.text.words import Words
from engine.core import Seat


class Remark(NamedTuple):
    """One thing everybody should know now.

    Arguments:
        kind: "window", "play" (a card that was shown), "ask" or "effect".
        text: the sentence.
        seat: whose card it is, if it is somebody's.
    """

    kind: str
    text: str
    seat: Seat | None = None


def situation(view: View, words: Words) -> list[Remark]:
    """All notes, what is happening first, what lasts until the end of the round last."""
    if not view.has_magic or view.outcome is not None:
        return []
    return [*_happening(view, words), *(_effect(view, words, effect) for effect in view.magic.effects)]


def _happening(view: View, words: Words) -> Iterator[Remark]:
    frame = view.agenda[-1]
    match frame:
        case model.Window():
            yield Remark("window", f"{_where(frame, words)} {words.sentence('window-pass', number=frame.number)}")
            for play in frame.plays:
                yield Remark("play", words.sentence("played", play=_plays([play], frame.plays)), play.seat)
        case model.Tent(seat, _, to):
            code = "tent-choosing" if to is None else "tent-giving"
            yield Remark("ask", words.sentence(code, seat={"seat": seat}, to={"seat": to if to is not None else seat}))
        case model.Ask(_, play, waiting):
            seats = {"seats": list(waiting)}
            yield Remark("ask", words.sentence("asking", play=_plays([play]), seats=seats), play.seat)
    if pending := [play for one in view.agenda if isinstance(one, model.Resolve) for play in one.plays]:
        yield Remark("window", words.sentence("pending", plays=_plays(pending)))


def _where(window: model.Window, words: Words) -> str:
    if window.kind == "reply":
        return words.sentence("window-reply")
    if window.where.startswith("declared-"):
        return words.sentence("window-declared")
    if window.where in ("start", "placed", "caves"):
        return words.sentence(f"window-{window.where}")
    return words.sentence("window-space", at={"at": window.where})


def _plays(plays: list[Play], shown: list[Play] | None = None) -> dict[str, object]:
    """Plays for a sentence; `shown` are all of the window, for cards aimed at other cards."""
    aimed = [play.card for play in shown or []]
    return {"plays": [[play.seat, play.card, play.targets, aimed] for play in plays]}


def _effect(view: View, words: Words, effect: Effect) -> Remark:
    code = f"effect-{effect.name.replace('_', '-')}"
    if effect.name == LAST_FIRST:
        code = f"{code}-{view.magic.last_first}"
    params = {"seat": {"seat": effect.seat}} | ({"space": {"space": effect.space}} if effect.space else {})
    return Remark("effect", words.sentence(code, **params), effect.seat)
