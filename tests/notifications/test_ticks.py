"""The round every worker does: bounded in number and in time."""

import pytest

from notifications import tasks
from notifications.channels.webhook.sending import TOTAL_SECONDS
from notifications.delivery import sending
from notifications.models import Delivery


def test_a_round_delivers_all_that_is_due(tell, anna, mail):
    for _ in range(3):
        tell(anna)
    assert sending.deliver_due() == 3
    assert set(Delivery.objects.values_list("state", flat=True)) == {"accepted"}
    assert sending.deliver_due() == 0


def test_a_round_ends_after_a_number(monkeypatch):
    asked = []
    monkeypatch.setattr(sending, "deliver", lambda now, most, channel, failing: asked.append(most) or min(most, 15))
    assert sending.deliver_due() == sending.MOST_IN_ROUND == 100
    assert asked == [20] * 6 + [10]


@pytest.mark.parametrize(("seconds", "claimed"), [(0.2, [20, 80]), (0.3, [20, 20, 20, 20, 20])])
def test_as_long_as_they_go_out_quickly_more_are_claimed_at_once(monkeypatch, seconds, claimed):
    clock, asked = [0.0], []

    def deliver(now, most, channel, failing):
        clock[0] += seconds
        asked.append(most)
        return most

    monkeypatch.setattr(sending, "deliver", deliver)
    monkeypatch.setattr(sending.time, "monotonic", lambda: clock[0])
    assert sending.deliver_due() == 100
    assert asked == claimed


def test_a_round_ends_after_a_time(monkeypatch):
    clock = [0.0]

    def slow(now, most, channel, failing):
        clock[0] += 9
        return 1

    monkeypatch.setattr(sending, "deliver", slow)
    monkeypatch.setattr(sending.time, "monotonic", lambda: clock[0])
    assert sending.deliver_due() == 3


def test_what_fails_is_tried_no_later_than_its_timeout_allows(monkeypatch):
    clock, asked = [0.0], []

    def deliver(now, most, channel, failing):
        clock[0] += 4
        asked.append(failing)
        return 1

    monkeypatch.setattr(sending, "deliver", deliver)
    monkeypatch.setattr(sending.time, "monotonic", lambda: clock[0])
    assert sending.deliver_due() == 5
    assert asked == [True, True, False, False, False]
    assert sending.STALL == TOTAL_SECONDS


def test_the_task_has_the_name_the_waker_sends(settings):
    assert tasks.deliver.name == settings.WORKER_HINT_TASKS["deliver"] == "notifications.deliver"
    assert settings.CELERY_TASK_ROUTES[tasks.deliver.name]["queue"] == "deliver"


@pytest.mark.django_db(transaction=True)
def test_the_task_hears_what_came_in_and_does_a_round(tell, anna, mail, monkeypatch):
    heard = []
    monkeypatch.setattr(sending, "handle_waiting_replies", lambda: heard.append(len(mail.sent)))
    tell(anna)
    tasks.deliver()
    assert (heard, len(mail.sent)) == ([0], 1)


@pytest.mark.django_db(transaction=True)
def test_what_breaks_in_one_thread_of_a_round_is_raised_at_its_end(monkeypatch):
    def broken(channel, *_, **__):
        return 1 // (channel != "mail") - 1

    monkeypatch.setattr(sending, "deliver_due", broken)
    monkeypatch.setattr(sending.claims, "is_any_due", lambda _now: True)
    with pytest.raises(ZeroDivisionError):
        sending.deliver_side_by_side()
