"""Web push: what a push service gets, what a browser reads, and what the answers of a push service mean."""

import base64
import datetime as dt
import hashlib
import hmac
import json
from dataclasses import replace

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as django_settings
from django.core.management import call_command
from py_vapid import Vapid02

from notifications import composers, outbox, preferences
from notifications.channels.base import ChannelError
from notifications.channels.push import devices, keys, messages, sending, services
from notifications.channels.push.channel import TOO_OLD, PushChannel
from notifications.channels.push.models import PushService, PushSubscription
from notifications.composers import PushMessage, Topic
from notifications.delivery import claims
from notifications.ledger import entries
from notifications.models import Delivery, DeliveryState, Ways
from tests.notifications.browsers import Browser
from tests.notifications.conftest import KIND, Words
from tests.notifications.web import running_web

pytestmark = pytest.mark.django_db

LINK = "https://play.example.org/act/abc/token/"
DAY, HOUR, MINUTE, SECOND = (dt.timedelta(seconds=size) for size in (86_400, 3600, 60, 1))
NEWS, TURNS = Topic("news", "News"), Topic("turns", "Turns", is_needed=True)


class ShortWords(Words):
    """A composer that has a few words for a screen as well."""

    push = PushMessage("Thursday 🐫", "It's your turn.", LINK)

    def compose_push(self, notice, language):
        self.languages.append(language)
        return self.push


@pytest.fixture
def words(words):
    made = ShortWords()
    composers.register(KIND, made, topic=TURNS)
    composers._merger.clear()  # of a copy: each notice has a mail of its own
    return made


@pytest.fixture
def service(settings):
    """A push service on this machine."""
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as server:
        server.status = 201
        yield server


@pytest.fixture
def browser(service):
    return Browser(service.url)


@pytest.fixture
def phone(browser, anna):
    return browser.subscribe(anna)


def pushes():
    return Delivery.objects.filter(channel="push")


def test_a_browser_reads_the_message_and_nobody_else_can(tell, anna, phone, mail, drain, service, browser):
    tell(anna, thread="game:1")
    drain()
    ((path, headers, body),) = service.requests
    assert path == "/hook/s3cret" and headers["Content-Encoding"] == "aes128gcm"
    assert b"Thursday" not in body and b"turn" not in body
    message = browser.read(body)
    assert message["title"] == "Thursday 🐫" and message["body"] == "It's your turn." and message["url"] == LINK
    assert message["tag"] == headers["Topic"] and message["lang"] == "en" and message["until"] is None
    with pytest.raises(http_ece.ECEException):
        Browser(browser.url).read(body)
    assert pushes().get().state == DeliveryState.ACCEPTED


def test_nothing_that_was_sent_is_kept(tell, anna, phone, mail, drain, service):
    tell(anna)
    drain()
    assert pushes().get().body == ""


def test_the_example_of_rfc_8291_comes_out_to_the_byte():
    receiver = ec.derive_private_key(int.from_bytes(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), P256)
    sender = ec.derive_private_key(int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), P256)
    browser = Browser(private_key=receiver, auth_secret=decode("BTBZMqHH6r4Tts7J_aSIgg"))
    found = http_ece.encrypt(
        b"When I grow up, I want to be a watermelon",
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
        private_key=sender,
        dh=decode(browser.keys.public_key),
        auth_secret=browser.auth_secret,
        version="aes128gcm",
    )
    assert found == decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


P256 = ec.SECP256R1()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_push_service_can_tell_who_sends(tell, anna, phone, mail, drain, service, settings):
    settings.VAPID_CONTACT = "mailto:games@example.org"
    tell(anna)
    drain()
    ((_path, headers, _body),) = service.requests
    assert Vapid02.verify(headers["Authorization"])
    token = headers["Authorization"].removeprefix("vapid t=").split(",")[0]
    claims_made = json.loads(decode(token.split(".")[1]))
    assert claims_made["aud"] == service.url.removesuffix("/hook/s3cret")
    assert claims_made["sub"] == "mailto:games@example.org"
    assert headers["Authorization"].endswith(f"k={keys.public_key()}")


