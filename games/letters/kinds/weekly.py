"""The weekly summary, for those who want it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.registry import newest
from games import links, page_urls
from games.archive import weekly
from games.archive.weekly import Rise, Week
from games.letters import phrases, reasons
from games.letters.base import EmailOnly
from games.letters.kinds.people import people_mail
from games.letters.phrases import unlinked
from games.page_urls import page_url
from games.people.models import User
from games.play import queries
from games.tables.lists import Listed
from games.tables.models import Game
from games.tables.names import isolated
from notifications.channels.mail.letter import one_line
from notifications.messages import MailMessage
from notifications.models import Notice

GOOD_FOR = timedelta(days=6)
LONGEST = 60


class Weekly(EmailOnly):
    """What waits for its reader, how the week's games ended, the ratings, and what his friends and clubs want."""

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Return why it is too late: the next one is near."""
        return reasons.WEEK_OVER if now > notice.created_at + GOOD_FOR else ""

    def is_current(self, notice: Notice) -> str:
        """Stale once there is nothing left to say."""
        user = _reader(notice)
        return reasons.NOTHING_NEW if user is None or weekly.week_of(user, notice.created_at).is_empty else ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail, in the reader's language and zone."""
        user = _reader(notice)
        if user is None:
            return None
        week = weekly.week_of(user, notice.created_at)
        context = {
            "waiting": [_waiting(one) for one in week.waiting],
            "finished": [_finished(one.game, one.place) for one in week.finished],
            "rises": _rises(week.rises),
            "requests": [(_safe(row.asker.name), links.friend_request_url(row)) for row in week.requests],
            "invitations": [
                (_safe(row.inviter.name), _safe(row.club.display_name), links.club_invitation_url(row))
                for row in week.invitations
            ],
            "tables": [_table(game) for game in week.tables],
            "games_url": page_url("my_games"),
        }
        return people_mail("weekly", notice, _subject(week), context)


def _reader(notice: Notice) -> User | None:
    ref = notice.subject.removeprefix("user:")
    return User.objects.filter(ref=ref, is_active=True).select_related("recipient").first()


def _subject(week: Week) -> str:
    count = len(week.waiting)
    if count:
        words = ngettext("Your week: %(count)s game waits for you", "Your week: %(count)s games wait for you", count)
        return words % {"count": count}
    return _("Your week")


def _waiting(one: Listed) -> dict[str, str]:
    """A game that waits: its name, the deadline, and the link to its most urgent question."""
    row = min(one.decisions, key=lambda row: (row.due_at is None, row.due_at))
    row.game, row.seat = one.game, one.seat
    return {
        "title": _safe(one.game.title),
        "due": phrases.moment(row.due_at) if row.due_at else "",
        "url": links.act_url(row),
    }


def _finished(game: Game, place: int) -> dict[str, object]:
    facts = {"title": _safe(game.title), "rules": queries.say(game, game.rules.title), "url": page_urls.game_url(game)}
    return {**facts, "place": place, "count": game.seat_count}


def _rises(rises: Sequence[Rise]) -> list[dict[str, object]]:
    titles = {rules.name: rules.say(rules.title, queries.current_language(), []) for rules in newest()}
    return [
        {"rules": titles[one.rules_name], "before": one.before, "after": one.after}
        for one in rises
        if one.rules_name in titles
    ]


def _table(game: Game) -> dict[str, str]:
    club = _safe(game.club.display_name) if game.club else ""
    return {"title": _safe(game.title), "club": club, "url": page_urls.game_url(game)}


def _safe(name: str) -> str:
    return isolated(unlinked(one_line(name, LONGEST))) or "?"
