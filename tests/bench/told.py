"""What `deliver` tells: games that are being played, everybody with a webhook, rows that are owed again and again."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test.utils import override_settings

from games.lobby import lifecycle
from games.models import Decision, Game, User
from games.play import automatic_answers, game_moves
from games.play import pictures as picture
from games.tables.settings import TablePlan
from notifications.channels.base import CHANNELS
from notifications.channels.mail.letter import letter
from notifications.channels.webhook.sending import body_of, signed_headers
from notifications.clock import present
from notifications.composers import Topic, register
from notifications.delivery.claims import RELATED, make_deliveries
from notifications.messages import Form, MailMessage, WebhookMessage
from notifications.models import Attempt, Delivery, DeliveryState, Endpoint, Notice
from notifications.outbox import Notification, notify
from tests.bench.delivering import Kind

Message = TypeVar("Message", MailMessage, WebhookMessage)
TABLES = 12  # of three people each
MOVES = 15  # of a game before its mails are measured: some news, some tokens on the board
EACH = 9  # short notices for everybody: enough for claims as large as they become
SHORT = "bench"
TEXT = "It is your turn at the table Thursday.\n\n" + "What everybody has done since then stands here.\n" * 20
HTML = f"<html><head><style>p {{ margin: 0 }}</style></head><body><p>{TEXT}</p></body></html>"


class Short:
    """Words that cost nothing: what is left is the outbox itself."""

    is_security = False

    def is_current(self, notice: Notice) -> str:
        """Always."""
        return ""

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage:
        """The same for everybody."""
        if form == Form.LETTER:
            return MailMessage("Your move in Thursday", TEXT, HTML)
        return WebhookMessage("bench.told", notice.created_at, {"text": TEXT})


def prepare(web_port: int) -> None:
    """An empty database gets its tables, people and notices."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    register(SHORT, Short(), topic=Topic(SHORT, "Short", is_needed=True, is_alone=True))
    for number in range(TABLES):
        with override_settings(OPEN_TABLES_PER_HOST=TABLES):
            _play(number, f"http://127.0.0.1:{web_port}/hook")
    _tell_short()
    while make_deliveries(present.now()):
        pass
    Delivery.objects.update(state=DeliveryState.STALE, attempt_after=None)


def _play(number: int, hook_url: str) -> None:
    users = [
        User.objects.create_user(f"{name}{number}@bench.example.org", name=name) for name in ("Anna", "Ben", "Eva")
    ]
    for user in users:
        Endpoint.objects.create(recipient=user.recipient, url=f"{hook_url}/{user.ref}")
    now = present.now()
    plan = TablePlan(f"Table {number}", "aladdins-dragons", 3, options={"version": "magic"})
    game = lifecycle.open_table(host=users[0], plan=plan, now=now)
    for guest in users[1:]:
        lifecycle.join(game_id=game.pk, user=guest, now=now)
    lifecycle.start(game_id=game.pk, host=users[0], now=now)
    for _ in range(MOVES):
        _settle()
        _answer(_open_rows().filter(game=game).select_related("seat__user")[0])
    _settle()


def _settle() -> None:
    while game_moves.advance_one(present.now()) or automatic_answers.answer_one(present.now()):
        pass


def _answer(row: Decision) -> None:
    game_moves.submit(
        game_id=row.game_id,
        seat=row.seat.number,
        decision=row.code,
        action=automatic_answers.bot_action(Game.objects.get(pk=row.game_id), row, automatic_answers.SUBSTITUTE),
        source="web",
        received_at=present.now(),
        actor=row.seat.user,
    )


def _open_rows() -> Any:
    return Decision.objects.filter(status=Decision.Status.OPEN).order_by("pk")


@transaction.atomic
def _tell_short() -> None:
    for user in User.objects.select_related("recipient"):
        for number in range(EACH):
            key = f"{SHORT}:{user.pk}:{number}"
            notify(
                Notification(recipient=user.recipient, kind=SHORT, subject=key, dedupe_key=key, thread="t"),
                present.now(),
            )


def mails() -> list[Kind]:
    """The three kinds of mail."""
    asked = [row.subject for row in _open_rows().select_related("game")]
    return [
        Kind("Mails that cost no words", "mail", _rows("mail", notice__kind=SHORT), is_short=True),
        Kind("Mails with news of a table", "mail", _rows("mail", notice__kind="started")),
        Kind("Mails that ask, with the board", "mail", _rows("mail", notice__subject__in=asked)),
    ]


def hooks() -> list[Kind]:
    """The two kinds of webhook."""
    return [
        Kind("Webhooks that cost no words", "webhook", _rows("webhook", notice__kind=SHORT), is_short=True),
        Kind("Webhooks with news of a table", "webhook", _rows("webhook", notice__kind="started")),
    ]


def _rows(channel: str, **about: Any) -> list[int]:
    return list(Delivery.objects.filter(channel=channel, **about).order_by("pk").values_list("pk", flat=True))


def owe(rows: Sequence[int]) -> None:
    """Make them due, as if they had never been tried, and no board had been drawn. What a round leaves dead is swept
    away, as PostgreSQL does by itself where most of a table has not just been changed."""
    picture._drawn.cache_clear()
    Attempt.objects.all().delete()
    Delivery.objects.filter(pk__in=rows).update(
        state=DeliveryState.WAITING, attempt_after=present.now(), tries=0, accepted_at=None, reason="", body=""
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM notifications_delivery, notifications_attempt")


def check_accepted(rows: Sequence[int]) -> None:
    """Raises AssertionError unless all of them were taken, each by an attempt of its own."""
    taken = Delivery.objects.filter(pk__in=rows, state=DeliveryState.ACCEPTED).count()
    assert taken == Attempt.objects.filter(delivery__in=rows).count() == len(rows), (taken, len(rows))


def letters(rows: Sequence[int]) -> list[EmailMultiAlternatives]:
    """The same mails, made beforehand."""
    return [letter(delivery, message) for delivery, message in _composed(rows, MailMessage)]


def posts(rows: Sequence[int]) -> list[tuple[str, bytes, dict[str, str]]]:
    """Address, body and headers of the same webhooks, made and signed beforehand."""
    made = []
    for delivery, message in _composed(rows, WebhookMessage):
        endpoint = delivery.endpoint
        assert endpoint is not None
        body = body_of(message, endpoint.shape).encode()
        made.append((endpoint.url, body, signed_headers([endpoint], delivery.message_id, present.now(), body)))
    return made


def _composed(rows: Sequence[int], kind: type[Message]) -> Iterator[tuple[Delivery, Message]]:
    for delivery in Delivery.objects.filter(pk__in=rows).select_related(*RELATED):
        message = CHANNELS[delivery.channel].compose([delivery])
        assert isinstance(message, kind)
        yield delivery, message
