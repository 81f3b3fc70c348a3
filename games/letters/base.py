"""Base class for emails and webhooks about a game: from a draft to the message.

Only `games.play.queries` and the rules' `view` and `redact` decide what a letter may say; a letter never looks at a
state.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _

from games import page_urls
from games.letters import reasons
from games.letters.frame import exit_of, frame, reading, render
from games.letters.pictures.board import DrawnBoard
from games.play import queries
from games.tables.models import Game
from games.tables.seats import Seat
from games.tournaments import tournaments
from notifications import ledger
from notifications.messages import UNTIL, Form, MailMessage, Picture, PushMessage, WebhookMessage
from notifications.models import Notice

T = TypeVar("T")  # what a letter is about


@dataclass(frozen=True)
class Draft:
    """The content of a letter, before rendering.

    Arguments:
        subject: what the list of mails shows: no secrets. The channel brings it onto one line.
        preview: what mail programs show beside the subject: no secrets either.
        context: what the letter's own templates use.
        url, link: the one thing to do, where the letter is told in a few words, and its name; "" for the table.
        headers: of the mail, beside the usual ones.
        pictures: that its templates show, beside the picture of the board.
    """

    subject: str
    preview: str
    context: Mapping[str, object] = field(default_factory=dict)
    url: str = ""
    link: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Brief:
    """A letter in a few words, as part of another email.

    Arguments:
        url, link: where it is answered or looked at, and what the link says.
        due_at: until when an answer is waited for, if one is.
    """

    heading: str
    text: str
    url: str
    link: str
    due_at: datetime | None = None


@dataclass(frozen=True)
class OwedAnswer:
    """A question that waits for the reader of a notification.

    Arguments:
        url: where it is answered without signing in.
        is_news: the notification is about something else, and says so as well.
    """

    url: str
    due_at: datetime | None
    is_news: bool


class EmailOnly(ABC):
    """A composer of a kind of notice that is told by email alone."""

    is_security = False

    @abstractmethod
    def mail(self, notice: Notice) -> MailMessage | None:
        """Composes the email in the reader's language and time zone, which are active; None if its object is gone."""

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | None:
        """Return the email, or None for another form."""
        if form != Form.LETTER:
            return None
        with reading(notice.recipient, language):
            return self.mail(notice)


