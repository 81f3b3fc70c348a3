"""Base class for emails that ask for a decision: the question, the board, recent events, the link to answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.core import ActionForm, Option, Question
from engine.core.plain_text import unfolded
from engine.orders.actions import GATHERINGS, LONG_PASSES
from games import links
from games.inbox import numbered, reply_help
from games.inbox.keywords import Keyword, word
from games.letters import phrases
from games.letters.base import Brief, Draft, with_until
from games.letters.picture import DrawnBoard, board_picture
from games.letters.subjects import DecisionLetter
from games.log import log_entries
from games.models import Decision, Game
from games.orders.order_forms import say_for
from games.orders.proposal_forms import ProposalItem, proposal_item
from games.play import endings, queries
from games.timing import deadline_rule, missed
from notifications.clock import present
from notifications.models import Notice

MOST_LINES = 12  # sentences of what has happened in a letter that asks for a round; the page has all of it
FEW_LINES = 6  # in one that asks a single question
ANSWERED = gettext_noop("it has been answered, or is no longer asked")
NOBODY_WAITS = gettext_noop("nobody waits for this seat now")


@dataclass(frozen=True)
class Way:
    """One way to answer, and the link that puts it first on the page. Opening a link never acts."""

    label: str
    url: str
    places: tuple["Way", ...] = ()  # the same for each place until which one can pass, in a few words
    reply: str = ""  # the line that says it in a reply; "" where mails cannot be answered


class AskingLetter(DecisionLetter):
    """An email that asks for a decision. Kinds differ in their subject and first sentences."""

    template = "asking"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when the question is closed, or the seat has another player."""
        if not about.is_open or about.game.status != Game.Status.RUNNING:
            return ANSWERED
        return NOBODY_WAITS if about.is_automatic else super().why_stale(notice, about)

    def why_stale_for_all(self, notice: Notice, about: Decision) -> str:
        """For a sealed question only when all have answered: nobody may know who has."""
        if not about.is_sealed:
            return self.why_stale(notice, about)
        is_open = queries.is_open_for_all(about) and about.game.status == Game.Status.RUNNING
        return "" if is_open else ANSWERED

    def latest(self, notice: Notice) -> datetime | None:
        """The latest time to send it so that the deadline counts: otherwise it would be extended again and again."""
        about = notice.about or self.find(notice.subject)
        if about is None or about.seat.user is None or about.is_automatic:
            return None
        return deadline_rule.to_be_told_by(about)

    def in_short(self, about: Decision, names: str) -> str:
        """Who is to move."""
        return with_until(_("To move: %(names)s.") % {"names": names}, self.until(about))

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        facts = {"table": about.game.spoken_title, "question": title}
        if about.due_at is None or about.left is not None:
            return _("%(question)s – %(table)s") % facts
        return _("%(question)s (by %(moment)s) – %(table)s") % {**facts, "moment": phrases.short_moment(about.due_at)}

    def lead(self, about: Decision) -> str:
        """What is to be said before anything else; "" where the question says it all."""
        return ""

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """The question with everything one needs to answer it."""
        access = queries.Access(about.game, about.seat)
        view = queries.view_of(access)
        question = question_of(about, access, view)
        title = queries.say(about.game, question.title) if question else about.game.title
        deadline = phrases.moment(about.due_at) if about.due_at else ""
        context = {
            "heading": title,
            "lead": self.lead(about),
            "deadline": deadline,
            "is_stopped": about.left is not None,
            "bank": phrases.bank_in_words(about),
            "steward": phrases.steward_in_words(about),
            "ending": _ending(about.game),
            **asked(about, question),
            "proposal": (proposal := _proposal(about, access, question, view)),
            "reply_lines": reply_lines(about, question, proposal) if question else [],
            "is_explained": proposal is None or about.kind not in GATHERINGS,
            **news(access, view, is_round=about.kind in GATHERINGS),
            **board(access, view),
        }
        preview = _("Please answer by %(deadline)s.") % {"deadline": deadline} if deadline else ""
        return Draft(self.subject(about, title), preview, context, headers=links.reply_headers(about))

    def brief(self, notice: Notice, about: Decision) -> Brief:
        """The question, its deadline, and the link to answer."""
        access = queries.Access(about.game, about.seat)
        question = question_of(about, access, queries.view_of(access))
        title = queries.say(about.game, question.title) if question else about.game.title
        return Brief(self.subject(about, title), "", links.act_url(about), _("Make your move"), about.due_at)

    def picture(self, about: Decision) -> DrawnBoard:
        """The board as the seat that is asked sees it."""
        access = queries.Access(about.game, about.seat)
        return board_picture(access, queries.view_of(access))


def _ending(game: Game) -> str:
    wanted, people = endings.count_wishes(game)
    if not wanted:
        return ""
    told = _("%(wanted)s of %(people)s players want to end the game without a result; you can agree at the table.")
    return told % {"wanted": wanted, "people": people}


