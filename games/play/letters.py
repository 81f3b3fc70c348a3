"""Letters about a running game and a seat in it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from engine.records.checking import origin_of
from games.links import page_url
from games.people import letters
from games.people.letters import (
    ANNOUNCEMENT,
    LETTER,
    ORDERS,
    TABLES,
    TALK,
    TURNS,
    EmailOnly,
    account_mail,
    moment,
    unlinked,
)
from games.people.names import isolated
from games.play import decision_links, game_letters, history, queries, replay, table_talk
from games.play.asking_letters import question_of
from games.play.automatic_answers import ABSENT_BOTS
from games.play.game_letters import GAME_OVER, Brief, Draft, SeatLetter, is_of, seat_facts, with_until
from games.play.keywords import Keyword, word
from games.play.models import Comment, Decision, Move
from games.tables import table_links, webhooks
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.channels.mail.letter import one_line
from notifications.clock import present
from notifications.composers import composes, events
from notifications.database.compiled_query import compiled_exists
from notifications.messages import Form, MailMessage, WebhookMessage
from notifications.models import Endpoint, Notice
from notifications.reasons import declare, in_words

ASKED_SINCE = declare("asked_since", gettext_noop("the player has been asked or has answered since"))
BOT_BACK = declare("bot_back", gettext_noop("the bot is playing again"))
TALK_READ = declare("talk_read", gettext_noop("it was read at the table"))
COMMENT_REMOVED = declare("comment_removed", gettext_noop("the comment was taken back"))
HOUR_CHANGED = declare("hour_changed", gettext_noop("the hour together was changed, or has begun"))
NOT_PAUSED = declare("not_paused", gettext_noop("the game is no longer paused"))
PAUSED_AGAIN = declare("paused_again", gettext_noop("the game has been paused again"))
PLAYER_BACK = declare("player_back", gettext_noop("the player is back"))
SEAT_RETURNED = declare("seat_returned", gettext_noop("the player has the seat back"))
TAKEN_BACK_AGAIN = declare("taken_back_again", gettext_noop("the game has been taken back again"))
WEBHOOK_GONE = declare("webhook_gone", gettext_noop("the webhook no longer exists"))
WEBHOOK_WORKS = declare("webhook_works", gettext_noop("the webhook works again or no longer exists"))


@composes("started", gettext_lazy("The game has begun"), topic=TABLES)
class Started(SeatLetter):
    """Tells who sits where, who begins, and the promise about the shuffle."""

    template = "started"
    event = "game.started"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over, which has an email of its own."""
        is_running = about.game.status == Game.Status.RUNNING
        return super().why_stale(notice, about) if is_running else GAME_OVER

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Seats in order, the first lines of the log, pace and options, the commitment."""
        game = about.game
        opening = [line.text for line in history.log_lines(queries.Access(game, None), until=1)]
        context = {
            "heading": _("The game has begun"),
            "rules": queries.say(game, game.rules.title),
            "seats": [(seat.display_name, seat.pk == about.pk) for seat in game.seated()],
            "opening": opening,
            "pace": game_letters.pace_in_words(game),
            "options": game_letters.options_in_words(game),
            "commitment": game.commitment,
            "occasion": game_letters.occasion_of(game),
            "welcome": _welcome(about),
            "learn_url": page_url("learn"),
            "zone": timezone.get_current_timezone_name().replace("_", " "),
        }
        return Draft(_("%(table)s has begun") % {"table": game.spoken_title}, " ".join(opening), context)

    def brief(self, notice: Notice, about: Seat) -> Brief:
        """For a new player what this is and the lesson; how it began the question tells, in whose email this stands."""
        brief, welcome = replace(super().brief(notice, about), text=""), _welcome(about)
        return (
            replace(brief, text=welcome, url=page_url("learn"), link=_("Learn it in five minutes"))
            if welcome
            else brief
        )

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def facts(self, about: Seat) -> dict[str, object] | None:
        """Tells who sits where."""
        return {"seats": [seat_facts(seat) for seat in about.game.seated()]}

    def in_short(self, about: Seat, names: str) -> str:
        """The players."""
        return _("The game has begun: %(names)s.") % {"names": ", ".join(about.game.spoken_names())}


def _welcome(seat: Seat) -> str:
    """Returns what a player is told who has not sat in a game before, else ""."""
    if seat.user_id is not None and _has_sat_before(seat.user_id, seat.game.created_at):
        return ""
    sentence = _("%(site_name)s is board games by email: we write when it's your turn, and one tap answers.")
    return sentence % {"site_name": settings.SITE_NAME}


@compiled_exists
def _has_sat_before(user: int, created_at: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(user_id=user, game__created_at__lt=created_at)


@composes("paused", gettext_lazy("The game is paused"), topic=TABLES)
class Paused(SeatLetter):
    """The clocks are stopped until the game is resumed."""

    template = "paused"
    event = "game.paused"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is resumed: that is reported by `Resumed`."""
        return super().why_stale(notice, about) if about.game.paused_at else NOT_PAUSED

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Tells who paused it, and until when at most."""
        game = about.game
        context = {
            "heading": _("The game is paused"),
            "by_moderator": game.paused_by == Game.PausedBy.MODERATOR,
            "latest": letters.moment(game.pause_ends_at) if game.pause_ends_at else "",
        }
        subject = _("%(table)s is paused") % {"table": game.spoken_title}
        return Draft(subject, _("All clocks are stopped."), context)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """Says that the game is paused."""
        return with_until(_("The game is paused; all clocks are stopped."), self.until(about))

    def until(self, about: Seat) -> datetime | None:
        """When it goes on by itself."""
        return about.game.pause_ends_at

    def facts(self, about: Seat) -> dict[str, object] | None:
        """Until when at most."""
        latest = about.game.pause_ends_at
        return {"paused_until": present.as_text(latest) if latest else None}


@composes("resumed", gettext_lazy("The game goes on"), topic=TABLES)
class Resumed(SeatLetter):
    """The clocks run again; for whoever is asked something, his new deadline."""

    template = "resumed"
    event = "game.resumed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over or paused again."""
        if about.game.status != Game.Status.RUNNING:
            return GAME_OVER
        return PAUSED_AGAIN if about.game.paused_at else super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Tells what the seat is asked, and until when."""
        game = about.game
        row = about.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).order_by("due_at").first()
        due = row.due_at if row is not None else queries.due_at(game)
        act_url = decision_links.act_url(row) if row is not None else ""
        context: dict[str, object] = {
            "heading": _("The game goes on"),
            "is_asked": row is not None,
            "question": _title(row, about) if row is not None else "",
            "deadline": letters.moment(due) if due else "",
            "act_url": act_url,
        }
        subject = _("%(table)s goes on") % {"table": game.spoken_title}
        url, link = (act_url, _("Make your move")) if row is not None else ("", "")
        return Draft(subject, _("The pause is over; the clocks run again."), context, url, link)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """Says that the game goes on."""
        return with_until(_("The pause is over; the clocks run again."), self.until(about))

    def until(self, about: Seat) -> datetime | None:
        """The next deadline."""
        return queries.due_at(about.game)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """The next deadline."""
        due = queries.due_at(about.game)
        return {"due_at": present.as_text(due) if due else None}


def _title(row: Decision, seat: Seat) -> str:
    """Returns the question in a few words."""
    access = queries.Access(seat.game, seat)
    question = question_of(row, access, queries.view_of(access))
    return queries.say(seat.game, question.title) if question else ""


@composes("hour", gettext_lazy("An hour together"), forms=LETTER, topic=TABLES)
class Hour(SeatLetter):
    """An hour together is proposed, begins soon, or does not take place."""

    template = "hour"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the hour it tells of has begun, or is no longer the one of the table."""
        game, is_off = about.game, bool(notice.data.get("is_off"))
        at = game.hour_at.isoformat() if game.hour_at and game.has_hour_ahead else None
        if at != (None if is_off else notice.data["at"]):
            return HOUR_CHANGED
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """When it begins for its reader, who has proposed it, and where to agree."""
        game, at = about.game, moment(datetime.fromisoformat(str(notice.data["at"])))
        context: dict[str, object] = {"heading": _("An hour together"), "at": at, "is_off": notice.data.get("is_off")}
        table = {"table": game.spoken_title, "at": at}
        if notice.data.get("is_off"):
            return Draft(_("%(table)s: no hour together") % table, "", context)
        if game.hour_state == Game.Hour.PROPOSED:
            proposer = next(seat.spoken_name for seat in game.seated() if seat.number == game.hour_seat)
            url = table_links.seat_url("agree_to_hour", about)
            context |= {"proposer": proposer, "hour_url": url}
            subject = _("%(table)s: play live together on %(at)s?") % table
            return Draft(subject, "", context, url, _("Agree or decline"))
        return Draft(_("%(table)s plays live together on %(at)s") % table, "", context)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: programs read it of the game."""
        return None


@composes("rolled_back", gettext_lazy("The game was rolled back"), topic=TURNS)
class RolledBack(SeatLetter):
    """For everybody at the table; what is asked now comes in a letter of its own."""

    template = "rolled_back"
    event = "game.rolled_back"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game was rolled back again."""
        is_last = notice.dedupe_key.split(":")[2:3] in ([], [str(about.game.branch)])
        return super().why_stale(notice, about) if is_last else TAKEN_BACK_AGAIN

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """To which step, why, and what that means."""
        game = about.game
        entry = game.moderation.filter(action=ModerationEntry.Action.ROLL_BACK).last()
        context = {
            "heading": _("The game goes on from an earlier step"),
            "step": _step(game),
            "reason": unlinked(entry.reason) if entry else "",
        }
        subject = _("%(table)s was rolled back to step %(step)s") % {"table": game.spoken_title, "step": _step(game)}
        return Draft(subject, _("A moderator has rolled the game back."), context)

    def seat_of(self, about: Seat) -> None:
        """None: it is about all seats."""

    def in_short(self, about: Seat, names: str) -> str:
        """To which step."""
        return _("A moderator has rolled the game back to step %(step)s.") % {"step": _step(about.game)}

    def facts(self, about: Seat) -> dict[str, object] | None:
        """To which step, and how often it has happened."""
        return {"step": _step(about.game), "branch": about.game.branch}


