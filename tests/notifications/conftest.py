"""Anna has a mail address, Ben a webhook as well; a composer that obeys the test; channels that record."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from notifications import composers, outbox
from notifications.channels.base import CHANNELS, Answer
from notifications.channels.mail import sending as mail_channel
from notifications.delivery import claims, sending
from notifications.messages import Form, MailMessage, PushMessage, WebhookMessage
from notifications.models import Delivery, Endpoint, Notice, PushSubscription, Recipient
from tests.notifications import browsers
from tests.notifications.web import Server, running_web

KIND = "test"


@dataclass
class Words:
    """A composer under the control of a test."""

    is_security: bool = False
    stale: str = ""
    error: BaseException | None = None
    mail: MailMessage = field(default_factory=lambda: MailMessage("Your turn", "Text", "<p>HTML</p>"))
    languages: list[str] = field(default_factory=list)

    def is_current(self, notice: Notice) -> str:
        return self.stale

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage | None:
        if self.error is not None:
            raise self.error
        self.languages.append(language)
        if form == "letter":
            return self.mail
        mentions = tuple(notice.data.get("mentions", ()))
        return WebhookMessage("test.happened", notice.created_at, {"n": notice.data.get("n")}, mentions=mentions)


class ShortWords(Words):
    """A composer that has a few words for a screen as well."""

    push = PushMessage("Thursday 🐫", "It's your turn.", browsers.LINK)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        self.languages.append(language)
        return self.push


@dataclass
class Recorder:
    """A channel that keeps what it was given, and fails as told."""

    sent: list[str] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    during: Callable[[Delivery], None] = lambda delivery: None

    def send(self, delivery: Delivery, message: Any) -> Answer:
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append(delivery.message_id)
        self.during(delivery)
        return Answer(provider_id="taken")


def replace_sending(monkeypatch: pytest.MonkeyPatch, kind: str, other: Any) -> None:
    """Let another object send what goes out on a channel."""

    def send(delivery: Delivery, message: Any) -> Any:
        return other.send(delivery, message)  # looked up now: a test may replace it in between

    monkeypatch.setattr(CHANNELS[kind], "send", send)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Words:
    monkeypatch.setattr(composers, "_composers", dict(composers._composers))
    monkeypatch.setattr(composers, "_forms", dict(composers._forms))
    monkeypatch.setattr(composers, "_topics", dict(composers._topics))
    monkeypatch.setattr(composers, "_merger", list(composers._merger))
    made = Words()
    composers.register(KIND, made)
    return made


@pytest.fixture
def mail(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    replace_sending(monkeypatch, "mail", recorder)
    return recorder


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    replace_sending(monkeypatch, "webhook", recorder)
    return recorder


@pytest.fixture
def anna(db: None) -> Recipient:
    return Recipient.objects.create(address="anna@example.org", name="Anna")


@pytest.fixture
def ben(db: None) -> Recipient:
    made = Recipient.objects.create(address="ben@example.org", name="Ben", language="es")
    Endpoint.objects.create(recipient=made, url="https://ben.example.org/hook/s3cret")
    return made


@pytest.fixture
def owe(words: Words, now: dt.datetime) -> Callable[..., Notice]:
    """`owe(anna)` writes a notice with everything a test does not care about."""

    def owe(recipient: Recipient, **given: Any) -> Notice:
        number = Notice.objects.count()
        usual = {"kind": KIND, "subject": "thing:1", "dedupe_key": f"key-{number}", "now": now, "data": {"n": number}}
        facts = usual | given
        at = facts.pop("now")
        return outbox.notify(outbox.Notification(recipient=recipient, **facts), at)

    return owe


@pytest.fixture
def tell(owe: Callable[..., Notice], now: dt.datetime) -> Callable[..., Notice]:
    """`tell(anna)` does the same and makes the deliveries, as a worker would."""

    def tell(recipient: Recipient, **given: Any) -> Notice:
        notice = owe(recipient, **given)
        claims.make_deliveries(given.get("now", now))
        return notice

    return tell


@pytest.fixture
def drain(now: dt.datetime) -> Callable[..., int]:
    """Deliver all that is due at an instant; returns how many deliveries were tried."""

    def drain(at: dt.datetime = now) -> int:
        count = 0
        while tried := sending.deliver(at):
            count += tried
            assert count < 1000, "deliveries never end"
        return count

    return drain


@pytest.fixture(autouse=True)
def fresh_mail_connection() -> Iterator[None]:
    mail_channel._drop_connection()
    yield
    mail_channel._drop_connection()


@pytest.fixture
def screen(words: Words) -> Words:
    """Words that stand on screens as well, about what others wait for; each notice has a mail of its own."""
    made = ShortWords()
    composers.register(KIND, made, topic=browsers.TURNS)
    composers._merger.clear()  # of a copy
    return made


@pytest.fixture
def service(settings: Any) -> Iterator[Server]:
    """A push service on this machine."""
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as server:
        server.status = 201
        yield server


@pytest.fixture
def browser(service: Server) -> browsers.Browser:
    """One that the push service on this machine serves."""
    return browsers.Browser(service.url)


@pytest.fixture
def phone(browser: browsers.Browser, anna: Recipient, screen: Words) -> PushSubscription:
    """Anna's."""
    return browser.subscribe(anna)
