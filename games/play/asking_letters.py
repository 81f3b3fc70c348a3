"""Letters about a question: it is asked, still open, given more time, or was answered by the deadline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypedDict
from urllib.parse import urlencode

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from msgspec import convert

from engine.core import ActionForm, Answer, Option, Question, Text
from engine.core.language import unfolded
from engine.orders.answers import GATHERINGS, ORDERS, PLAN
from engine.orders.model import Order
from games.people import letters
from games.people.letters import MOVES, REMINDERS, TURNS
from games.people.names import isolated
from games.play import (
    deadline_rule,
    deadlines,
    decision_links,
    game_letters,
    game_moves,
    history,
    lists,
    order_grammar,
    queries,
    reply_grammar,
)
from games.play.game_letters import Brief, DecisionLetter, Draft, with_until
from games.play.keywords import Keyword, word
from games.play.models import Decision, Extension
from games.play.order_grammar import OrderGrammar, grammar_for
from games.play.pictures import DrawnBoard, board_picture
from games.play.proposals import ProposalItem, lines_of_played, proposal_item
from games.play.reply_grammar import QuestionReader
from games.play.standing_orders import say_for
from games.tables.models import Game
from games.tables.seats import Seat
from notifications import preferences
from notifications.channels.mail.letter import one_line
from notifications.clock import present
from notifications.composers import composes
from notifications.models import Notice
from notifications.reasons import declare

ANSWERED = declare("answered", gettext_noop("it has been answered or is no longer asked"))
DEADLINE_MOVED = declare("deadline_moved", gettext_noop("the deadline has moved again"))
DEADLINE_PASSED = declare("deadline_passed", gettext_noop("the deadline has passed"))
SEAT_NOT_AWAITED = declare("seat_not_awaited", gettext_noop("nobody is waiting for this seat right now"))
TOLD_LATER = declare("told_later", gettext_noop("a later email about this game says so"))

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
    return question.decision.kind not in GATHERINGS and reply_grammar.is_short(question)


def ways(decision: Decision, question: Question, url: str, proposed: Answer | None = None) -> list[Way]:
    """Lists every answer if there are few, else each kind of answer if there are several.

    Beside a proposal only the other answers, and only if they are told in few words.
    """
    if question.decision.kind in GATHERINGS or (proposed and not is_listed(question)):
        return []
    if not is_listed(question):
        forms = question.actions if len(question.actions) > 1 else []
        return [_way(decision.game, form, {}, url) for form in forms]
    listed = list(_listed(decision, question, url, proposed))
    return [] if proposed and sum(len(way.short.split()) for way in listed) > MOST_BESIDE else listed


def _listed(decision: Decision, question: Question, url: str, proposed: Answer | None) -> Iterator[Way]:
    can_reply = bool(decision_links.reply_address(decision))
    pairs = list(reply_grammar.listed(question))
    for number, (form, chosen) in enumerate(pairs, start=1):
        if reply_grammar.answer(form, chosen) != proposed:
            code = reply_grammar.code(decision.ref, number, form, chosen) if can_reply else ""
            alike = [others for other, others in pairs if other is form]
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
    values = {name: {options[name].value for options in alike} for name in chosen}
    varying = {name: option for name, option in chosen.items() if len(values[name]) > 1}
    fixed = {name: option for name, option in chosen.items() if name not in varying}
    short = ", ".join(queries.say(game, option.label) for option in varying.values())
    return Way(label, f"{url}?{query}", answer_label(game, form, fixed), short, code)


def answer_label(game: Game, form: ActionForm, chosen: dict[str, Option]) -> str:
    """An answer in words: what is done, and what was chosen for it."""
    label = queries.say(game, form.label)
    details = ", ".join(queries.say(game, option.label) for option in chosen.values())
    return f"{label}: {details}" if details else label


# What an email says of answering it by a line; the inbox understands each line that is shown.


@dataclass(frozen=True)
class ReplyLine:
    """A line that may be written in reply, and its meaning where that is not obvious."""

    line: str
    label: str = ""


@dataclass(frozen=True)
class Proposed:
    """A proposal in one line, and why it is made. The line of a sheet is one that may be written in a reply."""

    line: str
    reason: str
    action: Answer


def proposed(about: Decision, access: queries.Access, question: Question | None, view: object) -> Proposed | None:
    """Returns the proposal, if its player sees it at once; who wants to ask for it asks on the page."""
    if question is None:
        return None
    item = proposal_item(access, queries.OpenQuestion(question, about), view, present.now())
    if item is None or item.is_folded:
        return None
    return Proposed(_line(about, item, view), item.reason, item.action)


def _line(about: Decision, item: ProposalItem, view: object) -> str:
    """Writes the proposal as a reply may, if it can be written so; of a sheet its orders are what matters."""
    orders = _orders(item.action)
    if not orders:
        return "; ".join(item.lines)
    line = order_grammar.in_one_line(orders, _grammar(about, view))
    if about.kind in GATHERINGS:
        return line or "; ".join(item.lines[1:])
    return f"{item.lines[0]}; {line}" if line else "; ".join(item.lines)


def _orders(action: Answer) -> list[Order]:
    return msgspec.convert(action.get(ORDERS) or [], list[Order])


def _grammar(about: Decision, view: object) -> OrderGrammar:
    return grammar_for(about.game.rules, view, reply_grammar.naming_of(about.game))


def _reader(about: Decision, question: Question) -> QuestionReader:
    return QuestionReader(question, reply_grammar.naming_of(about.game))


def example_lines(about: Decision, question: Question | None, proposal: Proposed | None, view: object) -> list[str]:
    """Lists the lines that an email with a question shows: two at most. [] where replies are not received."""
    if question is None or not decision_links.reply_address(about):
        return []
    accepting = [word(Keyword.YES)] if proposal else []
    return [*accepting, *_examples(about, question, proposal, view)][:2]


def _examples(about: Decision, question: Question, proposal: Proposed | None, view: object) -> list[str]:
    if about.kind in GATHERINGS:
        grammar = _grammar(about, view)
        line = order_grammar.in_one_line(_orders(proposal.action)[:2], grammar) if proposal else ""
        return [line or order_grammar.sheet_example(grammar, is_plan=about.kind == PLAN)]
    if not is_listed(question):
        return reply_grammar.examples(_reader(about, question))
    reader = _reader(about, question)
    listed = ((number, form, chosen) for number, (form, chosen) in enumerate(reply_grammar.listed(question), start=1))
    return [
        reply_grammar.line_of(reply_grammar.answer(form, chosen), reader)
        or reply_grammar.code(about.ref, number, form, chosen)
        for number, form, chosen in listed
        if proposal is None or reply_grammar.answer(form, chosen) != proposal.action
    ][:1]


def reply_lines(about: Decision, question: Question, view: object) -> list[ReplyLine]:
    """Lists what can be written, in answer to a reply; [] where replies are not received."""
    if not decision_links.reply_address(about):
        return []
    game = about.game
    access = queries.Access(game, about.seat)
    proposal = proposed(about, access, question, view)
    accepting = (
        [ReplyLine(word(Keyword.YES), _("plays this proposal: %(line)s") % {"line": proposal.line})] if proposal else []
    )
    if is_listed(question):
        lines = [
            ReplyLine(reply_grammar.code(about.ref, number, form, chosen), answer_label(game, form, chosen))
            for number, (form, chosen) in enumerate(reply_grammar.listed(question), start=1)
        ]
    else:
        lines = [ReplyLine(line) for line in _examples(about, question, None, view)]
        further = reply_grammar.example_with_next(_reader(about, question))
        lines += [ReplyLine(further, _("what you add after it is done later, without asking"))] if further else []
    talk = ReplyLine(f"{word(Keyword.SAY)} {_('Good game!')}", _("tells everyone at the table"))
    commands = (ReplyLine(word(keyword)) for keyword in (Keyword.STATUS, Keyword.ORDERS, Keyword.HELP))
    return [*accepting, *lines, talk, *commands]


# Base class for emails that ask for a decision: the question, the board, recent events, the link to answer.

ROUND_WORDS = 174  # of the question, what has happened and what is proposed, in a letter that asks for a whole round
SINGLE_WORDS = 66  # in one that asks a single question
FEWEST_WORDS = 12  # of what has happened, however long the rest is; the page has all of it
MOST_FOLLOWING = 3  # other games that wait for the reader, below the one that the letter is about
LONGEST_TITLE = 60
SOON = timedelta(minutes=1)  # boards move in mails that are written so soon: of a queue the others go out at once


def _unread(about: Decision) -> str:
    """Says how much was said at the table since the reader has read the talk there; "" for nothing."""
    counts = queries.unread_talk(about.seat.user, [about.game_id]) if about.seat.user is not None else {}
    return queries.unread_in_words(counts.get(about.game_id, 0))


class AskingLetter(DecisionLetter):
    """An email that asks for a decision. Kinds differ in their subject and first sentences."""

    template = "asking"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when the question is closed, or the seat has another player."""
        if not about.is_open or about.game.status != Game.Status.RUNNING:
            return ANSWERED
        return SEAT_NOT_AWAITED if about.is_automatic else super().why_stale(notice, about)

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
        """Names the players who are to move."""
        return with_until(_("To move: %(names)s.") % {"names": names}, self.until(about))

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        facts = {"table": about.game.spoken_title, "question": title}
        if about.due_at is None or about.left is not None:
            return _("%(question)s – %(table)s") % facts
        return _("%(question)s (by %(moment)s) – %(table)s") % {
            **facts,
            "moment": letters.short_moment(about.due_at),
        }

    def lead(self, about: Decision) -> str:
        """Returns the sentence before anything else; "" where the question says it all."""
        return ""

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """The question with everything one needs to answer it."""
        access = queries.Access(about.game, about.seat)
        view = queries.view_of(access)
        question = question_of(about, access, view)
        title = queries.say(about.game, question.title) if question else about.game.title
        deadline = letters.moment(about.due_at) if about.due_at else ""
        proposal = proposed(about, access, question, view)
        lead = self.lead(about)
        question_facts = asked(about, question, proposal)
        context = {
            "heading": title,
            "lead": lead,
            "deadline": deadline,
            "is_stopped": about.left is not None,
            "bank": game_letters.bank_in_words(about),
            "steward": game_letters.steward_in_words(about),
            "ending": _ending(about.game),
            **question_facts,
            "proposal": proposal,
            "is_played": proposal is not None and about.game.missed == Game.Missed.PROPOSAL,
            "help": word(Keyword.HELP),
            "reply_lines": example_lines(about, question, proposal, view),
            "following": following(about.seat),
            "unread": _unread(about),
            **news(access, view, about.kind, [lead, title, *_sentences(question_facts, proposal)]),
            **board(access, view),
        }
        preview = _("Please answer by %(deadline)s.") % {"deadline": deadline} if deadline else ""
        return Draft(self.subject(about, title), preview, context, headers=decision_links.reply_headers(about))

    def brief(self, notice: Notice, about: Decision) -> Brief:
        """The question, its deadline, what is proposed, and the link to answer."""
        access = queries.Access(about.game, about.seat)
        view = queries.view_of(access)
        question = question_of(about, access, view)
        title = queries.say(about.game, question.title) if question else about.game.title
        proposal = proposed(about, access, question, view)
        return Brief(
            self.subject(about, title),
            self.lead(about),
            decision_links.act_url(about),
            _("Make your move"),
            about.due_at,
            title,
            proposal.line if proposal else "",
            proposal.reason if proposal else "",
        )

    def push_text(self, notice: Notice, about: Decision) -> str:
        """Says that it is the reader's turn: the question itself may tell of his hand."""
        return _("It's your turn.")

    def picture(self, about: Decision, notice: Notice | None = None) -> DrawnBoard:
        """The board as the seat that is asked sees it; it moves in a mail of its own that is not late."""
        access = queries.Access(about.game, about.seat)
        is_moving = (
            notice is not None
            and notice.created_at > present.now() - SOON
            and not preferences.is_muted(notice.recipient, notice.thread, MOVES)
        )
        return board_picture(access, queries.view_of(access), is_moving=is_moving)


