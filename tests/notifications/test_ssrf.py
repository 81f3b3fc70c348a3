"""Webhooks reach public addresses alone: whatever is written, looked up or answered, no other connection is tried."""

import gzip
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from notifications.channels import http_calls
from notifications.channels.base import Answer, ChannelError
from notifications.channels.http_calls import NOT_PUBLIC, refusal
from notifications.channels.webhook.channel import WebhookChannel
from notifications.channels.webhook.models import Endpoint
from notifications.models import Delivery
from tests.notifications.ssrf import CORPUS, Net
from tests.notifications.web import Server, running_web

INSIDE = [address for addresses in CORPUS["inside"].values() for address in addresses]
WRITTEN = [(url, words) for words, urls in CORPUS["written"].items() for url in urls]
NAME = "hooks.example.org"


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["case"]) for case in cases]


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> Net:
    made = Net()
    made.install(monkeypatch)
    monkeypatch.setattr(http_calls, "_thread", threading.local())  # no other test's connections
    return made


def post(url: str) -> Answer:
    """What the channel does with an address that is stored, whether or not it could be stored today."""
    delivery = Delivery(endpoint=Endpoint(url=url), body="{}", message_id="msg_1")
    return WebhookChannel().send(delivery, None)


def refused(url: str) -> ChannelError:
    with pytest.raises(ChannelError) as raised:
        post(url)
    return raised.value


def literal(address: str) -> str:
    return f"[{address.replace('%', '%25')}]" if ":" in address else address


def test_the_corpus_is_as_large_as_it_is_said_to_be() -> None:
    cases = [*INSIDE, *WRITTEN, *CORPUS["looked_up"], *CORPUS["answered"]]
    assert len(cases) >= 180 and len(set(INSIDE)) == len(INSIDE)


@pytest.mark.parametrize(("url", "words"), WRITTEN)
def test_what_leads_nowhere_good_is_refused_where_it_is_typed_and_when_it_is_stored_all_the_same(
    net: Net, url: str, words: str
) -> None:
    assert refusal(url) == words
    error = refused(url)
    assert (str(error), error.permanent, error.disables_endpoint) == (words, True, True)
    assert net.tried == net.asked == []


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_refused_typed_looked_up_and_where_the_connection_is_opened(
    net: Net, address: str
) -> None:
    assert refusal(f"https://{literal(address)}/x") == NOT_PUBLIC
    net.names[NAME] = [[address]]
    assert refusal(f"https://{NAME}/x") == "", "names are asked for in use, not where they are typed"
    error = refused(f"https://{NAME}/x")
    assert (str(error), error.permanent, error.disables_endpoint) == (NOT_PUBLIC, True, True)
    assert http_calls.is_public(address) is False
    assert net.tried == []


@pytest.mark.parametrize("address", CORPUS["outside"])
def test_an_address_outside_is_reached_and_nothing_else(net: Net, address: str) -> None:
    net.names[NAME] = [[address]]
    for host in (NAME, literal(address)):
        assert refusal(f"https://{host}/x") == ""
        assert not refused(f"https://{host}:8443/x?y=z").permanent, "nobody answers: tried again later"
    assert net.tried == [address] * 2


@pytest.mark.parametrize("case", named(CORPUS["looked_up"]))
def test_the_one_address_that_was_looked_up_is_judged_and_connected_to(net: Net, case: dict[str, Any]) -> None:
    host = case.get("host", NAME)
    net.names[case.get("asked", host).rstrip(".")] = case["answers"]
    error = refused(f"https://{host}/x")
    assert net.tried == case.get("tried", [])
    assert net.asked == [case.get("asked", host)]
    assert error.permanent is case.get("refused", False)
    if case.get("refused"):
        assert str(error) == NOT_PUBLIC
    if case.get("unknown"):
        assert str(error) == http_calls.UNKNOWN_NAME


@pytest.fixture
def two_servers(net: Net, settings: Any) -> Iterator[tuple[Server, Server]]:
    """One that may be called, as on a machine where the service is tried out; and one inside that may not."""
    settings.WEBHOOK_ALLOW_INSECURE = True
    with running_web() as ours, running_web() as inside:
        net.allowed = {("127.0.0.1", ours.port)}
        yield ours, inside


@pytest.mark.parametrize("case", named(CORPUS["answered"]))
def test_no_answer_leads_anywhere_else_or_does_harm(
    net: Net, two_servers: tuple[Server, Server], case: dict[str, Any]
) -> None:
    ours, inside = two_servers
    ours.status, ours.endless = case.get("status", 200), case.get("endless", False)
    ours.headers = {name: value.format(inside=inside.url) for name, value in case.get("headers", {}).items()}
    ours.headers |= {f"X-{number}": "x" for number in range(case.get("flood", 0))}
    ours.headers |= {"X-Long": "x" * case["line"]} if "line" in case else {}
    ours.raw = case["raw"].encode() if "raw" in case else None
    ours.body = gzip.compress(bytes(10_000_000)) if "bomb" in case else b"x" * 65536 if ours.endless else b"ok"
    if case["words"]:
        assert str(refused(ours.url)) == case["words"]
    else:
        assert post(ours.url).code == str(case["status"])
    assert len(ours.requests) == 1 and inside.requests == []
    assert net.tried == ["127.0.0.1"] and net.asked == []
    assert ours.written < 64 * 1024 * 1024


def test_a_server_without_tls_or_without_a_good_certificate_is_told_as_that(
    two_servers: tuple[Server, Server],
) -> None:
    error = refused(two_servers[0].url.replace("http:", "https:"))
    assert str(error) == "certificate"
    assert not error.permanent, "certificates are renewed"


def test_what_is_packed_stays_packed(net: Net, two_servers: tuple[Server, Server]) -> None:
    ours, _inside = two_servers
    ours.headers, ours.body = {"Content-Encoding": "gzip"}, gzip.compress(b"secret")
    assert post(ours.url).excerpt == ""


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])
def test_no_proxy_or_password_of_the_environment_is_used(net: Net, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for none in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(none, raising=False)
    monkeypatch.setenv(name, "http://10.0.0.1:3128")
    net.names[NAME] = [["1.1.1.1"]]
    refused(f"https://{NAME}/x")
    assert net.tried == ["1.1.1.1"] and net.asked == [NAME]


@pytest.mark.parametrize(
    "host", ["10.0.0.7", "192.168.1.20", "[fd00::1]", "169.254.169.254", "printer.local", "0.0.0.0"]
)
def test_an_address_within_the_house_is_refused_when_it_is_typed_on_a_trial_too(settings: Any, host: str) -> None:
    """Calling it would fail: a trial reaches this machine alone."""
    for is_tried_out in (False, True):
        settings.WEBHOOK_ALLOW_INSECURE = is_tried_out
        assert refusal(f"https://{host}/hook") == NOT_PUBLIC
    assert refusal("http://localhost:8000/hook") == refusal("http://127.0.0.1:8000/hook") == ""