def test_a_token_is_good_for_less_than_a_day_and_shared_for_an_hour():
    url = "https://push.example.org/one"
    assert keys.authorization(url, 7200) == keys.authorization("https://push.example.org/two", 7200 + 3599)
    assert keys.authorization(url, 7200) != keys.authorization(url, 7200 + 3600)
    assert keys.GOOD_FOR + keys.RENEWED_EVERY < 86_400


def test_the_key_follows_the_secret_key_and_the_command_makes_another(settings, capsys):
    assert len(decode(keys.public_key())) == 65
    call_command("make_vapid_key")
    settings.VAPID_PRIVATE_KEY = capsys.readouterr().out.strip().removeprefix("VAPID_PRIVATE_KEY=")
    assert len(decode(settings.VAPID_PRIVATE_KEY)) == 32
    assert keys.authorization("https://push.example.org/", 0).endswith(keys.public_key())


def test_a_newer_message_of_a_table_takes_the_place_of_the_older_one(
    tell, anna, phone, mail, drain, service, browser, now
):
    for number, thread in enumerate(("game:1", "game:1", "game:2")):
        tell(anna, thread=thread, now=now - number * MINUTE)
    drain()
    topics = [headers["Topic"] for _path, headers, _body in service.requests]
    assert topics[0] == topics[1] != topics[2]
    assert all(len(topic) == 32 and topic.replace("-", "").replace("_", "").isalnum() for topic in topics)
    assert [browser.read(body)["tag"] for _path, _headers, body in service.requests] == topics


def test_a_push_service_cannot_tell_who_shares_a_table(anna, phone):
    other = Browser("https://push.example.org/other").subscribe(anna)
    assert messages.slot_of(phone, "game:1") != messages.slot_of(other, "game:1")
    plain = hmac.digest(b"", b"game:1", hashlib.sha256)
    assert messages.slot_of(phone, "game:1") != base64.urlsafe_b64encode(plain[:24]).decode()


@pytest.mark.parametrize(
    ("until", "is_needed", "seconds"),
    [
        (None, True, 28 * 86_400),
        (2 * HOUR, True, 7200),
        (dt.timedelta(0), True, 60),
        (-HOUR, True, 60),
        (40 * DAY, True, 28 * 86_400),
        (None, False, 86_400),
        (2 * HOUR, False, 86_400),  # news stay news, whatever they say of a deadline
    ],
)
def test_a_push_service_drops_what_is_of_no_use_any_more(until, is_needed, seconds, now):
    message = PushMessage("t", "x", LINK, None if until is None else now + until)
    assert messages.time_to_live(message, is_needed=is_needed, now=now).total_seconds() == seconds


def test_what_others_wait_for_is_urgent_and_news_are_not(words, tell, anna, phone, mail, drain, service):
    tell(anna)
    drain()
    composers.register(KIND, words, topic=NEWS)
    tell(anna)
    drain()
    assert [headers["Urgency"] for _path, headers, _body in service.requests] == ["high", "normal"]


def test_a_kind_without_a_topic_or_words_for_a_screen_is_not_pushed(words, tell, anna, phone):
    composers.register(KIND, words)
    tell(anna)
    composers.register(KIND, Words(), topic=TURNS)
    tell(anna)
    assert not pushes().exists() and Delivery.objects.filter(channel="mail").count() == 2


def test_every_device_is_told_and_only_of_what_it_wants(tell, anna, ben, phone, mail, drain, service):
    desk = Browser(service.url + "/desk").subscribe(anna, "Chrome on Linux")
    Browser(service.url + "/bens").subscribe(ben)
    devices.choose(desk, ["turns"])
    tell(anna)
    drain()
    assert [path for path, _headers, _body in service.requests] == ["/hook/s3cret"]
    devices.choose(desk, [])
    tell(anna)
    drain()
    assert {path for path, _headers, _body in service.requests[1:]} == {"/hook/s3cret", "/hook/s3cret/desk"}


def test_who_muted_a_topic_by_email_is_still_told_of_it_on_his_devices(words, tell, anna, phone, mail, drain, service):
    composers.register(KIND, words, topic=NEWS)
    preferences.mute(anna, ["news"])
    anna.refresh_from_db()
    tell(anna, thread="game:1")
    drain()
    assert len(service.requests) == 1 and mail.sent == []
    preferences.mute(anna, ["news"], thread="game:1")
    tell(anna, thread="game:1")
    drain()
    assert len(service.requests) == 1