@dataclass(frozen=True)
class Following:
    """Another game that waits for the reader: its name, the deadline in words, and the link to answer."""

    title: str
    deadline: str
    url: str


def following(seat: Seat) -> list[Following]:
    """The other games that wait for a seat's player, the most urgent first."""
    rows = lists.waiting_elsewhere(seat.user, seat.game, MOST_FOLLOWING)
    return [
        Following(
            isolated(one_line(row.game.title, LONGEST_TITLE)) or "?",
            letters.moment(row.due_at) if row.due_at else "",
            decision_links.act_url(row),
        )
        for row in rows
    ]


def _ending(game: Game) -> str:
    wanted, people = game_moves.count_end_wishes(game)
    if not wanted:
        return ""
    sentence = _("%(wanted)s of %(people)s players want to end the game without a result; you can agree at the table.")
    return sentence % {"wanted": wanted, "people": people}


def question_of(decision: Decision, access: queries.Access, view: object) -> Question | None:
    """Finds the question of a decision as its seat sees it; None if it is no longer asked.

    Orders that may go beside an answer are left out: no mail lists them, and to find them is more work than the rest.
    """
    items = queries.open_questions(access, view if decision.kind in GATHERINGS else None)
    return next((item.question for item in items if item.decision and item.decision.pk == decision.pk), None)


