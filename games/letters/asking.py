"""Base class for emails that ask for a decision: the question, the board, recent events, the link to answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.utils.translation import gettext as _

from engine.core import Question
from engine.core.language import unfolded
from engine.orders.answers import GATHERINGS
from games import links
from games.inbox.keywords import Keyword, word
from games.letters import phrases, reasons
from games.letters.base import Brief, Draft, with_until
from games.letters.pictures.board import DrawnBoard, board_picture
from games.letters.replies import Proposed, example_lines, proposed
from games.letters.subjects import DecisionLetter
from games.letters.ways import Way, ways
from games.play import deadline_rule, deadlines, endings, history, queries
from games.play.models import Decision
from games.play.order_forms import say_for
from games.tables import lists
from games.tables.models import Game
from games.tables.names import isolated
from games.tables.seats import Seat
from notifications.channels.mail.letter import one_line
from notifications.models import Notice

ROUND_WORDS = 174  # of the question, what has happened and what is proposed, in a letter that asks for a whole round
SINGLE_WORDS = 66  # in one that asks a single question
FEWEST_WORDS = 12  # of what has happened, however long the rest is; the page has all of it
MOST_FOLLOWING = 3  # other games that wait for the reader, below the one that the letter is about
LONGEST_TITLE = 60


class AskingLetter(DecisionLetter):
    """An email that asks for a decision. Kinds differ in their subject and first sentences."""

    template = "asking"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when the question is closed, or the seat has another player."""
        if not about.is_open or about.game.status != Game.Status.RUNNING:
            return reasons.ANSWERED
        return reasons.SEAT_NOT_AWAITED if about.is_automatic else super().why_stale(notice, about)

    def why_stale_for_all(self, notice: Notice, about: Decision) -> str:
        """For a sealed question only when all have answered: nobody may know who has."""
        if not about.is_sealed:
            return self.why_stale(notice, about)
        is_open = queries.is_open_for_all(about) and about.game.status == Game.Status.RUNNING
        return "" if is_open else reasons.ANSWERED

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
        proposal = proposed(about, access, question, view)
        lead = self.lead(about)
        question_facts = asked(about, question, proposal)
        context = {
            "heading": title,
            "lead": lead,
            "deadline": deadline,
            "is_stopped": about.left is not None,
            "bank": phrases.bank_in_words(about),
            "steward": phrases.steward_in_words(about),
            "ending": _ending(about.game),
            **question_facts,
            "proposal": proposal,
            "is_played": proposal is not None and about.game.missed == Game.Missed.PROPOSAL,
            "help": word(Keyword.HELP),
            "reply_lines": example_lines(about, question, proposal, view),
            "following": following(about.seat),
            **news(access, view, about.kind, [lead, title, *_sentences(question_facts, proposal)]),
            **board(access, view),
        }
        preview = _("Please answer by %(deadline)s.") % {"deadline": deadline} if deadline else ""
        return Draft(self.subject(about, title), preview, context, headers=links.reply_headers(about))

    def brief(self, notice: Notice, about: Decision) -> Brief:
        """The question, its deadline, and the link to answer."""
        access = queries.Access(about.game, about.seat)
        question = question_of(about, access, queries.view_of(access))
        title = queries.say(about.game, question.title) if question else about.game.title
        return Brief(
            self.subject(about, title), self.lead(about), links.act_url(about), _("Make your move"), about.due_at
        )

    def push_text(self, notice: Notice, about: Decision) -> str:
        """That it is the reader's turn: what is asked may tell of his hand."""
        return _("It's your turn.")

    def picture(self, about: Decision) -> DrawnBoard:
        """The board as the seat that is asked sees it."""
        access = queries.Access(about.game, about.seat)
        return board_picture(access, queries.view_of(access))


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
            phrases.moment(row.due_at) if row.due_at else "",
            links.act_url(row),
        )
        for row in rows
    ]


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


class AskedFacts(TypedDict):
    """What the template of a letter says of a question: its hint, its default, where to answer, and how."""

    act_url: str
    hint: str
    silence: str
    ways: Sequence[Way]


def _sentences(facts: AskedFacts, proposal: Proposed | None) -> list[str]:
    """What is said of a question, beside its title."""
    said = [facts["hint"], *(way.short for way in facts["ways"])]
    return [*said, proposal.line, proposal.reason] if proposal else said


def asked(decision: Decision, question: Question | None, proposal: Proposed | None = None) -> AskedFacts:
    """Returns what the template says of a question. Beside a proposal no hint is needed."""
    game, url = decision.game, links.act_url(decision)
    if question is None:
        return {"act_url": url, "hint": "", "silence": "", "ways": []}
    return {
        "act_url": url,
        "hint": queries.say(game, question.hint) if question.hint and proposal is None else "",
        "silence": deadlines.say_missed(game, question, say_for(game)),
        "ways": ways(decision, question, url, proposal.action if proposal else None),
    }


class News(TypedDict):
    """What has happened since the seat last moved, in sentences, and how many are left out; where the game stands."""

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
    told, left_out = history.recap_since_last_answer(access, max(room, FEWEST_WORDS))
    return {"news": told, "news_left_out": left_out, "standings": standings}


def board(access: queries.Access, view: object) -> dict[str, object]:
    """Returns the board as text, and its lines with their indentation (0 .. 3), where they wrap on narrow screens."""
    text = queries.describe(access, view).strip()
    whole = unfolded(text.splitlines())
    lines = [(min((len(line) - len(line.lstrip())) // 2, 3), line.strip()) for line in whole]
    return {"board": text, "board_lines": lines}