def test_quiet_hours_hold_even_what_is_needed_because_a_phone_makes_a_noise(
    tell, anna, phone, mail, drain, service, now
):
    anna.quiet_from, anna.quiet_until = dt.time(now.hour), dt.time((now.hour + 8) % 24)
    anna.save()
    tell(anna)
    drain()
    assert len(mail.sent) == 1 and service.requests == []
    drain(now + 8 * HOUR)
    assert len(service.requests) == 1


def test_a_pause_holds_and_a_daily_email_does_not(tell, anna, phone, mail, drain, service, now):
    anna.rhythm, anna.snoozed_until = "daily", now + HOUR
    anna.save()
    tell(anna)
    drain()
    assert service.requests == []
    drain(now + HOUR)
    assert len(service.requests) == 1 and mail.sent == []


def test_news_that_were_held_too_long_are_dropped(words, tell, anna, phone, mail, drain, service, now):
    composers.register(KIND, words, topic=NEWS)
    anna.snoozed_until = now + 2 * DAY
    anna.save()
    tell(anna)
    drain()
    drain(now + 2 * DAY)
    assert service.requests == [] and len(mail.sent) == 1
    assert (pushes().get().state, pushes().get().reason) == (DeliveryState.STALE, TOO_OLD)


def test_what_is_answered_meanwhile_is_not_pushed(words, tell, anna, phone, mail, drain, service):
    tell(anna)
    words.stale = "answered"
    drain()
    assert service.requests == [] and pushes().get().state == DeliveryState.STALE


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_subscription_is_deleted_and_its_last_message_told_by_mail(
    tell, anna, phone, mail, drain, service, status, now
):
    anna.ways = Ways.PUSH
    anna.save()
    service.status = status
    tell(anna)
    tell(anna)
    drain()
    assert not PushSubscription.objects.exists() and len(service.requests) == 1
    drain(now + MINUTE)
    assert len(mail.sent) == 2
    assert {row.state for row in pushes()} == {DeliveryState.FAILED}
    tell(anna)
    drain()
    assert len(mail.sent) == 3 and pushes().count() == 2


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(code, True) for code in (301, 307, 400, 403, 413)] + [(code, False) for code in (408, 429, 500, 503)],
)
def test_the_status_decides(tell, anna, phone, mail, service, status, permanent):
    service.status, service.headers = status, {"Location": service.url}
    tell(anna)
    row, channel = pushes().get(), PushChannel()
    packed = channel.pack(row, channel.compose([row]))
    with pytest.raises(ChannelError) as raised:
        channel.send(row, packed)
    assert (raised.value.permanent, raised.value.code) == (permanent, str(status))
    assert len(service.requests) == 1, "a redirect is never followed"
    assert "s3cret" not in str(raised.value)


def test_who_asks_to_wait_is_asked_again_when_he_said_and_is_not_in_trouble(
    tell, anna, phone, mail, drain, service, now
):
    service.status, service.headers = 429, {"Retry-After": "600"}
    tell(anna)
    drain()
    assert pushes().get().attempt_after >= now + 10 * MINUTE and not PushService.objects.exists()
    service.status = 201
    drain(now + 9 * MINUTE)
    assert len(service.requests) == 1
    drain(now + HOUR)
    assert pushes().get().state == DeliveryState.ACCEPTED


def test_a_push_service_that_is_down_rests_while_others_work(tell, anna, ben, phone, mail, hook, drain, service, now):
    with running_web() as other:
        other.status = 201
        for number in range(3):
            Browser(f"{service.url}/{number}").subscribe(anna)
        Browser(other.url.replace("127.0.0.1", "localhost")).subscribe(ben)
        service.status = 503
        tell(anna)
        tell(ben)
        drain()
        assert services.resting(now) == [], "what failed together is one failure"
        drain(now + 10 * SECOND)
        tried, later = len(service.requests), now + 11 * SECOND
        assert tried == 5 and services.resting(later) == ["127.0.0.1"]
        assert len(other.requests) == 1, "the other one takes messages meanwhile"
        drain(later + services.FIRST_REST - 2 * SECOND)
        assert len(service.requests) == tried
        service.status = 201
        drain(now + HOUR)
    assert not PushService.objects.exists()
    assert set(pushes().values_list("state", flat=True)) == {DeliveryState.ACCEPTED}