def _step(game: Game) -> int:
    moves = replay.roll_backs(game)
    return origin_of(moves[-1]).step if moves else 0


@composes("absent", gettext_lazy("You are marked as absent"), topic=TURNS)
class Absent(SeatLetter):
    """Written after several misses in a row. One click, and a confirmation, brings the player back."""

    template = "absent"
    event = "seat.absent"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player is back, or has resigned."""
        is_away = about.status == Seat.Status.ABSENT and about.game.status == Game.Status.RUNNING
        return super().why_stale(notice, about) if is_away else PLAYER_BACK

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Explains what this table does with an absent seat, and the way back."""
        game = about.game
        context = {
            "heading": _("The game goes on without you"),
            "meaning": _meaning(game),
            "back_url": (back_url := table_links.seat_url("back", about)),
        }
        subject = _("%(table)s no longer waits for you") % {"table": game.spoken_title}
        return Draft(subject, _("You can come back at any time."), context, back_url, _("I am back"))

    def in_short(self, about: Seat, names: str) -> str:
        """Names the absent player."""
        return _("The game no longer waits for %(names)s.") % {"names": names}


def _meaning(game: Game) -> str:
    if game.absent_seats == Game.AbsentSeats.TAKEOVER and not game.is_listed:
        return _("Until you're back, you pass at once. Anyone with the table's link may take over your seat meanwhile.")
    return {
        **dict.fromkeys(ABSENT_BOTS, _("Until you're back, a bot plays for you.")),
        Game.AbsentSeats.TAKEOVER: _("Until you're back, you pass at once. Others may take over your seat meanwhile."),
    }.get(Game.AbsentSeats(game.absent_seats), _("Until you're back, you pass at once."))


