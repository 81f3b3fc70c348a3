"""What a kept game has in it: cards, windows, answers, events, each as one word."""

from collections.abc import Iterable, Iterator

from engine.aladdins_dragons import events as magic
from engine.aladdins_dragons.model import Window
from tests.engine.playing import Step


def covered(steps: Iterable[Step]) -> set[str]:
    """Everything found in a game."""
    return {word for step in steps for word in (*_answered(step), *_opened(step), *_happened(step), *_ended(step))}


def _opened(step: Step) -> Iterator[str]:
    """ "window cave", "reply guard": its kind and the kind of place."""
    frame = step.after.agenda[-1] if step.after.agenda else None
    if isinstance(frame, Window) and frame.answers:
        yield f"{frame.kind} {kind_of(frame.where)}"


def kind_of(where: str) -> str:
    """ "cave" for "cave-gem", "declared" for "declared-2"."""
    return where.partition("-")[0]


def _ended(step: Step) -> Iterator[str]:
    outcome = step.after.outcome
    if outcome is not None and outcome.reason.code.endswith("-scrolls"):
        yield "ended by scrolls"


def _answered(step: Step) -> Iterator[str]:
    if step.decision is not None:
        yield f"asked {step.decision.kind}"


def _happened(step: Step) -> Iterator[str]:
    for event in step.events:
        yield type(event).__name__
        match event:
            case magic.CardPlayed(_, card, targets):
                variant = targets.get("variant")
                yield f"played {card} as {variant}" if variant else f"played {card}"
            case magic.CardStruck(_, card):
                yield f"struck {card}"
            case magic.CardFizzled(_, card):
                yield f"fizzled {card}"