def question_of(decision: Decision, access: queries.Access, view: object) -> Question | None:
    """Finds the question of a decision as its seat sees it; None if it is no longer asked."""
    found = queries.open_questions(access, view)
    return next((item.question for item in found if item.decision and item.decision.pk == decision.pk), None)


def _proposal(about: Decision, access: queries.Access, question: Question | None, view: object) -> ProposalItem | None:
    """What is proposed, if its player sees that at once; who wants to ask for it asks on the page."""
    if question is None:
        return None
    item = proposal_item(access, queries.OpenQuestion(question, about), view, present.now())
    if item is None or item.is_folded:
        return None
    orders = item.lines[1:] if about.kind in GATHERINGS else []
    return replace(item, lines=orders or item.lines)  # of a sheet its orders are what matters


def asked(decision: Decision, question: Question | None) -> dict[str, object]:
    """Returns the template context of a question: its hint, its default, where to answer."""
    game, url = decision.game, links.act_url(decision)
    if question is None:
        return {"act_url": url}
    return {
        "act_url": url,
        "hint": queries.say(game, question.hint) if question.hint else "",
        "silence": missed.in_words(game, question, say_for(game)),
        "ways": list(ways(decision, question, url)),
    }


@dataclass(frozen=True)
class ReplyLine:
    """A line that may be written in reply, and its meaning where that is not obvious."""

    line: str
    label: str = ""


def reply_lines(decision: Decision, question: Question, proposal: ProposalItem | None = None) -> list[ReplyLine]:
    """Lists lines that may be written in reply; [] where replies are not received."""
    if not links.reply_address(decision):
        return []
    game = decision.game
    accepting = [ReplyLine(word(Keyword.YES), _("plays what is proposed"))] if proposal else []
    if is_listed(question):
        found = [
            ReplyLine(numbered.code(decision.ref, number, form, chosen), _label(game, form, chosen))
            for number, (form, chosen) in enumerate(numbered.listed(question), start=1)
        ]
    else:
        naming = reply_help.naming_of(game)
        found = [ReplyLine(line) for line in reply_help.examples(question, naming)]
        further = reply_help.example_with_next(question, naming)
        found += [ReplyLine(further, _("what you order behind it is done later, unasked"))] if further else []
    return [
        *accepting,
        *found,
        *(ReplyLine(word(command)) for command in (Keyword.STATUS, Keyword.HELP, Keyword.ORDERS)),
    ]


class News(TypedDict):
    """What has happened since the seat last moved, in sentences, and how many are left out; where the game stands."""

    news: Sequence[str]
    news_left_out: int
    standings: Sequence[str]


def news(access: queries.Access, view: object, *, is_round: bool) -> News:
    """Returns what has happened since this seat last moved and where the game stands; more for a whole round."""
    told, left_out = log_entries.recap_since_last_answer(access, MOST_LINES if is_round else FEW_LINES)
    game = access.game
    facts = game.rules.standings(view)
    standings = [queries.say(game, text) for text in (facts if is_round else facts[:1])]
    return {"news": told, "news_left_out": left_out, "standings": standings}


def board(access: queries.Access, view: object) -> dict[str, object]:
    """Returns the board as text, and its lines with their indentation (0 .. 3), where they wrap on narrow screens."""
    text = queries.describe(access, view).strip()
    whole = unfolded(text.splitlines())
    lines = [(min((len(line) - len(line.lstrip())) // 2, 3), line.strip()) for line in whole]
    return {"board": text, "board_lines": lines}


def is_listed(question: Question) -> bool:
    """Whether each answer is listed by itself: of few ways, and not of a sheet or a plan, where the orders matter."""
    return question.decision.kind not in GATHERINGS and numbered.is_short(question)


def ways(decision: Decision, question: Question, url: str) -> Iterator[Way]:
    """Yields every answer if there are few, else each kind of answer if there are several."""
    game = decision.game
    if is_listed(question):
        can_reply = bool(links.reply_address(decision))
        for number, (form, chosen) in enumerate(numbered.listed(question), start=1):
            line = numbered.code(decision.ref, number, form, chosen) if can_reply else ""
            yield replace(_way(game, form, chosen, url), reply=line)
    elif len(question.actions) > 1 and question.decision.kind not in GATHERINGS:
        for form in question.actions:
            way = _way(game, form, {}, url)
            yield replace(way, places=_places(game, form, url)) if form.type in LONG_PASSES else way


def _places(game: Game, form: ActionForm, url: str) -> tuple[Way, ...]:
    chosen = [(option, {field.name: option}) for field in form.fields for option in field.options]
    return tuple(Way(queries.say(game, option.label), _way(game, form, one, url).url) for option, one in chosen)


def _way(game: Game, form: ActionForm, chosen: dict[str, Option], url: str) -> Way:
    query = urlencode({"do": form.type} | {name: option.value for name, option in chosen.items()})
    return Way(_label(game, form, chosen), f"{url}?{query}")


def _label(game: Game, form: ActionForm, chosen: dict[str, Option]) -> str:
    label = queries.say(game, form.label)
    details = ", ".join(queries.say(game, option.label) for option in chosen.values())
    return f"{label}: {details}" if details else label
