"""Web push when something is wrong: dead and forged subscriptions, push services that are down, slow or refuse."""

import datetime as dt
from dataclasses import replace

import pytest

from notifications.channels.base import ChannelError
from notifications.channels.push import devices, sending
from notifications.channels.push.channel import PushChannel
from notifications.channels.push.models import PushService, PushSubscription
from notifications.delivery import claims
from notifications.models import DeliveryState, Ways
from tests.notifications.browsers import Browser, pushes
from tests.notifications.web import running_web

pytestmark = pytest.mark.django_db

DAY, HOUR, MINUTE, SECOND = (dt.timedelta(seconds=size) for size in (86_400, 3600, 60, 1))


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
    with pytest.raises(ChannelError) as raised:
        channel.send(row, channel.compose([row]))
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


def resting(now):
    return list(PushService.objects.filter(rests_until__gt=now).values_list("host", flat=True))


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
        assert not resting(now), "what failed together is one failure"
        drain(now + 10 * SECOND)
        tried, later = len(service.requests), now + 11 * SECOND
        assert tried == 5 and resting(later) == ["127.0.0.1"]
        assert len(other.requests) == 1, "the other one takes messages meanwhile"
        drain(later + devices.FIRST_REST - 2 * SECOND)
        assert len(service.requests) == tried
        service.status = 201
        drain(now + HOUR)
    assert not PushService.objects.exists()
    assert set(pushes().values_list("state", flat=True)) == {DeliveryState.ACCEPTED}


def test_the_rest_of_a_push_service_grows_up_to_a_bound(db, now):
    rests = []
    for number in range(10):
        devices.record_service_failure("push.example.org", now + number * HOUR)
        until = PushService.objects.get().rests_until
        rests.append((until - now - number * HOUR).total_seconds() if until else 0)
    assert rests[:4] == [0, 30, 60, 120] and rests[-1] == devices.LONGEST_REST.total_seconds()
    assert rests == sorted(rests)


def test_a_failing_push_service_costs_one_sender_at_a_time(tell, anna, phone, mail, service, now):
    for number in range(3):
        Browser(f"{service.url}/{number}").subscribe(anna)
    devices.record_service_failure("127.0.0.1", now)
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
    assert row.state == DeliveryState.WAITING and row.reason == "timeout"
    service.answers.set()


def test_a_device_that_refuses_everything_is_not_asked_for_ever(tell, anna, phone, mail, drain, service):
    service.status = 403
    for _ in range(devices.MOST_REFUSALS + 2):
        tell(anna)
    drain()
    assert len(service.requests) == devices.MOST_REFUSALS and not PushSubscription.objects.exists()
    assert len(mail.sent) == devices.MOST_REFUSALS + 2


def test_a_push_service_that_takes_its_time_with_each_message_costs_one_sender_until_it_is_quick(
    tell, anna, phone, mail, drain, service, monkeypatch, now
):
    monkeypatch.setattr(devices, "SLOW_SECONDS", -1.0)
    tell(anna)
    drain()
    assert pushes().get().state == DeliveryState.ACCEPTED
    assert PushService.objects.get().host == phone.host and not resting(now)
    Browser(f"{service.url}/another").subscribe(anna)
    tell(anna)
    assert [len(claims.claim(now, channel="push")) for _sender in range(2)] == [1, 0]
    drain(now + HOUR)
    assert PushService.objects.exists()
    monkeypatch.setattr(devices, "SLOW_SECONDS", 1000.0)
    tell(anna)
    drain(now + HOUR)
    assert not PushService.objects.exists()


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


def test_a_browser_belongs_to_who_switched_notifications_on_last(
    screen, tell, anna, ben, browser, mail, hook, drain, service
):
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
        ({"url": "http://push.example.org/s"}, "not_https"),
        ({"url": "https://10.0.0.7/s"}, "private_address"),
        ({"url": "https://[::1]/s"}, "private_address"),
        ({"url": "https://localhost/s"}, "private_address"),
        ({"url": "https://push.internal/s"}, "private_address"),
        ({"url": "https://a:b@push.example.org/s"}, "password_in_address"),
        ({"url": "https://push.example.org:22/s"}, "port"),
        ({"url": "javascript:alert(1)"}, "malformed_address"),
        ({"url": "https://push.example.org/" + "x" * 1000}, "malformed_address"),
        ({"url": "https://push.example.org/\nx"}, "malformed_address"),
        ({"public_key": ""}, "device_key"),
        ({"public_key": "BA"}, "device_key"),
        ({"public_key": "!" * 87}, "device_key"),
        ({"public_key": "é" * 87}, "device_key"),
        ({"public_key": "B" + "A" * 86}, "device_key"),  # no point of the curve
        ({"public_key": "A" * 5000}, "device_key"),
        ({"auth_secret": ""}, "device_key"),
        ({"auth_secret": "AAAA"}, "device_key"),
    ],
)
def test_a_forged_subscription_is_refused_in_words(changed, why):
    assert devices.why_not(replace(GOOD, **changed)) == why


def test_a_name_that_leads_to_this_machine_is_refused_when_it_is_called(screen, tell, anna, mail, drain, monkeypatch):
    Browser().subscribe(anna)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_args, **_more: [(2, 1, 6, "", ("127.0.0.1", 443))])
    tell(anna)
    drain()
    assert pushes().get().state == DeliveryState.FAILED and pushes().get().reason == "private_address"
    assert not PushSubscription.objects.exists()