def test_the_rest_of_a_push_service_grows_up_to_a_bound(db, now):
    rests = []
    for number in range(10):
        services.record_failure("push.example.org", now + number * HOUR)
        until = PushService.objects.get().rests_until
        rests.append((until - now - number * HOUR).total_seconds() if until else 0)
    assert rests[:4] == [0, 30, 60, 120] and rests[-1] == services.LONGEST_REST.total_seconds()
    assert rests == sorted(rests)


def test_a_failing_push_service_costs_one_sender_at_a_time(tell, anna, phone, mail, service, now):
    for number in range(3):
        Browser(f"{service.url}/{number}").subscribe(anna)
    services.record_failure("127.0.0.1", now)
    tell(anna)
    assert len(claims.claim(now, channel="push")) == 1
    assert claims.claim(now, channel="push") == []
    assert claims.claim(now, channel="push", failing=False) == []


def test_a_push_service_that_stalls_is_given_up_in_time(tell, anna, phone, mail, drain, service, monkeypatch):
    monkeypatch.setattr(sending, "TOTAL_SECONDS", 0.3)
    service.answers.clear()
    tell(anna)
    drain()
    row = pushes().get()
    assert row.state == DeliveryState.WAITING and row.reason == "no answer in time"
    service.answers.set()


def test_a_device_that_refuses_everything_is_not_asked_for_ever(tell, anna, phone, mail, drain, service):
    service.status = 403
    for _ in range(devices.MOST_REFUSALS + 2):
        tell(anna)
    drain()
    assert len(service.requests) == devices.MOST_REFUSALS and not PushSubscription.objects.exists()
    assert len(mail.sent) == devices.MOST_REFUSALS + 2


def test_who_is_told_by_his_devices_alone_gets_mail_while_they_fail(tell, anna, phone, mail, drain, service, now):
    anna.ways = Ways.PUSH
    anna.save()
    tell(anna)
    drain()
    assert mail.sent == [] and len(service.requests) == 1
    service.status = 503
    tell(anna)
    drain()
    drain(now + 4 * SECOND)
    assert len(mail.sent) == 1, "the push service took nothing"
    service.status = 201
    drain(now + HOUR)
    tell(anna)
    drain(now + HOUR)
    assert len(mail.sent) == 1


def test_one_device_that_works_is_enough_to_keep_mail_silent(tell, anna, phone, mail, drain, service):
    anna.ways = Ways.PUSH
    anna.save()
    with running_web() as other:
        other.status = 410
        Browser(other.url).subscribe(anna)
        tell(anna)
        drain()
    assert mail.sent == [] and len(service.requests) == 1 and PushSubscription.objects.get() == phone


def test_a_browser_belongs_to_who_switched_notifications_on_last(tell, anna, ben, browser, mail, hook, drain, service):
    browser.subscribe(anna)
    tell(anna)
    browser.subscribe(ben)
    drain()
    assert service.requests == [], "what waited for Anna is not shown to Ben"
    tell(ben)
    drain()
    assert len(service.requests) == 1 and PushSubscription.objects.get().recipient == ben
    browser.subscribe(ben, "Firefox on Linux")
    assert PushSubscription.objects.get().name == "Firefox on Linux"


def test_when_a_device_was_last_used_is_kept_by_the_day(tell, anna, phone, mail, drain, service, now):
    PushSubscription.objects.update(used_at=now - HOUR)
    tell(anna)
    drain()
    assert PushSubscription.objects.get().used_at == now - HOUR
    PushSubscription.objects.update(used_at=now - 2 * DAY)
    tell(anna)
    drain()
    assert PushSubscription.objects.get().used_at >= now