@composes("taken_over", gettext_lazy("Your seat was taken over"), topic=TABLES)
class TakenOver(SeatLetter):
    """For the former player of a seat."""

    template = "taken_over"
    event = "seat.taken_over"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when he has the seat again."""
        return SEAT_RETURNED if is_of(about, notice.recipient) else ""

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Names the new player; the links of earlier mails are void."""
        was_sought = notice.data.get("was_sought", False)
        context = {
            "heading": _("Your seat was taken over"),
            "successor": about.spoken_name,
            "was_sought": was_sought,
        }
        subject = _("Your seat in %(table)s was taken over") % {"table": about.game.spoken_title}
        preview = "" if was_sought else _("You were away, so somebody else plays on in your seat.")
        return Draft(subject, preview, context)

    def waits_for(self, about: Seat) -> None:
        """Nothing: the seat is somebody else's."""

    def in_short(self, about: Seat, names: str) -> str:
        """Names the new player."""
        return _("%(names)s takes over a seat that was given up.") % {"names": names}


@composes("bot_absent", gettext_lazy("Your bot isn't answering"), forms=LETTER)
class BotAbsent(EmailOnly):
    """Written when a table no longer waits for a bot account, at most once a day for each bot."""

    def is_current(self, notice: Notice) -> str:
        """Until it is back there, or the game is over."""
        seat = _find(notice)
        is_away = seat is not None and seat.status == Seat.Status.ABSENT and not seat.game.is_over
        return "" if is_away else BOT_BACK

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail: which bot, at which table, and how it comes back."""
        seat = _find(notice)
        if seat is None or seat.user is None:
            return None
        context: dict[str, object] = {
            "name": isolated(unlinked(seat.user.name)),
            "title": isolated(unlinked(seat.game.title)),
            "game_url": table_links.game_url(seat.game),
            "bot_url": page_url("bot", seat.user.ref),
        }
        return account_mail("bot_absent", context)


def _find(notice: Notice) -> Seat | None:
    """The seat, while its bot still is the reader's."""
    ref, _colon, number = notice.subject.partition(":")[2].rpartition(":")
    rows = Seat.objects.filter(game__ref=ref, owner__recipient=notice.recipient_id).select_related("game", "user")
    return rows.filter(number=int(number)).first() if number.isdecimal() else None