class AskedFacts(TypedDict):
    """The template context of a question: its hint, its default, where to answer, and how."""

    act_url: str
    hint: str
    silence: str
    ways: Sequence[Way]


def _sentences(facts: AskedFacts, proposal: Proposed | None) -> list[str]:
    """Returns the sentences about a question, beside its title."""
    said = [facts["hint"], *(way.short for way in facts["ways"])]
    return [*said, proposal.line, proposal.reason] if proposal else said


def asked(decision: Decision, question: Question | None, proposal: Proposed | None = None) -> AskedFacts:
    """Returns what the template says of a question. Beside a proposal no hint is needed."""
    game, url = decision.game, decision_links.act_url(decision)
    if question is None:
        return {"act_url": url, "hint": "", "silence": "", "ways": []}
    return {
        "act_url": url,
        "hint": queries.say(game, question.hint) if question.hint and proposal is None else "",
        "silence": deadlines.say_missed(game, question, say_for(game)),
        "ways": ways(decision, question, url, proposal.action if proposal else None),
    }


class News(TypedDict):
    """The news since the seat last moved, in sentences, and how many are left out; where the game stands."""

    news: Sequence[str]
    news_left_out: int
    standings: Sequence[str]


def news(access: queries.Access, view: object, kind: str, beside: Sequence[str]) -> News:
    """Returns where the game stands and what has happened since this seat last moved, as long as there is room for it.

    Arguments:
        kind: of the decision: there is more room for the sheet of a round.
        beside: what else the letter says.
    """
    game, is_round = access.game, kind in GATHERINGS
    facts = game.rules.standings(view)
    standings = [queries.say(game, text) for text in (facts if is_round else facts[:1])]
    taken = sum(len(said.split()) for said in (*standings, *beside))
    room = (ROUND_WORDS if is_round else SINGLE_WORDS) - taken
    lines, left_out = history.recap_since_last_answer(access, max(room, FEWEST_WORDS))
    return {"news": lines, "news_left_out": left_out, "standings": standings}


