"""The answer to an email from a player."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.inbox import order_lines
from games.links import page_url
from games.people.letters import LETTER
from games.play import decision_links, keywords, order_grammar, queries
from games.play.asking_letters import ANSWERED, board, following, question_of, reply_lines
from games.play.game_letters import DecisionLetter, Draft
from games.play.keywords import Keyword
from games.play.models import Decision
from games.play.standing_orders import can_give, order_book
from notifications.channels.mail.letter import thread_root
from notifications.composers import composes
from notifications.models import Inbound, Notice


@composes("heard", gettext_lazy("Our answer to your reply"), forms=LETTER)
class Heard(DecisionLetter):
    """Says what was understood and done, asks for a confirmation, or says how to put it."""

    template = "heard"

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale when an answer that waits for a confirmation is no longer held."""
        inbound = _inbound(notice)
        is_waiting = inbound is not None and (inbound.state == Inbound.State.HELD) == _asks(notice)
        return super().why_stale(notice, about) if is_waiting else ANSWERED

    def facts(self, about: Decision) -> dict[str, object] | None:
        """No webhook: it is for one person."""
        return None

    def draft(self, notice: Notice, about: Decision) -> Draft:
        """The answer, and what can be answered now."""
        inbound = _inbound(notice)
        assert inbound is not None
        access = queries.Access(about.game, about.seat)
        view = queries.view_of(access)
        question = question_of(about, access, view)
        is_done = inbound.state == Inbound.State.DONE and keywords.find_command(inbound.line) is None
        is_pause = bool(notice.data.get("is_pause"))
        subject = (
            _pause_subject(about) if is_pause else self.subject(about, inbound, is_done=is_done, is_held=_asks(notice))
        )
        context: dict[str, object] = {
            "heading": subject,
            "line": inbound.line,
            "said": _pause_words(is_held=_asks(notice)) if is_pause else inbound.answer.splitlines(),
            "confirm_url": decision_links.confirm_url(inbound, about.seat) if _asks(notice) else "",
            "act_url": decision_links.act_url(about) if question else "",
            "following": following(about.seat),
            "reply_heading": _("What you can answer now"),
            "reply_lines": reply_lines(about, question, view) if question and not is_done else [],
        }
        if keywords.find_command(inbound.line) == Keyword.STATUS:
            context |= board(access, view)
        if _is_about_orders(inbound) and can_give(access):
            context |= _orders(access, is_done=is_done)
        return Draft(
            subject, "", context, headers={**_answering(inbound, about), **decision_links.reply_headers(about)}
        )

    def subject(self, about: Decision, inbound: Inbound, *, is_done: bool, is_held: bool) -> str:
        """The subject line."""
        facts = {"table": about.game.spoken_title}
        if is_held:
            return _("Please confirm your answer in %(table)s") % facts
        if _is_about_orders(inbound):
            return _("Your orders in %(table)s") % facts
        is_move = is_done and not keywords.parse_table_talk(inbound.line)
        return _("Your answer in %(table)s counts") % facts if is_move else _("About your answer in %(table)s") % facts


def _inbound(notice: Notice) -> Inbound | None:
    return Inbound.objects.filter(ref=notice.data.get("inbound", "")).first()


def _pause_subject(about: Decision) -> str:
    return _("No more replies to your emails today (%(table)s)") % {"table": about.game.spoken_title}


def _pause_words(*, is_held: bool) -> list[str]:
    """Explains that no more replies come today, why, and where a held answer can be confirmed."""
    games_url = page_url("my_games")
    words = [
        _("We couldn't act on several of your emails today, so we won't answer more like them until tomorrow."),
        _("This keeps two programs from answering each other forever. We still read your emails."),
        _("Replies that only need your confirmation are kept here: %(url)s") % {"url": games_url},
    ]
    if is_held:
        return [*words, _("This one doesn't count yet. If it's yours, please confirm it:")]
    return [*words, _("This one changed nothing.")]


def _answering(inbound: Inbound, about: Decision) -> dict[str, str]:
    """Returns the headers of a reply: to the mail (RFC 5322, 3.6.4), in the game's thread, by a program (RFC 3834)."""
    headers = {"Auto-Submitted": "auto-replied"}
    if inbound.message_id:
        headers["In-Reply-To"] = inbound.message_id
        headers["References"] = f"{thread_root(about.game.thread)} {inbound.message_id}"
    return headers


def _is_about_orders(inbound: Inbound) -> bool:
    return keywords.find_command(inbound.line) == Keyword.ORDERS or order_lines.find(inbound.line) is not None


def _orders(access: queries.Access, *, is_done: bool) -> dict[str, object]:
    """Returns the orders with what they would do now; and, unless one has just been given, how to give one."""
    book = order_book(access)
    found: dict[str, object] = {"orders": order_grammar.listed(book), "has_orders": True}
    if is_done:
        return found
    grammar = order_lines.grammar_of(access)
    lines = [*order_grammar.changes(book), *order_grammar.examples(grammar)]
    return found | {
        "order_lines": lines,
        "order_facts": order_grammar.facts(grammar),
        "order_settings": order_grammar.settings(),
    }


def _asks(notice: Notice) -> bool:
    return bool(notice.data.get("asks"))
