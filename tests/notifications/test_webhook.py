"""Webhooks: what a real server gets, and what its answers mean."""

import base64
import datetime as dt
import json
import os
import socket
import time

import pytest
from django.db import connection
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from notifications.channels import http_calls
from notifications.channels.base import ChannelError
from notifications.channels.webhook import sending, webhooks
from notifications.channels.webhook.channel import WebhookChannel
from notifications.ids import new_secret
from notifications.messages import MailMessage, WebhookMessage
from notifications.models import ChatMessage, Delivery, Endpoint
from tests.notifications.web import running_web

pytestmark = pytest.mark.django_db


@pytest.fixture
def web(settings, ben):
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as server:
        Endpoint.objects.filter(recipient=ben).update(url=server.url)
        yield server


@pytest.fixture
def post(tell, ben, now):
    """Send one webhook by the channel itself."""

    def post(data=None):
        tell(ben)
        delivery = Delivery.objects.filter(channel="webhook").select_related("endpoint").latest("pk")
        message = WebhookMessage("decision.opened", now, {"game": "abc", "seq": 7} if data is None else data)
        return WebhookChannel().send(delivery, message)

    return post


def test_the_standard_library_verifies_what_was_sent(web, post, ben):
    assert post().code == "200"
    ((path, headers, body),) = web.requests
    assert path == "/hook/s3cret" and headers["Content-Type"] == "application/json"
    got = Webhook(ben.endpoints.get().secret).verify(body, headers)
    assert got == {
        "type": "decision.opened",
        "timestamp": "2026-03-04T12:00:00Z",
        "data": {"game": "abc", "seq": 7},
    }
    assert headers["webhook-id"] == Delivery.objects.get(channel="webhook").message_id


def test_a_tables_message_in_discord_is_one_that_is_edited_in_place(web, tell, ben, mail, drain, now):
    Endpoint.objects.filter(recipient=ben).update(thread="game:1", shape="discord")
    web.body = b'{"type": 0, "id": "1234567890"}'
    for hours in (0, 1, 2):
        at = now + hours * dt.timedelta(hours=1)
        tell(ben, thread="game:1", now=at)
        drain(at)
        if hours == 1:
            web.status = 404  # somebody has deleted the message
            tell(ben, thread="game:1", now=at)
            drain(at)
            assert not ChatMessage.objects.exists()
            web.status = 200
    edited = "/hook/s3cret/messages/1234567890"
    posted = "/hook/s3cret?wait=true"
    assert [path for path, _headers, _body in web.requests][:4] == [posted, edited, edited, posted]
    assert web.patched == [edited] * 3 and ChatMessage.objects.get().thread == "game:1"
    web.body = b'{"type": 0, "id": "1234567891"}'
    tell(ben, thread="game:1", now=at, data={"mentions": ["42"]})  # an edit would ping nobody
    drain(at)
    assert web.requests[-1][0] == posted and ChatMessage.objects.get().message == "1234567891"
    assert json.loads(web.requests[-1][2])["content"] == "<@42>"
    tell(ben, thread="game:1", now=now)
    drain(now + dt.timedelta(hours=9))
    late = Delivery.objects.filter(channel="webhook").latest("pk")
    assert (late.state, late.reason) == ("stale", sending.NEWER)


def test_a_changed_byte_or_another_secret_does_not_verify(web, post, ben):
    post({"who": "Carla 🐫"})
    ((_path, headers, body),) = web.requests
    assert Webhook(ben.endpoints.get().secret).verify(body, headers)["data"] == {"who": "Carla 🐫"}
    for secret, sent in ((ben.endpoints.get().secret, body + b" "), (base64.b64encode(b"x" * 32).decode(), body)):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(sent, headers)


