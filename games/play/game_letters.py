"""Base classes of the letters about a game: from a notice to an email, a webhook, a notification on a screen."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import links as page_urls
from games.people import speech
from games.people.letters import SUBJECT_GONE, exit_of, frame, moment, reading, render, short_moment
from games.play import decision_links, lists, queries
from games.play.models import Decision
from games.play.pictures import DrawnBoard
from games.tables import pace, table_links
from games.tables.models import Game
from games.tables.seats import Invitation, Seat
from notifications import composers
from notifications.channels.mail.letter import one_line
from notifications.clock import present
from notifications.database.compiled_query import compiled
from notifications.messages import UNTIL, Form, MailMessage, Picture, PushMessage, WebhookMessage
from notifications.models import Notice, Recipient
from notifications.reasons import declare

GAME_OVER = declare("game_over", gettext_noop("the game is over"))
SEAT_CHANGED_HANDS = declare("seat_changed_hands", gettext_noop("somebody else has the seat now"))

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
        question: what is asked, in a few words.
        proposal, reason: the answer that the rules propose, which `url` plays with "?do=proposal", and why.
    """

    heading: str
    text: str
    url: str
    link: str
    due_at: datetime | None = None
    question: str = ""
    proposal: str = ""
    reason: str = ""


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
        return SUBJECT_GONE if about is None else self.why_stale(notice, about)

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
        return SUBJECT_GONE if about is None else self.why_stale_for_all(notice, about)

    def why_stale_for_all(self, notice: Notice, about: T) -> str:
        """Like `why_stale`, by public facts only; for most letters they are the same."""
        return self.why_stale(notice, about)

    def compose_for_all(self, notices: Sequence[Notice], language: str) -> WebhookMessage | None:
        """Return one webhook for notices of this kind about one game, written at one moment; None for none."""
        subjects = [about for notice in notices if (about := self.found(notice)) is not None]
        facts = self.facts(subjects[0]) if subjects else None
        if facts is None:
            return None
        game, seats = (
            self.game_of(subjects[0]),
            [seat for about in subjects if (seat := self.seat_of(about)) is not None],
        )
        seats = sorted({seat.pk: seat for seat in seats}.values(), key=lambda seat: seat.number)
        common: dict[str, object] = {
            "game_ref": game.ref,
            "title": game.title,
            "rules": game.rules_name,
            "url": table_links.game_url(game),
            "tournament_ref": occasion.ref if (occasion := occasion_of(game) if game.is_listed else None) else None,
        }
        if seats:
            common["seats"] = [seat_facts(seat) for seat in seats]
        with reading(notices[0].recipient, language):
            text = self.in_short(subjects[0], ", ".join(seat.spoken_name for seat in seats))
        return WebhookMessage(
            type=self.event,
            timestamp=notices[0].created_at,
            data={**common, **facts},
            title=game.title,
            text=text,
            url=table_links.game_url(game),
            until=self.until(subjects[0]),
            mentions=self.mentions(game, seats),
        )

    def mentions(self, game: Game, seats: Sequence[Seat]) -> tuple[str, ...]:
        """Returns the ids of players whom a chat mentions: of nobody, but for what asks for a move."""
        return ()

    def brief(self, notice: Notice, about: T) -> Brief:
        """Writes the letter in a few words, in the reader's language and time zone, which are active."""
        draft = self.draft(notice, about)
        url, link = draft.url or table_links.game_url(self.game_of(about)), draft.link or _("Look at the table")
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
            ref, waiting = self.game_of(about).ref, len(lists.waiting_tables(notice.recipient.user))
            return PushMessage(title, text, question.url, question.due_at, left, asks=ref, waiting=waiting)

    def push_text(self, notice: Notice, about: T) -> str:
        """Returns the words of a notification on a screen; by itself what the ledger calls the kind."""
        return composers.name_of(notice.kind)

    def push_url(self, about: T) -> str:
        """Returns what a tap on it opens; by itself the table's page, for who is signed in."""
        return table_links.game_url(self.game_of(about))

    def waits_for(self, about: T) -> "OwedAnswer | None":
        """Returns the question that waits for its reader, if one does."""
        return None

    def picture(self, about: T, notice: Notice | None = None) -> DrawnBoard:
        """Returns the picture of the board as the letter's seat sees it; {} for none.

        Arguments:
            notice: of the mail that is about nothing else; None for one of several in a mail.
        """
        return {}

    def mail(self, notice: Notice, about: T, also: Sequence[Brief] = ()) -> MailMessage:
        """Composes the email, with other news in short before its own content."""
        game, draft, out = self.game_of(about), self.draft(notice, about), exit_of(notice, self.game_of(about).ref)
        picture, briefs = self.picture(about, notice), " ".join(item.text for item in also)
        news = draft.context.get("news")
        context = {
            **frame(draft.subject, draft.preview),
            "title": game.spoken_title,
            "game_url": table_links.game_url(game),
            "rules_url": table_links.rules_url(game, speech.current_language()),
            "by_mail_url": page_urls.by_mail_url(speech.current_language()),
            "is_over": game.is_over,
            "stop_url": out.url,
            "is_stranger": out.is_stranger,
            "also": also,
            **draft.context,
            **({"news": [line for line in news if line not in briefs]} if also and isinstance(news, list) else {}),
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


@dataclass(frozen=True)
class Occasion:
    """A tournament or the like that a game is part of: a sentence about it, in the active language, and its page."""

    ref: str
    text: str
    url: str


occasions: list[Callable[[Game], Occasion | None]] = []
"""Rooms above this one say here of which occasion a game is part."""


def occasion_of(game: Game) -> Occasion | None:
    """Returns of which occasion a game is part, or None."""
    return next((owed for occasion in occasions if (owed := occasion(game))), None)


def seat_facts(seat: Seat) -> dict[str, object]:
    """Returns the public facts of a seat."""
    return {"seat": seat.number, "name": seat.display_name}


def with_until(text: str, until: datetime | None) -> str:
    """Fills in the time in a sentence for a chat, if there is one."""
    return f"{text} " + _("Until %(until)s.") % {"until": UNTIL} if until else text


# Base classes for letters by their object, which they load by the subject key of a notice.


@compiled("game", "game__host")
def _decisions(ref: str) -> QuerySet[Decision]:
    return Decision.objects.filter(ref=ref)


@compiled("host")
def _games(ref: str) -> QuerySet[Game]:
    return Game.objects.filter(ref=ref)


@compiled("user", "user__recipient")
def _seats(game: int) -> QuerySet[Seat]:
    return Seat.objects.filter(game_id=game).order_by("number")


class DecisionLetter(Letter[Decision]):
    """A letter about a question that was put to a seat."""

    def find(self, key: str) -> Decision | None:
        """The decision of a key such as "decision:k3v9pq2mzt7a"."""
        for row in _decisions(_rest(key)):
            row.seat = seats_of(row.game)[row.seat_id]
            return row
        return None

    def game_of(self, about: Decision) -> Game:
        """The decision's game."""
        return about.game

    def why_stale(self, notice: Notice, about: Decision) -> str:
        """Stale if the seat has another player now."""
        return "" if is_of(about.seat, notice.recipient) else SEAT_CHANGED_HANDS

    def facts(self, about: Decision) -> dict[str, object] | None:
        """Returns the question and its deadline. Reminders override it: of a sealed one they tell who is missing."""
        due = self.until(about)
        return {"decision": about.code, "kind": about.kind, "due_at": present.as_text(due) if due else None}

    def seat_of(self, about: Decision) -> Seat:
        """The seat that is asked."""
        return about.seat

    def waits_for(self, about: Decision) -> OwedAnswer | None:
        """The question itself; once it is closed, what its seat is asked now."""
        if about.is_open and not about.is_automatic:
            return _waiting(about, is_news=False)
        return _waits_for(about.seat)

    def until(self, about: Decision) -> datetime | None:
        """The public deadline."""
        return queries.public_due_at(about)


class SeatLetter(Letter[Seat]):
    """A letter about a seat in a game."""

    def find(self, key: str) -> Seat | None:
        """The seat of a key such as "seat:k3v9pq2mzt7a:2"."""
        ref, _colon, number = _rest(key).rpartition(":")
        seats = [seat for game in _games(ref) for seat in seats_of(game).values()]
        return next((seat for seat in seats if str(seat.number) == number), None)

    def game_of(self, about: Seat) -> Game:
        """The seat's game."""
        return about.game

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale if the seat has another player now."""
        return "" if is_of(about, notice.recipient) else SEAT_CHANGED_HANDS

    def seat_of(self, about: Seat) -> Seat | None:
        """The seat itself."""
        return about

    def waits_for(self, about: Seat) -> OwedAnswer | None:
        """Returns the seat's open question: the notification takes the place of the one that asked it."""
        return _waits_for(about)


class PlayerLetter(SeatLetter):
    """A letter about a person's seat, whatever its number: before the game seats move up when somebody leaves."""

    def find(self, key: str) -> Seat | None:
        """The seat of a key such as "player:k3v9pq2mzt7a:6hq2w8rt5c4x", of a game and of a person."""
        ref, _colon, person = _rest(key).rpartition(":")
        seats = [seat for game in _games(ref) for seat in seats_of(game).values()]
        return next((seat for seat in seats if seat.user is not None and seat.user.ref == person), None)


class GameLetter(Letter[Game]):
    """A letter about a table."""

    def find(self, key: str) -> Game | None:
        """The game of a key such as "game:k3v9pq2mzt7a"."""
        game = next(iter(_games(_rest(key))), None)
        if game is not None:
            seats_of(game)
        return game

    def game_of(self, about: Game) -> Game:
        """The game itself."""
        return about


class InvitationLetter(Letter[Invitation]):
    """A letter about an invitation."""

    def find(self, key: str) -> Invitation | None:
        """The invitation of a key such as "invitation:k3v9pq2mzt7a"."""
        row = Invitation.objects.filter(ref=_rest(key)).select_related("game__host", "inviter", "seat").first()
        if row is not None:
            seats_of(row.game)
        return row

    def game_of(self, about: Invitation) -> Game:
        """The game it invites to."""
        return about.game


def _waits_for(seat: Seat) -> OwedAnswer | None:
    """Returns the most urgent question of a seat."""
    if seat.status != Seat.Status.ACTIVE or seat.game.status != Game.Status.RUNNING:
        return None
    decision = seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).order_by("due_at", "pk").first()
    if decision is None:
        return None
    decision.game, decision.seat = seat.game, seat
    return _waiting(decision, is_news=True)


