"""Web servers that take their time, and answer well in the end, keep no mail and not all who send waiting."""

import contextlib
import threading
import time

import pytest
from django.db import connection

from notifications.delivery import claims, sending
from notifications.models import Delivery, Endpoint, Recipient
from tests.notifications.web import running_web

PATIENCE = 60.0  # seconds until a test gives up


@pytest.fixture
def carla(db):
    return Recipient.objects.create(address="carla@example.org", name="Carla")


@pytest.fixture
def hooks(anna, carla, settings):
    """One sender may wait for web servers; Anna and Carla have a webhook, each at an address of its own."""
    settings.WEBHOOKS_AT_ONCE = 1
    return [
        Endpoint.objects.create(recipient=one, url=f"https://{one.name.lower()}.example.org/hook")
        for one in (anna, carla)
    ]


def channels(claimed):
    return [claim.delivery.channel for claim in claimed]


@pytest.mark.django_db
def test_while_enough_wait_for_web_servers_others_claim_mails_alone(tell, anna, carla, hooks, now):
    tell(anna)
    first = claims.claim(now)
    tell(carla)
    assert channels(first) == ["mail", "webhook"]
    assert channels(claims.claim(now)) == ["mail"] and claims.claim(now) == []
    sending.finish(first[1], {first[1].delivery: sending.UNSAID}, now)
    assert channels(claims.claim(now)) == ["webhook"]


@pytest.mark.django_db
def test_what_one_claimer_holds_counts_once_and_what_a_dead_one_held_does_not(tell, anna, carla, hooks, now, settings):
    settings.WEBHOOKS_AT_ONCE = 2
    tell(anna)
    tell(carla)
    assert channels(claims.claim(now)) == ["mail", "mail", "webhook", "webhook"]
    ben = Recipient.objects.create(address="ben@example.org", name="Ben")
    Endpoint.objects.create(recipient=ben, url="https://ben.example.org/hook")
    tell(ben)
    assert channels(claims.claim(now)) == ["mail", "webhook"]
    assert claims.claim(now) == []
    later = now + claims.LEASE
    again = [one for batch in iter(lambda: claims.claim(later, 1), []) for one in batch]  # each by itself
    assert sorted(channels(again)) == ["mail", "mail", "mail", "webhook", "webhook"]


@pytest.mark.django_db
def test_without_a_bound_all_are_claimed(tell, anna, carla, hooks, now, settings):
    settings.WEBHOOKS_AT_ONCE = 0
    tell(anna)
    claims.claim(now)
    tell(carla)
    assert channels(claims.claim(now)) == ["mail", "webhook"]


@contextlib.contextmanager
def senders(number, now):
    """So many threads that send whatever is due, as workers do."""
    stop = threading.Event()

    def work():
        while not stop.is_set():
            if not sending.deliver(now):
                time.sleep(0.01)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def wait_until(is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "never"
        time.sleep(0.01)


def is_sent(notice, channel):
    return Delivery.objects.filter(notice=notice, channel=channel, state="accepted").exists()


@pytest.mark.django_db(transaction=True)
def test_a_mail_goes_out_while_every_web_server_keeps_its_answer_back(tell, anna, carla, hooks, mail, now, settings):
    settings.WEBHOOK_ALLOW_INSECURE = True
    ben = Recipient.objects.create(address="ben@example.org", name="Ben")
    with running_web() as web:
        for hook in hooks:
            hook.url = web.url + hook.recipient.name
            hook.save()
        web.answers.clear()
        with senders(2, now):
            try:
                first = tell(anna)
                wait_until(lambda: len(web.requests) == 1)
                second = tell(carla)
                wait_until(lambda: is_sent(second, "mail"))  # who sent it would call Carla's web server now
                third = tell(ben)
                wait_until(lambda: is_sent(third, "mail"))
                assert len(web.requests) == 1
            finally:
                web.answers.set()
            wait_until(lambda: is_sent(first, "webhook") and is_sent(second, "webhook"))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_claimers_at_the_same_moment_no_more_get_webhooks(tell, anna, now, settings):
    settings.WEBHOOKS_AT_ONCE = 1
    for number in range(12):
        Endpoint.objects.create(recipient=anna, url=f"https://{number}.example.org/hook")
    tell(anna)
    taken, start = [], threading.Barrier(4)

    def work():
        start.wait()
        while claimed := claims.claim(now, 2):
            taken.append({claim.delivery.lease_owner for claim in claimed if claim.delivery.channel == "webhook"})
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while claimed := claims.claim(now, 2):
        taken.append({claim.delivery.lease_owner for claim in claimed if claim.delivery.channel == "webhook"})
    assert len(set().union(*taken)) == 1