class Letter(ABC, Generic[T]):
    """A composer of one kind of notice. `template` names its two templates, `event` the type of its webhook."""

    is_security = False
    template: str
    event: str = ""

    @abstractmethod
    def find(self, key: str) -> T | None:
        """Loads the object of a subject key, or None."""

    @abstractmethod
    def game_of(self, about: T) -> Game:
        """The game it belongs to."""

    @abstractmethod
    def why_stale(self, notice: Notice, about: T) -> str:
        """Returns why the letter should not be sent any more, or ""."""

    @abstractmethod
    def draft(self, notice: Notice, about: T) -> Draft:
        """Writes the letter in the reader's language and time zone, which are active."""

    def facts(self, about: T) -> dict[str, object] | None:
        """Returns the webhook's data beside the game and its seats: public facts only. None for no webhook."""
        return {}

    def seat_of(self, about: T) -> Seat | None:
        """Returns the seat it is about, if it is about one."""
        return None

    def in_short(self, about: T, names: str) -> str:
        """Returns the webhook's sentence for a chat: public facts only, with UNTIL in place of a time.

        Arguments:
            names: the players whose seats it is about, "" if it is about none.
        """
        return ""

    def until(self, about: T) -> datetime | None:
        """Returns the time that replaces UNTIL."""
        return None

    def is_current(self, notice: Notice) -> str:
        """Return why this notice is stale, or ""."""
        about = notice.about = self.find(notice.subject)
        return reasons.SUBJECT_GONE if about is None else self.why_stale(notice, about)

    def found(self, notice: Notice) -> T | None:
        """Returns the object of a notice: as `is_current` has loaded it, or loads it."""
        about: T | None = notice.about if notice.about is not None else self.find(notice.subject)
        notice.about = None
        return about

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage | None:
        """Return the message in this form, or None if there is none."""
        if form == Form.ANNOUNCEMENT:
            return self.compose_for_all([notice], language)
        about = self.found(notice)
        if about is None:
            return None
        with reading(notice.recipient, language):
            return self.mail(notice, about)

    def is_current_for_all(self, notice: Notice) -> str:
        """Returns by public facts why nobody needs the notice any more, or ""."""
        about = notice.about = self.find(notice.subject)
        return reasons.SUBJECT_GONE if about is None else self.why_stale_for_all(notice, about)

    def why_stale_for_all(self, notice: Notice, about: T) -> str:
        """Like `why_stale`, by public facts only; for most letters they are the same."""
        return self.why_stale(notice, about)

    def compose_for_all(self, notices: Sequence[Notice], language: str) -> WebhookMessage | None:
        """Return one webhook for notices of this kind about one game, written at one moment; None for none."""
        found = [about for notice in notices if (about := self.found(notice)) is not None]
        facts = self.facts(found[0]) if found else None
        if facts is None:
            return None
        game, seats = self.game_of(found[0]), [seat for about in found if (seat := self.seat_of(about)) is not None]
        seats = sorted({seat.pk: seat for seat in seats}.values(), key=lambda seat: seat.number)
        common: dict[str, object] = {
            "game": game.ref,
            "title": game.title,
            "rules": game.rules_name,
            "url": page_urls.game_url(game),
            "tournament": _tournament_ref(game),
        }
        if seats:
            common["seats"] = [seat_facts(seat) for seat in seats]
        with reading(notices[0].recipient, language):
            text = self.in_short(found[0], ", ".join(seat.spoken_name for seat in seats))
        return WebhookMessage(
            type=self.event,
            timestamp=notices[0].created_at,
            data={**common, **facts},
            title=game.title,
            text=text,
            url=page_urls.game_url(game),
            until=self.until(found[0]),
        )

    def brief(self, notice: Notice, about: T) -> Brief:
        """Writes the letter in a few words, in the reader's language and time zone, which are active."""
        draft = self.draft(notice, about)
        url, link = draft.url or page_urls.game_url(self.game_of(about)), draft.link or _("Look at the table")
        return Brief(draft.subject, draft.preview, url, link)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Returns the letter in a few words that anybody may read on a locked screen, or None if there is none.

        The table's name, what it is about, and until when: never a question, a comment or anything of a hand.
        """
        about = self.found(notice)
        if about is None:
            return None
        title, question = self.game_of(about).title, self.waits_for(about)
        with reading(notice.recipient, language):
            text = self.push_text(notice, about)
            if question is None:
                return PushMessage(title, text, self.push_url(about))
            if question.is_news:
                text = f"{text}. " + _("It's your turn.")
            # Translators: %(time)s is a length of time, such as "14 hours"
            left = _("Time left: %(time)s.") % {"time": UNTIL} if question.due_at else ""
            return PushMessage(title, text, question.url, question.due_at, left)

    def push_text(self, notice: Notice, about: T) -> str:
        """Returns the words of a notification on a screen; by itself what the ledger calls the kind."""
        return ledger.name_of(notice.kind)

    def push_url(self, about: T) -> str:
        """Returns what a tap on it opens; by itself the table's page, for who is signed in."""
        return page_urls.game_url(self.game_of(about))

    def waits_for(self, about: T) -> "OwedAnswer | None":
        """Returns the question that waits for its reader, if one does."""
        return None

    def picture(self, about: T) -> DrawnBoard:
        """Returns the picture of the board as the letter's seat sees it; {} for none."""
        return {}

    def mail(self, notice: Notice, about: T, also: Sequence[Brief] = ()) -> MailMessage:
        """Composes the email, with other news in short before its own content."""
        game, draft, out = self.game_of(about), self.draft(notice, about), exit_of(notice, self.game_of(about))
        picture = self.picture(about)
        context = {
            **frame(draft.subject, draft.preview),
            "title": game.spoken_title,
            "game_url": page_urls.game_url(game),
            "rules_url": page_urls.rules_url(game, queries.current_language()),
            "by_mail_url": page_urls.by_mail_url(queries.current_language()),
            "is_over": game.is_over,
            "stop_url": out.url,
            "is_stranger": out.is_stranger,
            "also": also,
            **draft.context,
            **picture,
        }
        return MailMessage(
            subject=draft.subject,
            text=render(f"games/letters/{self.template}.txt", context),
            html=render(f"games/letters/{self.template}.html", context),
            pictures=((picture["picture"],) if picture.get("picture") else ()) + draft.pictures,
            list_id=f"{game.ref}.games.{settings.MAIL_DOMAIN}",
            unsubscribe_url=out.url,
            has_one_click=out.has_one_click,
            headers=draft.headers,
        )


def _tournament_ref(game: Game) -> str | None:
    """The reference of the tournament that a game is played in; None for other games, and those that are not listed."""
    table = tournaments.table_of(game) if game.is_listed else None
    return table.round.tournament.ref if table else None


def seat_facts(seat: Seat) -> dict[str, object]:
    """Returns the public facts of a seat."""
    return {"seat": seat.number, "player": seat.display_name}


def with_until(text: str, until: datetime | None) -> str:
    """Fills in the time in a sentence for a chat, if there is one."""
    return f"{text} " + _("Until %(until)s.") % {"until": UNTIL} if until else text