MOST_LINES = 12  # of what has happened


@composes("orders", gettext_lazy("What your orders did"), forms=LETTER, topic=ORDERS)
class OrdersDone(SeatLetter):
    """Orders have answered for the player, or ended. Only the player is notified."""

    template = "orders"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player is asked something, as that email has the news, or has answered since."""
        is_asked = about.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).exists()
        answers = about.game.moves.filter(seat=about.number, kind=Move.Kind.ANSWER, received_at__gt=notice.created_at)
        if is_asked or about.game.status != Game.Status.RUNNING or answers.exists():
            return ASKED_SINCE
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Tells what has happened since the player last moved, what his orders did among it."""
        lines = [line.text for line in history.since_last_answer(queries.Access(about.game, about))]
        context = {
            "heading": _("What your orders did"),
            "news": lines[-MOST_LINES:],
            "news_left_out": max(0, len(lines) - MOST_LINES),
            "reply": word(Keyword.ORDERS),
        }
        headers = decision_links.reply_headers(about.decisions.select_related("seat").order_by("-pk").first())
        context["can_reply"] = bool(headers)
        subject = _("%(table)s: what your orders did") % {"table": about.game.spoken_title}
        return Draft(subject, "", context, headers=headers)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: a webhook may have more readers than one."""
        return None


@composes("next", gettext_lazy("You are next"), forms=LETTER, topic=TABLES)
class Next(SeatLetter):
    """Written to who wants it when the seat before his is asked."""

    template = "next"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when he is asked already, or is not the next one any more."""
        game = about.game
        number = game.rules.next_seat(game.rules.view(game.load_state(), None)) if game.started_at else None
        return super().why_stale(notice, about) if number == about.number else ASKED_SINCE

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Says so, and leads to the table, where a move can be made in advance."""
        subject = _("%(table)s: you are next") % {"table": about.game.spoken_title}
        return Draft(subject, "", {"heading": _("You are next")})

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: a webhook may have more readers than one."""
        return None


