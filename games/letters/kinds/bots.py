"""A bot of yours does not answer: sent to its owner."""

from games import page_urls
from games.letters import reasons
from games.letters.base import EmailOnly
from games.letters.kinds.account import account_mail
from games.letters.phrases import unlinked
from games.page_urls import page_url
from games.tables.names import isolated
from games.tables.seats import Seat
from notifications.messages import MailMessage
from notifications.models import Notice


class BotAbsent(EmailOnly):
    """Written when a table no longer waits for a bot account, at most once a day for each bot."""

    def is_current(self, notice: Notice) -> str:
        """Until it is back there, or the game is over."""
        seat = _find(notice)
        is_away = seat is not None and seat.status == Seat.Status.ABSENT and not seat.game.is_over
        return "" if is_away else reasons.BOT_BACK

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail: which bot, at which table, and how it comes back."""
        seat = _find(notice)
        if seat is None or seat.user is None:
            return None
        context: dict[str, object] = {
            "name": isolated(unlinked(seat.user.name)),
            "title": isolated(unlinked(seat.game.title)),
            "game_url": page_urls.game_url(seat.game),
            "bot_url": page_url("bot", seat.user.ref),
        }
        return account_mail("bot_absent", context)


def _find(notice: Notice) -> Seat | None:
    """The seat, while its bot still is the reader's."""
    ref, _colon, number = notice.subject.partition(":")[2].rpartition(":")
    rows = Seat.objects.filter(game__ref=ref, owner__recipient=notice.recipient_id).select_related("game", "user")
    return rows.filter(number=int(number)).first() if number.isdecimal() else None
