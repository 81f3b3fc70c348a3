"""Batches several letters for one person into one email: a question with other news before it, or a digest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.links import page_url
from games.people import letters, notification_preferences
from games.people.letters import frame, reading, render, user_of
from games.people.models import User
from games.people.notification_preferences import ALL_NEWS
from games.play import history, lists, queries
from games.play.asking_letters import AskingLetter
from games.play.game_letters import Brief, Letter
from games.play.pictures import DrawnBoard
from games.tables import table_links
from games.tables.models import Game
from notifications.composers import composer_for, register_merger, topic_of
from notifications.messages import MailMessage
from notifications.models import Notice

MOST_OTHERS = 12  # of a person's other games that are listed below
MOST_WORDS = 35  # of what has happened at a table that waits for him
FEW_LINES = 3  # at one that does not
MOST_PICTURES = 2  # of the tables that are most urgent: a mail is to stay small


@dataclass(frozen=True)
class Item:
    """A letter of the batch, with the object it is about."""

    notice: Notice
    letter: Letter[Any]
    about: Any

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self.letter.game_of(self.about)

    @property
    def is_asking(self) -> bool:
        """Whether it asks a question."""
        return isinstance(self.letter, AskingLetter)

    @property
    def brief(self) -> Brief:
        """The letter in a few words."""
        return self.letter.brief(self.notice, self.about)


@dataclass(frozen=True)
class DigestTable:
    """The section of the email about one table.

    Arguments:
        asking: the questions, each with its deadline in words, the most urgent first.
        told: other news.
        lines: log lines since the reader's last move, if a question is asked; `left_out` older ones are not shown.
        board: the picture of the board; {} for none.
    """

    game: Game
    url: str
    asking: Sequence[tuple[Brief, str]]
    told: Sequence[Brief]
    lines: Sequence[str] = ()
    left_out: int = 0
    board: DrawnBoard = field(default_factory=DrawnBoard)


@dataclass(frozen=True)
class Other:
    """A running game without news: whom it waits for, until when, and its latest events."""

    title: str
    url: str
    names: str
    deadline: str
    lines: Sequence[str]


def together(notices: Sequence[Notice], language: str) -> MailMessage:
    """Composes one email from notices to one person; see `notifications.composers.Merger`."""
    recipient = notices[0].recipient
    with reading(recipient, language):
        items = _items(notices)
        asking = [item for item in items if item.is_asking]
        if len(items) == 1 or len(asking) == 1:
            main = (asking or items)[0]
            return main.letter.mail(main.notice, main.about, [item.brief for item in items if item is not main])
        return _digest(items, user_of(recipient))


def _items(notices: Sequence[Notice]) -> list[Item]:
    """Loads what the notices are about; of several that ask the same question only the last is kept."""
    items: dict[str, Item] = {}
    for notice in notices:
        letter = composer_for(notice.kind)
        assert isinstance(letter, Letter), notice.kind
        about = letter.found(notice)
        if about is not None:
            item = Item(notice, letter, about)
            items[notice.subject if item.is_asking else notice.ref] = item
    return list(items.values())


def _digest(items: Sequence[Item], user: User | None) -> MailMessage:
    tables = _tables(items)
    subject, asking = _subject(tables), [table for table in tables if table.asking]
    one_thread = {item.notice.thread for item in items}
    stop_url = notification_preferences.mails_url(user, ALL_NEWS) if user else ""
    context = {
        **frame(subject, asking[0].asking[0][0].heading if asking else tables[0].told[0].heading),
        "heading": subject,
        "asked": asking,
        "told": [brief for table in tables if not table.asking for brief in table.told],
        "others": list(_others(user, items)) if user else [],
        "games_url": page_url("my_games"),
        "stop_url": stop_url,
    }
    return MailMessage(
        subject=subject,
        text=render("games/letters/together.txt", context),
        html=render("games/letters/together.html", context),
        pictures=tuple(dict.fromkeys(table.board["picture"] for table in asking if table.board)),
        list_id=f"together.games.{settings.MAIL_DOMAIN}",
        unsubscribe_url=stop_url,
        has_one_click=not any((topic := topic_of(item.notice.kind)) and topic.is_needed for item in items),
        thread=one_thread.pop() if len(one_thread) == 1 else "",
    )


def _tables(items: Sequence[Item]) -> list[DigestTable]:
    """Groups the items by table: first the tables that wait for the reader, by deadline."""
    by_game: dict[int, list[Item]] = {}
    for item in items:
        by_game.setdefault(item.game.pk, []).append(item)
    rows = sorted((sorted(group, key=_urgency) for group in by_game.values()), key=lambda group: _urgency(group[0]))
    return [_table(group, has_picture=place < MOST_PICTURES) for place, group in enumerate(rows)]


def _table(items: Sequence[Item], *, has_picture: bool) -> DigestTable:
    first, briefs = items[0], [item.brief for item in items if not item.is_asking]
    asking = [(brief, letters.moment(brief.due_at) if brief.due_at else "") for brief in _questions(items)]
    url = table_links.game_url(first.game)
    if not asking:
        return DigestTable(first.game, url, asking, briefs)
    recap, left_out = history.recap_since_last_answer(queries.Access(first.game, first.about.seat), MOST_WORDS)
    lines = [line for line in recap if not any(line in brief.text for brief in briefs)]
    board = first.letter.picture(first.about) if has_picture else {}
    return DigestTable(first.game, url, asking, briefs, lines, left_out, board)


def _questions(items: Sequence[Item]) -> Iterator[Brief]:
    return (item.brief for item in items if item.is_asking)


def _urgency(item: Item) -> tuple[bool, float]:
    """Sort key: tables with a question first, by deadline."""
    due = item.about.due_at if item.is_asking else None
    return (not item.is_asking, due.timestamp() if due else float("inf"))


def _subject(tables: Sequence[DigestTable]) -> str:
    titles = [table.game.spoken_title for table in tables if table.asking]
    if titles:
        facts = {"number": len(titles), "tables": ", ".join(titles)}
        return (
            ngettext(
                "%(number)s table waits for you: %(tables)s", "%(number)s tables wait for you: %(tables)s", len(titles)
            )
            % facts
        )
    return _("News of your tables: %(first)s") % {"first": tables[0].told[0].heading}


def _others(user: User, items: Sequence[Item]) -> Iterator[Other]:
    """The person's other running games, without lessons."""
    games = {item.game.pk for item in items}
    running = [
        listed
        for listed in lists.my_games(user)
        if listed.game.status == Game.Status.RUNNING and not listed.game.is_practice and listed.game.pk not in games
    ]
    for listed in running[:MOST_OTHERS]:
        game, (seats, due) = listed.game, queries.waiting(listed.game, listed.seat, listed.asked)
        yield Other(
            title=game.spoken_title,
            url=table_links.game_url(game),
            names=", ".join(
                pgettext("waits for", "you") if seat == listed.seat else seat.spoken_name for seat in seats
            ),
            deadline=letters.moment(due) if due else "",
            lines=[line.text for line in history.recent_lines(queries.Access(game, listed.seat), FEW_LINES)],
        )


register_merger(together)