PREVIEW_LENGTH = 100
MOST_QUOTED = 20  # of what was said; the table has the rest


@composes("talk", gettext_lazy("Table talk"), forms=LETTER, topic=TALK)
class Talk(SeatLetter):
    """Quotes as plain text what was said since the last such letter: nothing that a player types becomes a link.

    To who hears mentions alone, those; several that were folded are all in one.
    """

    template = "talk"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when all of it is hidden, or its authors blocked since, or it was read at the table."""
        said = _quoted_comments(notice, about)
        if not said:
            return COMMENT_REMOVED
        read_at = about.game.looks.filter(user=about.user).values_list("talk_read_at", flat=True).first()
        if read_at is not None and read_at >= said[-1].created_at:
            return TALK_READ
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """The words line by line, and the way to answer."""
        said = _quoted_comments(notice, about)
        talk_url = table_links.game_url(about.game) + "#talk-said"
        heading = _talk_heading(said, about)
        headers = _reply_headers(about)
        quotes = [
            (_speaker(comment) if len(said) > 1 else "", [letters.unlinked(line) for line in comment.text.splitlines()])
            for comment in said
        ]
        context = {"heading": heading, "quotes": quotes, "talk_url": talk_url, "can_reply": bool(headers)}
        subject = _("%(what)s in %(table)s") % {"what": heading, "table": about.game.title}
        preview = one_line(" ".join(line for _name, lines in quotes for line in lines), PREVIEW_LENGTH)
        return Draft(subject, preview, context, talk_url, _("Answer at the table"), headers)

    def push_text(self, notice: Notice, about: Seat) -> str:
        """Names the speaker, without the words."""
        return _talk_heading(_quoted_comments(notice, about), about)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """No webhook: it is for one person."""
        return None


def _reply_headers(seat: Seat) -> dict[str, str]:
    """A reply is said to the table; nobody can reply before his seat was asked something."""
    row = seat.decisions.select_related("seat").order_by("-pk").first()
    address = decision_links.talk_address(row) if row else ""
    return {"Reply-To": address} if address else {}


def _talk_heading(said: Sequence[Comment], seat: Seat) -> str:
    if len(said) != 1:
        return ngettext("%(n)d new message", "%(n)d new messages", len(said)) % {"n": len(said)}
    is_mention = seat in table_talk.mentioned(said[0].text, seat.game.seated())
    return (_("%(name)s mentioned you") if is_mention else _("%(name)s wrote")) % {"name": _speaker(said[0])}


def _speaker(comment: Comment) -> str:
    return isolated(letters.unlinked(one_line(comment.speaker, 40))) or "?"


def _quoted_comments(notice: Notice, seat: Seat) -> list[Comment]:
    """Returns what was said from its first message to its last, as the seat hears it, without those its player blocks.

    A notice is written with the first; those that are folded into it become its last.
    """
    last = seat.game.comments.filter(ref=notice.data.get("comment", "")).values("pk")
    rows = seat.game.comments.filter(created_at__gte=notice.created_at, pk__lte=last, hidden_at=None)
    return [
        comment
        for comment in rows.exclude(author=seat.user).select_related("author__owner").order_by("pk")
        if (seat.hears_all_talk or seat in table_talk.mentioned(comment.text, seat.game.seated()))
        and not table_talk.is_unheard(notice.recipient_id, comment)
    ][-MOST_QUOTED:]


# A webhook: its events, its test, that it fails, that it was switched off.

EVENTS = {
    "decision.due": gettext_lazy("Somebody has to move"),
    "decision.reminder": gettext_lazy("Somebody still has to move"),
    "decision.excused": gettext_lazy("Somebody's time ran out and starts again"),
    "decision.extended": gettext_lazy("A deadline was moved"),
    "decision.passed": gettext_lazy("Somebody's time ran out, and the move was made"),
    "seat.absent": gettext_lazy("The game no longer waits for a player"),
    "seat.taken_over": gettext_lazy("Somebody takes a seat over"),
    "game.started": gettext_lazy("A game begins"),
    "game.paused": gettext_lazy("A game is paused"),
    "game.resumed": gettext_lazy("A game goes on"),
    "game.rolled_back": gettext_lazy("A game is rolled back to an earlier step"),
    "table.closed": gettext_lazy("A table is closed"),
    "game.over": gettext_lazy("A game is over"),
}
"""The names of webhooks' events for people."""