def board(access: queries.Access, view: object) -> dict[str, object]:
    """Returns the board as text, and its lines with their indentation (0 .. 3), where they wrap on narrow screens."""
    text = queries.describe(access, view).strip()
    whole = unfolded(text.splitlines())
    lines = [(min((len(line) - len(line.lstrip())) // 2, 3), line.strip()) for line in whole]
    return {"board": text, "board_lines": lines}


@composes("due", gettext_lazy("Your move"), topic=TURNS)
class Due(AskingLetter):
    """Sent when a question opens. A missed deadline does not count unless it was delivered."""

    event = "decision.due"

    def mentions(self, game: Game, seats: Sequence[Seat]) -> tuple[str, ...]:
        """Returns the ids of those who gave theirs; where names are hidden it would name them."""
        ids = [] if game.hides_names else [seat.user.discord_id for seat in seats if seat.user is not None]
        return tuple(filter(None, ids))

    def lead(self, about: Decision) -> str:
        """Warns a player who has missed his last deadline what follows if he misses more; "" for others."""
        if not about.seat.misses:
            return ""
        left = max(0, about.game.absent_after - about.seat.misses)
        warning = ngettext(
            "If you miss %(number)d more in a row, the game goes on without waiting for you.",
            "If you miss %(number)d more in a row, the game goes on without waiting for you.",
            left,
        ) % {"number": left}
        return " ".join([_("You missed the last deadline, so your move was made for you."), warning])


@composes("reminder", gettext_lazy("Reminder of your move"), topic=REMINDERS)
class Reminder(AskingLetter):
    """Written once, when most of the time has gone. It names the deadline, never the time left: mail may be late."""

    event = "decision.reminder"

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Quiet hours or a mail server may delay it until after the deadline."""
        about = self.find(notice.subject)
        return DEADLINE_PASSED if about is not None and about.due_at is not None and about.due_at <= now else ""

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        return _("Reminder: your move in %(table)s – %(question)s") % {
            "table": about.game.spoken_title,
            "question": title,
        }

    def lead(self, about: Decision) -> str:
        """The first sentence."""
        if about.due_at is None:
            return super().lead(about)
        return _("The table %(table)s still waits for you.") % {"table": about.game.spoken_title}

    def push_text(self, notice: Notice, about: Decision) -> str:
        """Says that the table still waits."""
        return _("It's still your turn.")

    def in_short(self, about: Decision, names: str) -> str:
        """Names the players who are still to move."""
        return with_until(_("Still to move: %(names)s.") % {"names": names}, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)


@composes("excused", gettext_lazy("More time for your move"), topic=TURNS)
class Excused(AskingLetter):
    """Written when the one excused miss of a game is used up."""

    event = "decision.excused"

    def subject(self, about: Decision, title: str) -> str:
        """The subject line; `title` is the question's."""
        facts = {"table": about.game.spoken_title, "question": title}
        return _("You have more time in %(table)s – %(question)s") % facts

    def lead(self, about: Decision) -> str:
        """The first sentence."""
        return _("Your time ran out. The first miss is excused, so you get the full time again. The next one counts.")

    def in_short(self, about: Decision, names: str) -> str:
        """Names the players whose time starts again."""
        text = _("Time ran out and starts again: %(names)s.") % {"names": names}
        return with_until(text, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)


@composes("extended", gettext_lazy("Your deadline was moved"), topic=TURNS)
class Extended(DecisionLetter):
    """More time, and why, after an outage; `notice.data` holds the deadline it tells of."""

    template = "extended"
    event = "decision.extended"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when the question is answered, or its deadline has moved again."""
        if not about.is_open or about.due_at is None:
            return ANSWERED
        return (
            super().why_stale(notice, about)
            if notice.data.get("due_at") == about.due_at.isoformat()
            else DEADLINE_MOVED
        )

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """The new deadline and the public reason."""
        reason = about.extensions.order_by("-created_at", "-pk").values_list("reason", flat=True).first()
        access = queries.Access(about.game, about.seat)
        question = question_of(about, access, queries.view_of(access))
        context = {
            "heading": _("You have more time"),
            "question": queries.say(about.game, question.title) if question else "",
            "reason": str(Extension.Reason(reason).label) if reason else "",
            "deadline": letters.moment(about.due_at) if about.due_at else "",
            "act_url": (act_url := decision_links.act_url(about)),
        }
        subject = _("%(table)s: your deadline was moved") % {"table": about.game.spoken_title}
        preview = _("The new deadline is %(deadline)s.") % context
        return Draft(subject, preview, context, act_url, _("Make your move"), decision_links.reply_headers(about))

    def in_short(self, about: Decision, names: str) -> str:
        """Names the players whose deadline it is."""
        return with_until(_("The deadline was moved: %(names)s.") % {"names": names}, self.until(about))

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Nothing about a sealed question: nobody may know who has not answered yet."""
        return None if about.is_sealed else super().facts(about)


@composes("passed", gettext_lazy("Your move was made for you"), topic=TURNS)
class Passed(DecisionLetter):
    """Says what was done, and after how many more misses the seat becomes absent."""

    template = "passed"
    event = "decision.passed"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale if another email tells it: the one that asks next, or that says that he is absent or how it ended."""
        later = about.seat.decisions.filter(pk__gt=about.pk, opened_at__gte=notice.created_at, is_automatic=False)
        is_playing = about.game.status == Game.Status.RUNNING and about.seat.status == Seat.Status.ACTIVE
        return super().why_stale(notice, about) if is_playing and not later.exists() else TOLD_LATER

    def why_stale_for_all(self, notice: Notice, about: Decision) -> str:
        """Webhooks are told in any case."""
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """Says what was done, and what it means."""
        game, seat = about.game, about.seat
        context = {
            "heading": _("Your move was made for you"),
            "done": [line.text for line in history.lines_of_answer(about)],
            "silence": _default_text(game, notice.data.get("silence")),
            "proposed": lines_of_played(queries.Access(game, seat), about) if notice.data.get("is_proposal") else [],
            "misses_left": max(0, game.absent_after - seat.misses) if seat.status == Seat.Status.ACTIVE else 0,
        }
        subject = _("Your time ran out in %(table)s") % {"table": game.spoken_title}
        preview = _("The game goes on; your move was made for you.")
        return Draft(subject, preview, context, headers=decision_links.reply_headers(about))

    def in_short(self, about: Decision, names: str) -> str:
        """Names the players whose move was made."""
        return _("Time ran out, and the move was made: %(names)s.") % {"names": names}

    def facts(self, about: Decision) -> dict[str, Any] | None:
        """Nothing about a sealed question: nobody may know who did not answer it."""
        return None if about.is_sealed else super().facts(about)


def _default_text(game: Game, silence: dict[str, Any] | None) -> str:
    """Says what was done for the player, where nobody else may see it yet."""
    return queries.say(game, convert(silence, Text)) if silence else ""