GOOD = Browser().keys


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"url": "http://push.example.org/s"}, "its address does not begin with https"),
        ({"url": "https://10.0.0.7/s"}, "its host is at no public address"),
        ({"url": "https://[::1]/s"}, "its host is at no public address"),
        ({"url": "https://localhost/s"}, "its host is at no public address"),
        ({"url": "https://push.internal/s"}, "its host is at no public address"),
        ({"url": "https://a:b@push.example.org/s"}, "its address holds a name or a password"),
        ({"url": "https://push.example.org:22/s"}, "its port is neither 443 nor 8443"),
        ({"url": "javascript:alert(1)"}, "its address is none"),
        ({"url": "https://push.example.org/" + "x" * 1000}, "its address is none"),
        ({"url": "https://push.example.org/\nx"}, "its address is none"),
        ({"public_key": ""}, "its key is none"),
        ({"public_key": "BA"}, "its key is none"),
        ({"public_key": "!" * 87}, "its key is none"),
        ({"public_key": "é" * 87}, "its key is none"),
        ({"public_key": "B" + "A" * 86}, "its key is none"),  # no point of the curve
        ({"public_key": "A" * 5000}, "its key is none"),
        ({"auth_secret": ""}, "its key is none"),
        ({"auth_secret": "AAAA"}, "its key is none"),
    ],
)
def test_a_forged_subscription_is_refused_in_words(changed, why):
    assert devices.why_not(replace(GOOD, **changed)) == why


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_called(tell, anna, mail, drain, monkeypatch):
    Browser().subscribe(anna)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_args, **_more: [(2, 1, 6, "", ("127.0.0.1", 443))])
    tell(anna)
    drain()
    assert pushes().get().state == DeliveryState.FAILED and pushes().get().reason == "its host is at no public address"
    assert not PushSubscription.objects.exists()


def test_a_message_is_never_larger_than_push_services_take(anna, phone, tell):
    notice = tell(anna)
    long = PushMessage("🐫" * 500, "🐫" * 5000, LINK)
    text = messages.payload(phone, notice, long)
    assert len(messages.encrypt(phone, text)) <= 4096
    with pytest.raises(ValueError):
        messages.payload(phone, notice, PushMessage("t", "x", "https://play.example.org/" + "x" * 4000))


def test_with_push_switched_off_nothing_is_sent(tell, anna, phone, mail, drain, service, settings):
    settings.PUSH_ENABLED = False
    tell(anna)
    drain()
    assert service.requests == [] and len(mail.sent) == 1
    assert PushChannel().settings_context(anna)["public_key"] == ""


def test_the_ledger_has_it_as_every_other_way(tell, anna, phone, mail, drain, service):
    notice = tell(anna)
    service.status = 410
    drain()
    (entry,) = entries([notice])
    lines = {line.via: line for line in entry.lines}
    assert lines["push"].is_bad and lines["push"].reason == devices.GONE
    assert lines["push"].channel == "notification on your devices" and lines["mail"].is_good


def test_a_notice_that_reached_a_device_counts_as_told(tell, anna, phone, mail, drain, service, now):
    anna.ways = Ways.PUSH
    anna.save()
    tell(anna, dedupe_key="due:1")
    drain()
    assert outbox.accepted_at("due:1") is not None


def test_a_crash_between_sending_and_recording_repeats_a_message_in_its_place(
    tell, anna, phone, mail, service, now, browser
):
    tell(anna, thread="game:1")
    (claim,) = claims.claim(now, channel="push")
    channel = PushChannel()
    channel.send(claim.delivery, channel.pack(claim.delivery, channel.compose([claim.delivery])))
    from notifications.delivery.sending import deliver

    while deliver(now + 2 * claims.LEASE):
        pass
    first, second = service.requests
    assert first[1]["Topic"] == second[1]["Topic"] and browser.read(first[2]) == browser.read(second[2])


def test_how_many_people_have_devices_costs_no_further_statement(
    tell, anna, ben, phone, mail, django_assert_num_queries
):
    Browser("https://push.example.org/2").subscribe(ben)
    with django_assert_num_queries(1):
        found = devices.of({anna.pk, ben.pk})
    assert {device.recipient_id for device in found} == {anna.pk, ben.pk}


def test_the_contact_is_one_that_push_services_take():
    assert django_settings.VAPID_CONTACT.startswith("mailto:")
