"""The retry tables."""

import datetime as dt

import pytest

from notifications.delivery import sending

SECOND, MINUTE, HOUR = dt.timedelta(seconds=1), dt.timedelta(minutes=1), dt.timedelta(hours=1)


@pytest.mark.parametrize(
    ("tries", "delay"),
    [
        (1, 5 * SECOND),
        (2, 5 * MINUTE),
        (3, 30 * MINUTE),
        (4, 2 * HOUR),
        (5, 5 * HOUR),
        (6, 10 * HOUR),
        (7, 14 * HOUR),
        (8, 20 * HOUR),
        (9, 24 * HOUR),
        (10, None),
        (11, None),
    ],
)
def test_webhooks_follow_the_table_of_standard_webhooks(tries, delay):
    assert sending.delay_after("webhook", tries, draw=0) == delay


def test_webhooks_are_tried_ten_times_over_seventy_five_hours_and_thirty_five_minutes():
    delays = [sending.delay_after("webhook", tries, draw=0) for tries in range(1, 10)]
    assert sending.tries_allowed("webhook") == 10
    assert sum(delays, dt.timedelta()) == 75 * HOUR + 35 * MINUTE + 5 * SECOND


def test_mail_is_tried_again_within_the_minute_and_for_almost_two_days():
    delays = [sending.delay_after("mail", tries, draw=0) for tries in range(1, sending.tries_allowed("mail"))]
    assert delays == sorted(delays) and delays[0] < MINUTE
    assert 40 * HOUR < sum(delays, dt.timedelta()) < 48 * HOUR


@pytest.mark.parametrize("channel", ["mail", "webhook"])
def test_jitter_only_adds_and_stays_within_its_share(channel):
    for tries in range(1, sending.tries_allowed(channel)):
        least = sending.delay_after(channel, tries, draw=0)
        most = sending.delay_after(channel, tries, draw=0.999)
        assert least < most < least * (1 + sending.JITTER)


@pytest.mark.parametrize(
    ("_case", "asked", "expected"),
    [
        ("nothing", None, 5 * SECOND),
        ("less than we would wait", SECOND, 5 * SECOND),
        ("more", 3 * HOUR, 3 * HOUR),
        ("for ever", dt.timedelta(days=365), 24 * HOUR),
    ],
)
def test_retry_after_is_obeyed_within_reason(_case, asked, expected):
    assert sending.delay_after("webhook", 1, draw=0, retry_after=asked) == expected
