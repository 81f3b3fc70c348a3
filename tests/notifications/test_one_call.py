"""Several webhooks and several notices: who is told, and what goes out in one call."""

import datetime as dt

import pytest
from standardwebhooks.webhooks import Webhook

from notifications import composers
from notifications.channels.base import CHANNELS, ChannelError
from notifications.channels.webhook.channel import WebhookChannel
from notifications.models import Attempt, Delivery, Endpoint, Notice
from tests.notifications.web import running_web

pytestmark = pytest.mark.django_db
THREAD = "game:1"


@pytest.fixture
def table_hook(anna):
    """Anna's webhook for a thread."""
    return Endpoint.objects.create(recipient=anna, thread=THREAD, url="https://club.example.org/x")


def hooks(**wanted):
    return Delivery.objects.filter(channel="webhook", **wanted).order_by("pk")


def test_everybodys_webhook_is_told_what_anybody_is_told_in_its_thread(tell, anna, ben, table_hook):
    tell(ben, thread=THREAD)
    tell(ben, thread="game:2")
    tell(ben)
    assert [row.notice_id for row in hooks(endpoint=table_hook)] == [Notice.objects.earliest("pk").pk]
    assert hooks(endpoint=ben.endpoints.get()).count() == 3
    assert hooks(endpoint=table_hook).get().recipient is None, "it tells nobody in particular"


def test_a_webhook_is_not_told_what_it_does_not_want(tell, ben):
    Endpoint.objects.update(muted=["test"])
    tell(ben)
    assert not hooks().exists()


def test_by_mail_alone(tell, ben, table_hook):
    tell(ben, thread=THREAD, forms=("letter",))
    assert list(Delivery.objects.values_list("channel", flat=True)) == ["mail"]


def test_what_everybody_is_told_does_not_count_as_telling_its_player(tell, ben, table_hook, drain, mail, hook, now):
    from notifications import ledger, outbox

    Endpoint.objects.filter(recipient=ben).delete()
    tell(ben, thread=THREAD, dedupe_key="due")
    mail.errors = [ChannelError("no", permanent=True)]
    drain()
    assert hooks().get().state == "accepted"
    assert outbox.accepted_at("due") is None
    assert [line.channel for line in ledger.entries(ledger.notices_of(ben))[0].lines] == ["email"]


def test_notices_of_one_moment_to_one_address_go_out_in_one_call(tell, anna, ben, table_hook, hook, mail, drain, now):
    tell(ben, thread=THREAD)
    tell(anna, thread=THREAD)
    tell(anna, thread=THREAD, now=now - dt.timedelta(hours=1))
    tell(anna, thread=THREAD, kind="other")
    composers.register("other", composers.composer_for("test"))
    tell(anna, thread=THREAD, kind="other")
    drain()
    ours = hooks(endpoint=table_hook)
    assert {row.state for row in ours} == {"accepted"}
    calls = [row.message_id for row in ours if row.leader_id is None]
    assert len(ours) == 4 and len(calls) == 3 and set(calls) <= set(hook.sent)


def test_two_owners_of_one_channel_share_the_call_and_the_owner_of_a_program_does_not(
    tell, anna, ben, hook, mail, drain
):
    chat = "https://discord.com/api/webhooks/1/abc"
    for recipient in (anna, ben):
        Endpoint.objects.create(recipient=recipient, url=chat, shape="discord")
    Endpoint.objects.create(recipient=anna, url=ben.endpoints.get(shape="standard").url)
    tell(anna, thread=THREAD)
    tell(ben, thread=THREAD)
    drain()
    assert len(hook.sent) == 3, "one to the channel, one to each program"


@pytest.mark.parametrize("breaks", ["words", "call"])
def test_a_call_for_several_that_breaks_keeps_their_channel_for_no_one_else(
    tell, anna, ben, words, hook, mail, drain, now, breaks
):
    chat = "https://discord.com/api/webhooks/1/abc"
    for recipient in (anna, ben):
        Endpoint.objects.create(recipient=recipient, url=chat, shape="discord")
        tell(recipient, thread="table:1", forms=("announcement",))
    assert Delivery.objects.filter(endpoint__shape="discord").count() == 2
    if breaks == "words":
        words.error = KeyError("words")
    else:
        hook.errors = [KeyError("call") for _ in range(100)]
    for day in range(40):
        drain(now + day * dt.timedelta(days=1))
    words.error, hook.errors = None, []
    rows = Delivery.objects.filter(endpoint__shape="discord")
    assert set(rows.values_list("state", flat=True)) == {"quarantined"}
    later = tell(anna, thread="table:1", forms=("announcement",), now=now + dt.timedelta(days=41))
    drain(now + dt.timedelta(days=41))
    assert set(later.deliveries.values_list("state", flat=True)) == {"accepted"}


def test_a_repeat_has_the_same_id_and_the_same_bytes_though_the_world_has_moved_on(
    settings, tell, ben, words, mail, drain, now
):
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as web:
        row = ben.endpoints.get()
        row.url = web.url
        row.save()
        tell(ben, data={"n": 1})
        web.status = 500
        drain()
        Notice.objects.update(data={"n": 2})
        web.status = 200
        drain(now + dt.timedelta(days=1))
        (_p, first, one), (_q, second, two) = web.requests
    assert one == two and first["webhook-id"] == second["webhook-id"]
    assert (
        Webhook(row.secret).sign(
            second["webhook-id"], dt.datetime.fromtimestamp(int(second["webhook-timestamp"]), dt.UTC), two.decode()
        )
        == second["webhook-signature"]
    )


def test_the_answer_is_kept_without_secrets_and_bounded(settings, tell, ben, mail, drain, now):
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as web:
        row = ben.endpoints.get()
        row.url = web.url + "?token=abcdef123"
        row.save()
        web.body = f"you called {row.url} with s3cret abcdef123 {row.secret}\x00\u202e ".encode() + b"z" * 1000
        tell(ben)
        drain()
    kept = Attempt.objects.get(delivery__channel="webhook")
    assert kept.code == "200" and kept.excerpt.startswith("you called …") and len(kept.excerpt) == 300
    for secret in ("s3cret", "abcdef123", row.secret, "\x00", "\u202e"):
        assert secret not in kept.excerpt


def test_packed_answers_are_not_unpacked(settings, tell, ben, mail, drain):
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as web:
        row = ben.endpoints.get()
        row.url = web.url
        row.save()
        web.headers = {"Content-Encoding": "gzip"}
        tell(ben)
        drain()
    assert Attempt.objects.get(delivery__channel="webhook").excerpt == ""


def test_no_cookie_is_carried_from_one_call_to_the_next(settings, tell, ben, mail, drain, now):
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as web:
        row = ben.endpoints.get()
        row.url = web.url
        row.save()
        web.headers = {"Set-Cookie": "who=ben; Path=/"}
        tell(ben)
        tell(ben)
        drain()
        assert [headers.get("Cookie") for _path, headers, _body in web.requests] == [None, None]


def test_the_channel_is_the_one_that_is_used():
    assert isinstance(CHANNELS["webhook"], WebhookChannel)
