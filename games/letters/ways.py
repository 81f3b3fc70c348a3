"""The ways to answer a question that an email lists: each with its link, and the code that says it in a reply."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from engine.core import ActionForm, Answer, Option, Question
from engine.orders.answers import GATHERINGS
from games import links
from games.inbox import numbered
from games.play import queries
from games.play.models import Decision
from games.tables.models import Game

MOST_BESIDE = 20  # words of the ways that are listed beside a proposal; where there are more, the page has them


@dataclass(frozen=True)
class Way:
    """One way to answer, and the link that puts it first on the page. Opening a link never acts.

    Arguments:
        short: what tells it from the others of its `group`, which have the rest of their label in common.
        reply: the code that says it in a reply; "" where replies are not received.
    """

    label: str
    url: str
    group: str = ""
    short: str = ""
    reply: str = ""


def is_listed(question: Question) -> bool:
    """Whether each answer is listed by itself: of few ways, and not of a sheet or a plan, where the orders matter."""
    return question.decision.kind not in GATHERINGS and numbered.is_short(question)


def ways(decision: Decision, question: Question, url: str, proposed: Answer | None = None) -> list[Way]:
    """Lists every answer if there are few, else each kind of answer if there are several.

    Beside a proposal only the other answers, and only if they are told in few words.
    """
    if question.decision.kind in GATHERINGS or (proposed and not is_listed(question)):
        return []
    if not is_listed(question):
        forms = question.actions if len(question.actions) > 1 else []
        return [_way(decision.game, form, {}, url) for form in forms]
    found = list(_listed(decision, question, url, proposed))
    return [] if proposed and sum(len(way.short.split()) for way in found) > MOST_BESIDE else found


def _listed(decision: Decision, question: Question, url: str, proposed: Answer | None) -> Iterator[Way]:
    can_reply = bool(links.reply_address(decision))
    found = list(numbered.listed(question))
    for number, (form, chosen) in enumerate(found, start=1):
        if numbered.answer(form, chosen) != proposed:
            code = numbered.code(decision.ref, number, form, chosen) if can_reply else ""
            alike = [others for other, others in found if other is form]
            yield _way(decision.game, form, chosen, url, alike, code)


def _way(
    game: Game,
    form: ActionForm,
    chosen: dict[str, Option],
    url: str,
    alike: Sequence[dict[str, Option]] = (),
    code: str = "",
) -> Way:
    """`alike` are the options of all ways of this form, of which this one is a member."""
    query = urlencode({"do": form.type} | {name: option.value for name, option in chosen.items()})
    label = answer_label(game, form, chosen)
    if len(alike) < 2:
        return Way(label, f"{url}?{query}", short=label, reply=code)
    values = {name: {one[name].value for one in alike} for name in chosen}
    varying = {name: option for name, option in chosen.items() if len(values[name]) > 1}
    fixed = {name: option for name, option in chosen.items() if name not in varying}
    short = ", ".join(queries.say(game, option.label) for option in varying.values())
    return Way(label, f"{url}?{query}", answer_label(game, form, fixed), short, code)


def answer_label(game: Game, form: ActionForm, chosen: dict[str, Option]) -> str:
    """An answer in words: what is done, and what was chosen for it."""
    label = queries.say(game, form.label)
    details = ", ".join(queries.say(game, option.label) for option in chosen.values())
    return f"{label}: {details}" if details else label
