"""Web push: what a push service gets, what a browser reads, and what the answers of a push service mean."""

import base64
import datetime as dt
import hashlib
import hmac
import json

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as django_settings
from django.core.management import call_command
from py_vapid import Vapid02

from notifications import composers, outbox, preferences
from notifications.channels.push import devices, sending
from notifications.channels.push.channel import TOO_OLD, PushChannel
from notifications.delivery import claims
from notifications.ledger import entries
from notifications.messages import PushMessage
from notifications.models import Delivery, DeliveryState, Ways
from tests.notifications.browsers import LINK, NEWS, TURNS, Browser, pushes
from tests.notifications.conftest import KIND, Words

pytestmark = pytest.mark.django_db

DAY, HOUR, MINUTE, SECOND = (dt.timedelta(seconds=size) for size in (86_400, 3600, 60, 1))


def test_a_browser_reads_the_message_and_nobody_else_can(tell, anna, phone, mail, drain, service, browser):
    tell(anna, thread="game:1")
    drain()
    ((path, headers, body),) = service.requests
    assert path == "/hook/s3cret" and headers["Content-Encoding"] == "aes128gcm"
    assert b"Thursday" not in body and b"turn" not in body
    message = browser.read(body)
    assert message["title"] == "Thursday 🐫" and message["body"] == "It's your turn." and message["url"] == LINK
    assert message["tag"] == headers["Topic"] and message["lang"] == "en" and message["until"] is None
    words = {name: message[name] for name in ("title", "body", "tag", "lang")}
    assert (message["web_push"], message["notification"]) == (8030, words | {"navigate": LINK})
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
    assert headers["Authorization"].endswith(f"k={sending.public_key()}")


def test_a_token_is_good_for_less_than_a_day_and_shared_for_an_hour():
    url = "https://push.example.org/one"
    assert sending.authorization(url, 7200) == sending.authorization("https://push.example.org/two", 7200 + 3599)
    assert sending.authorization(url, 7200) != sending.authorization(url, 7200 + 3600)
    assert sending.GOOD_FOR + sending.RENEWED_EVERY < 86_400


def test_the_key_follows_the_secret_key_and_the_command_makes_another(settings, capsys):
    assert len(decode(sending.public_key())) == 65
    call_command("make_vapid_key")
    settings.VAPID_PRIVATE_KEY = capsys.readouterr().out.strip().removeprefix("VAPID_PRIVATE_KEY=")
    assert len(decode(settings.VAPID_PRIVATE_KEY)) == 32
    assert sending.authorization("https://push.example.org/", 0).endswith(sending.public_key())


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
    assert sending.slot_of(phone, "game:1") != sending.slot_of(other, "game:1")
    plain = hmac.digest(b"", b"game:1", hashlib.sha256)
    assert sending.slot_of(phone, "game:1") != base64.urlsafe_b64encode(plain[:24]).decode()


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
    assert sending.time_to_live(message, is_needed=is_needed, now=now).total_seconds() == seconds


def test_what_others_wait_for_is_urgent_and_news_are_not(screen, tell, anna, phone, mail, drain, service):
    tell(anna)
    drain()
    composers.register(KIND, screen, topic=NEWS)
    tell(anna)
    drain()
    assert [headers["Urgency"] for _path, headers, _body in service.requests] == ["high", "normal"]


def test_a_kind_without_a_topic_or_words_for_a_screen_is_not_pushed(screen, tell, anna, phone):
    composers.register(KIND, screen)
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


def test_who_muted_a_topic_by_email_is_still_told_of_it_on_his_devices(screen, tell, anna, phone, mail, drain, service):
    composers.register(KIND, screen, topic=NEWS)
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


def test_news_that_were_held_too_long_are_dropped(screen, tell, anna, phone, mail, drain, service, now):
    composers.register(KIND, screen, topic=NEWS)
    anna.snoozed_until = now + 2 * DAY
    anna.save()
    tell(anna)
    drain()
    drain(now + 2 * DAY)
    assert service.requests == [] and len(mail.sent) == 1
    assert (pushes().get().state, pushes().get().reason) == (DeliveryState.STALE, TOO_OLD)


def test_what_is_answered_meanwhile_is_not_pushed(screen, tell, anna, phone, mail, drain, service):
    tell(anna)
    screen.stale = "answered"
    drain()
    assert service.requests == [] and pushes().get().state == DeliveryState.STALE


def test_a_message_is_never_larger_than_push_services_take(anna, phone, tell):
    notice = tell(anna)
    long = PushMessage("🐫" * 500, "🐫" * 5000, LINK)
    text = sending.payload(phone, notice, long)
    assert len(sending.encrypt(phone, text)) <= 4096
    with pytest.raises(ValueError):
        sending.payload(phone, notice, PushMessage("t", "x", "https://play.example.org/" + "x" * 4000))


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
    assert lines["push"].is_bad and lines["push"].reason_code == devices.GONE
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
    channel.send(claim.delivery, channel.compose([claim.delivery]))
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
