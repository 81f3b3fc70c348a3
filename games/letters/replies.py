"""What an email says of answering it by a line; the inbox understands each line that is shown."""

from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext as _

from engine.core import Answer, Question
from engine.orders.answers import GATHERINGS, ORDERS, PLAN
from engine.orders.model import Order
from games import links
from games.inbox import numbered, order_help, reply_help
from games.inbox.grammar import QuestionReader
from games.inbox.keywords import Keyword, word
from games.inbox.order_grammar import OrderGrammar, grammar_for
from games.letters.ways import answer_label, is_listed
from games.play import queries
from games.play.models import Decision
from games.play.proposal_forms import ProposalItem, proposal_item
from notifications.clock import present


@dataclass(frozen=True)
class ReplyLine:
    """A line that may be written in reply, and its meaning where that is not obvious."""

    line: str
    label: str = ""


@dataclass(frozen=True)
class Proposed:
    """What is proposed, in one line, and why. The line of a sheet is one that may be written in a reply."""

    line: str
    reason: str
    action: Answer


def proposed(about: Decision, access: queries.Access, question: Question | None, view: object) -> Proposed | None:
    """What is proposed, if its player sees that at once; who wants to ask for it asks on the page."""
    if question is None:
        return None
    item = proposal_item(access, queries.OpenQuestion(question, about), view, present.now())
    if item is None or item.is_folded:
        return None
    return Proposed(_line(about, item, view), item.reason, item.action)


def _line(about: Decision, item: ProposalItem, view: object) -> str:
    """As one may write it in a reply, if it can be written so; of a sheet its orders are what matters."""
    orders = _orders(item.action)
    if not orders:
        return "; ".join(item.lines)
    line = order_help.in_one_line(orders, _grammar(about, view))
    if about.kind in GATHERINGS:
        return line or "; ".join(item.lines[1:])
    return f"{item.lines[0]}; {line}" if line else "; ".join(item.lines)


def _orders(action: Answer) -> list[Order]:
    return msgspec.convert(action.get(ORDERS) or [], list[Order])


def _grammar(about: Decision, view: object) -> OrderGrammar:
    return grammar_for(about.game.rules, view, reply_help.naming_of(about.game))


def _reader(about: Decision, question: Question) -> QuestionReader:
    return QuestionReader(question, reply_help.naming_of(about.game))


def example_lines(about: Decision, question: Question | None, proposal: Proposed | None, view: object) -> list[str]:
    """Lists the lines that an email with a question shows: two at most. [] where replies are not received."""
    if question is None or not links.reply_address(about):
        return []
    accepting = [word(Keyword.YES)] if proposal else []
    return [*accepting, *_examples(about, question, proposal, view)][:2]


def _examples(about: Decision, question: Question, proposal: Proposed | None, view: object) -> list[str]:
    if about.kind in GATHERINGS:
        grammar = _grammar(about, view)
        line = order_help.in_one_line(_orders(proposal.action)[:2], grammar) if proposal else ""
        return [line or order_help.sheet_example(grammar, is_plan=about.kind == PLAN)]
    if not is_listed(question):
        return reply_help.examples(_reader(about, question))
    reader = _reader(about, question)
    listed = ((number, form, chosen) for number, (form, chosen) in enumerate(numbered.listed(question), start=1))
    return [
        reply_help.line_of(numbered.answer(form, chosen), reader) or numbered.code(about.ref, number, form, chosen)
        for number, form, chosen in listed
        if proposal is None or numbered.answer(form, chosen) != proposal.action
    ][:1]


def reply_lines(about: Decision, question: Question, view: object) -> list[ReplyLine]:
    """Lists what can be written, in answer to a reply; [] where replies are not received."""
    if not links.reply_address(about):
        return []
    game = about.game
    access = queries.Access(game, about.seat)
    proposal = proposed(about, access, question, view)
    accepting = (
        [ReplyLine(word(Keyword.YES), _("plays this proposal: %(line)s") % {"line": proposal.line})] if proposal else []
    )
    if is_listed(question):
        found = [
            ReplyLine(numbered.code(about.ref, number, form, chosen), answer_label(game, form, chosen))
            for number, (form, chosen) in enumerate(numbered.listed(question), start=1)
        ]
    else:
        found = [ReplyLine(line) for line in _examples(about, question, None, view)]
        further = reply_help.example_with_next(_reader(about, question))
        found += [ReplyLine(further, _("what you order behind it is done later, unasked"))] if further else []
    talk = ReplyLine(f"{word(Keyword.SAY)} {_('Good game!')}", _("tells everybody at the table"))
    commands = (ReplyLine(word(one)) for one in (Keyword.STATUS, Keyword.ORDERS, Keyword.HELP))
    return [*accepting, *found, talk, *commands]
