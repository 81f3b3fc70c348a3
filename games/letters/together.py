"""Several letters for one person become one mail: the question with the other news before it, or a list of them all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import links, lists, queries
from games.letters import words
from games.letters.asking import AskingLetter
from games.letters.common import Brief, Letter, frame, reading, user_of
from games.letters.layout import render
from games.models import Game, User
from games.services.mailing import ALL_NEWS
from notifications.composers import MailMessage, composer_for, topic_of
from notifications.models import Notice

MOST_OTHERS = 12  # of a person's other games that are listed below


@dataclass(frozen=True)
class Item:
    """One of the letters, with what it is about."""

    notice: Notice
    letter: Letter[Any]
    about: Any

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self.letter.game_of(self.about)

    @property
    def is_asking(self) -> bool:
        """Whether it puts a question."""
        return isinstance(self.letter, AskingLetter)

    @property
    def brief(self) -> Brief:
        """It in a few words."""
        return self.letter.brief(self.notice, self.about)


def together(notices: Sequence[Notice], language: str) -> MailMessage:
    """One mail for all of them, which are for one person; see `notifications.composers.Merger`."""
    recipient = notices[0].recipient
    with reading(recipient, language):
        items = _items(notices)
        asking = [item for item in items if item.is_asking]
        if len(items) == 1 or len(asking) == 1:
            main = (asking or items)[0]
            return main.letter.mail(main.notice, main.about, [item.brief for item in items if item is not main])
        return _list(items, user_of(recipient))


def _items(notices: Sequence[Notice]) -> list[Item]:
    """What the notices are about; of several that ask the same only the last."""
    items: dict[str, Item] = {}
    for notice in notices:
        letter = composer_for(notice.kind)
        assert isinstance(letter, Letter), notice.kind
        about = letter.find(notice.subject)
        if about is not None:
            item = Item(notice, letter, about)
            items[notice.subject if item.is_asking else notice.ref] = item
    return list(items.values())


def _list(items: Sequence[Item], user: User | None) -> MailMessage:
    asking = sorted((item.brief for item in items if item.is_asking), key=_urgency)
    news = [item.brief for item in items if not item.is_asking]
    subject = _subject(asking, news)
    listed = [(brief, words.moment(brief.due_at) if brief.due_at else "") for brief in asking]
    one_thread = {item.notice.thread for item in items}
    context = {
        **frame(subject, listed[0][0].heading if listed else news[0].heading),
        "heading": subject,
        "asking": listed,
        "news": news,
        "others": list(_others(user, items)) if user else [],
        "games_url": settings.SITE_URL + reverse("my_games"),
        "stop_url": links.mails_url(user, ALL_NEWS) if user else "",
    }
    return MailMessage(
        subject=subject,
        text=render("games/letters/together.txt", context),
        html=render("games/letters/together.html", context),
        list_id=f"together.games.{settings.MAIL_DOMAIN}",
        unsubscribe_url=context["stop_url"],
        has_one_click=not any((topic := topic_of(item.notice.kind)) and topic.is_needed for item in items),
        thread=one_thread.pop() if len(one_thread) == 1 else "",
    )


def _urgency(brief: Brief) -> tuple[bool, float]:
    return (brief.due_at is None, brief.due_at.timestamp() if brief.due_at else 0.0)


def _subject(asking: Sequence[Brief], news: Sequence[Brief]) -> str:
    number = len(asking)
    if number:
        return ngettext("%(number)s table waits for you", "%(number)s tables wait for you", number) % {"number": number}
    return _("News of your tables: %(first)s") % {"first": news[0].heading}


def _others(user: User, items: Sequence[Item]) -> list[tuple[Game, str, str]]:
    """The person's other running games: whom each waits for, and where it is."""
    told = {item.game.pk for item in items}
    running = [
        listed.game
        for listed in lists.my_games(user)
        if listed.game.status == Game.Status.RUNNING and listed.game.pk not in told
    ]
    return [
        (game, ", ".join(seat.display_name for seat in queries.waited_for(game)), links.game_url(game))
        for game in running[:MOST_OTHERS]
    ]