def _waiting(decision: Decision, *, is_news: bool) -> OwedAnswer:
    due_at = decision.due_at if decision.left is None else None
    return OwedAnswer(decision_links.act_url(decision), due_at, is_news)


def _rest(key: str) -> str:
    return key.partition(":")[2]


def seats_of(game: Game) -> dict[int, Seat]:
    """Loads the game's seats by primary key; `game.seated()` returns the same objects afterwards.

    Names and title are brought onto one line without control and direction signs, in memory only: a letter's lines
    are its own, whatever somebody managed to store.
    """
    game.know_seats(_seats(game.pk))
    for seat in game.seated():
        seat.name = one_line(seat.name, 40) or ("?" if seat.name else "")
    game.title = one_line(game.title, 60) or "?"
    return {seat.pk: seat for seat in game.seated()}


def is_of(seat: Seat, recipient: Recipient) -> bool:
    """Whether this is the recipient's own seat."""
    return seat.user is not None and seat.user.recipient_id == recipient.pk


# Paces, options and clocks in words of the active language.


def pace_in_words(game: Game) -> str:
    """Describes how long everybody has for each decision."""
    return str(dict(pace.paces()).get(game.pace, game.pace))


def options_in_words(game: Game) -> list[str]:
    """Lists as "label: value" the options that the host has chosen otherwise than they are by themselves."""
    lines = []
    for option in game.rules.options:
        chosen = game.options.get(option.name, option.default)
        label = next((label for value, label in option.values if value == chosen), None)
        if label is not None and chosen != option.default:
            lines.append(f"{queries.say(game, option.label)}: {queries.say(game, label)}")
    return lines


def bank_in_words(decision: Decision) -> str:
    """Says from when on a decision uses the seat's time bank; "" if it has none."""
    if not decision.is_on_bank or not decision.seat.bank or decision.allowed_until is None:
        return ""
    return _("Your time bank runs from %(moment)s on.") % {"moment": moment(decision.allowed_until)}


def steward_in_words(decision: Decision) -> str:
    """Says when the player's steward acts; "" if it does not."""
    if decision.steward_at is None:
        return ""
    sentence = _("If you do nothing, the proposal is played around %(moment)s, once everyone else has answered.")
    return sentence % {"moment": short_moment(decision.steward_at)}