def test_the_signature_is_the_one_of_the_specification():
    endpoint = Endpoint(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = sending.signed_headers(
        [endpoint],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        dt.datetime.fromtimestamp(1614265330, dt.UTC),
        b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert headers["webhook-timestamp"] == "1614265330"


def test_a_repeat_has_the_same_id(web, tell, ben, mail, drain, now):
    tell(ben)
    web.status = 500
    drain()
    web.status = 204
    drain(now + dt.timedelta(days=1))
    assert [headers["webhook-id"] for _path, headers, _body in web.requests] == [
        Delivery.objects.get(channel="webhook").message_id
    ] * 2
    assert Delivery.objects.get(channel="webhook").state == "accepted"


@pytest.mark.parametrize(
    ("status", "permanent", "disables"),
    [
        (301, True, False),
        (302, True, False),
        (307, True, False),
        (400, True, False),
        (401, False, False),
        (403, False, False),
        (404, False, False),
        (408, False, False),
        (410, True, True),
        (422, True, False),
        (429, False, False),
        (500, False, False),
        (502, False, False),
        (503, False, False),
        (504, False, False),
    ],
)
def test_the_status_decides(web, post, status, permanent, disables):
    web.status = status
    web.headers = {"Location": web.url}
    with pytest.raises(ChannelError) as raised:
        post()
    error = raised.value
    assert (error.permanent, error.disables_endpoint, error.code) == (permanent, disables, str(status))
    assert len(web.requests) == 1, "a redirect is never followed"
    assert "s3cret" not in str(error)


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_every_2xx_is_success(web, post, status):
    web.status = status
    assert post().code == str(status)


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_passed_on(web, post, status):
    web.status, web.headers = status, {"Retry-After": "7200"}
    with pytest.raises(ChannelError) as raised:
        post()
    assert raised.value.retry_after == dt.timedelta(hours=2)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        ("Wed, 04 Mar 2026 12:01:00 GMT", 60),
        ("Wed, 04 Mar 2026 11:00:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1" * 30, None),
        ("٣", None),
        ("Wed, 04 Mar 99999999999999 12:01:00 GMT", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value, seconds, now):
    expected = None if seconds is None else dt.timedelta(seconds=seconds)
    assert sending.wait_asked_for(value, now) == expected


def test_an_endless_answer_is_not_read_to_the_end(web, post):
    web.endless, web.body = True, b"x" * 65536
    assert post().code == "200"
    assert web.written < 64 * 1024 * 1024


def test_a_slow_drip_is_cut_off(web, post, monkeypatch):
    monkeypatch.setattr(sending, "TOTAL_SECONDS", 0.3)
    web.drip = b"HTTP/1.1 2"
    with pytest.raises(ChannelError) as raised:
        post()
    assert raised.value.permanent is False and str(raised.value) == "timeout"


@pytest.mark.parametrize("rest", [b"X-A: ", b"Content-Length: 100000\r\n\r\n"])
def test_a_slow_drip_after_a_good_status_is_success(web, post, rest, monkeypatch):
    monkeypatch.setattr(sending, "TOTAL_SECONDS", 4.0)  # the status must come in it, on a busy machine too
    web.drip = b"HTTP/1.1 200 OK\r\n" + rest
    assert post().code == "200"


def test_nobody_there_is_asked_again(web, post):
    web.stop.set()
    Endpoint.objects.update(url="http://127.0.0.1:9/hook/s3cret")
    with pytest.raises(ChannelError) as raised:
        post()
    assert raised.value.permanent is False and "s3cret" not in str(raised.value)


def test_a_payload_of_20_kilobytes_is_an_error_of_ours(web, post):
    with pytest.raises(ValueError):
        post({"x": "y" * 20_000})
    assert web.requests == []


def test_a_mail_is_no_webhook(web, tell, ben):
    tell(ben)
    with pytest.raises(TypeError):
        WebhookChannel().send(Delivery.objects.get(channel="webhook"), MailMessage("s", "t"))


def test_a_webhook_that_was_just_read_is_not_read_again(web, ben, now, tell, django_assert_num_queries):
    tell(ben)
    delivery = Delivery.objects.filter(channel="webhook").select_related("endpoint").latest("pk")
    with django_assert_num_queries(0):
        WebhookChannel().send(delivery, WebhookMessage("decision.opened", now, {}))
    delivery.endpoint.read_at -= sending.FRESH
    with django_assert_num_queries(1):
        WebhookChannel().send(delivery, WebhookMessage("decision.opened", now, {}))


def test_the_payload_is_compact_and_keeps_letters_as_they_are(now):
    body = sending.body_of(WebhookMessage("t", now, {"a": "é"}), "standard").encode()
    assert body == '{"type":"t","timestamp":"2026-03-04T12:00:00Z","data":{"a":"é"}}'.encode()
    assert json.loads(body)["data"] == {"a": "é"}


def test_for_a_while_after_a_change_both_secrets_verify(ben, now):
    endpoint = ben.endpoints.get()
    former, later = endpoint.secret, now + dt.timedelta(days=1)
    endpoint.secret, endpoint.old_secret, endpoint.old_secret_until = new_secret(), former, later
    headers = sending.signed_headers([endpoint], "msg_1", now, b"{}")
    assert len(headers["webhook-signature"].split(" ")) == 2
    for signature, secret in zip(headers["webhook-signature"].split(" "), (endpoint.secret, former), strict=True):
        assert Webhook(secret).sign("msg_1", now, "{}") == signature
    assert " " not in sending.signed_headers([endpoint], "msg_1", later, b"{}")["webhook-signature"]
    today = dt.datetime.now(dt.UTC)  # libraries refuse what is old
    endpoint.old_secret_until = today + dt.timedelta(days=1)
    fresh = sending.signed_headers([endpoint], "msg_1", today, b"{}")
    for secret in (endpoint.secret, former):
        assert Webhook(secret).verify(b"{}", fresh) == {}, "either of the two will do"


def test_a_secret_that_changes_between_claim_and_call_signs_already(web, tell, ben, now):
    tell(ben)
    delivery = Delivery.objects.filter(channel="webhook").select_related("endpoint").latest("pk")
    delivery.endpoint.read_at -= sending.FRESH  # it waits in its claim
    secret = webhooks.renew_secret(Endpoint.objects.get(), now)
    WebhookChannel().send(delivery, WebhookMessage("decision.opened", now, {}))
    ((_path, headers, body),) = web.requests
    assert Webhook(secret).verify(body, headers)["type"] == "decision.opened"


def test_the_secrets_of_all_who_share_a_call_are_read_again_in_one_statement(ben, now, django_assert_num_queries):
    first = ben.endpoints.get()
    both = [first, Endpoint.objects.create(recipient=ben, url="https://ben.example.org/other")]
    webhooks.renew_secret(Endpoint.objects.get(pk=first.pk), now)
    with django_assert_num_queries(1):
        secrets = [one.secrets(now) for one in sending._as_now(both)]
    assert secrets == [one.secrets(now) for one in Endpoint.objects.order_by("pk")]
    assert secrets[0][1] == first.secret != secrets[0][0] and len(secrets[1]) == 1


def test_addresses_and_secrets_are_sealed_in_the_database(ben):
    with connection.cursor() as cursor:
        cursor.execute("SELECT url, secret, old_secret FROM notifications_endpoint")
        ((url, secret, former),) = cursor.fetchall()
    assert "s3cret" not in url and "example" not in url and ben.endpoints.get().secret not in secret and former == ""
    assert ben.endpoints.get().url == "https://ben.example.org/hook/s3cret"


def test_a_sealing_key_can_be_changed_and_one_that_is_lost_switches_off(ben, settings, caplog):
    settings.SEALING_KEYS = ["new", *settings.SEALING_KEYS]
    row = Endpoint.objects.get()
    assert row.host == "ben.example.org"
    row.save()
    settings.SEALING_KEYS = ["new"]
    assert Endpoint.objects.get().host == "ben.example.org"
    settings.SEALING_KEYS = ["another"]
    assert Endpoint.objects.get().url == "" and "SEALING_KEYS" in caplog.text


def test_a_connection_is_cut_when_its_call_is_over_time_and_not_when_it_has_ended():
    kept, cut = socket.socketpair(), socket.socketpair()
    with http_calls.Deadline(0.05) as done:
        done.watch(kept[0])
    with http_calls.Deadline(0.1) as late:
        late.watch(cut[0])
        while not late.is_over:
            time.sleep(0.01)
    assert cut[1].recv(1) == b"" and not done.is_over
    kept[0].send(b"x")
    assert kept[1].recv(1) == b"x"
    for one in (*kept, *cut):
        one.close()


def test_a_watchdog_belongs_to_one_process(monkeypatch):
    monkeypatch.setattr(http_calls.Watchdog, "_current", None)
    before = http_calls.Watchdog.of_this_process()
    assert http_calls.Watchdog.of_this_process() is before
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert http_calls.Watchdog.of_this_process() is not before