def event_choices() -> list[tuple[str, object]]:
    """Lists the events of webhooks, with their names for people."""
    return [(event, EVENTS.get(event, event)) for event in events()]


@composes("ping", gettext_lazy("Test of your webhook"), forms=ANNOUNCEMENT)
class Ping:
    """A test that only a webhook gets."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Stale when the webhook is gone."""
        return "" if _webhook(notice) else WEBHOOK_GONE

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage | None:
        """The payload, which says nothing but that it came from here."""
        if form != Form.ANNOUNCEMENT:
            return None
        text = _("This is a test. News will look like this.")
        site = settings.SITE_URL
        return WebhookMessage("ping", notice.created_at, {"site": site}, title=settings.SITE_NAME, text=text, url=site)


@composes("webhook_failing", gettext_lazy("Your webhook isn't working"), forms=LETTER)
class Failing(EmailOnly):
    """Warns its owner, long before it is switched off."""

    is_security = False
    template = "webhook_failing"

    def is_current(self, notice: Notice) -> str:
        """Stale once it works again."""
        row = _webhook(notice)
        return "" if row is not None and self.is_true(row) else WEBHOOK_WORKS

    def is_true(self, endpoint: Endpoint) -> bool:
        """Whether what the letter says still holds."""
        return endpoint.is_enabled and endpoint.failing_since is not None

    def mail(self, notice: Notice) -> MailMessage | None:
        """Only its name and host stand in the mail: the rest of the address is a secret."""
        row = _webhook(notice)
        if row is None:
            return None
        kind, _ref, title = webhooks.source_of(row) or ("", "", "")
        context = {
            "name": row.name or row.host,
            "host": row.host,
            "table": isolated(title) if kind == "game" else "",
            "since": moment(row.failing_since) if row.failing_since else "",
            "reason": in_words(row.disabled_reason),
            "link": page_url("webhook_page", row.ref),
        }
        return account_mail(self.template, context)


@composes("webhook_off", gettext_lazy("Your webhook was switched off"), forms=LETTER)
class SwitchedOff(Failing):
    """Says which webhook was switched off and why, as long as it is off."""

    template = "webhook_off"

    def is_true(self, endpoint: Endpoint) -> bool:
        """Whether it is off."""
        return not endpoint.is_enabled


def _webhook(notice: Notice) -> Endpoint | None:
    pk = notice.subject.partition(":")[2]
    return Endpoint.objects.filter(pk=pk).first() if pk.isdecimal() else None
