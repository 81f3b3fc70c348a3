"""Webhooks reach public addresses alone: whatever is written, looked up or answered, no other connection is opened."""

import socket

import pytest

from notifications.channels import ChannelError, guard, webhook
from notifications.composers import WebhookMessage
from notifications.models import Delivery, Endpoint

pytestmark = pytest.mark.django_db

PRIVATE = [
    "127.0.0.1", "127.8.8.8", "0.0.0.1", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254",
    "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.254", "192.0.0.8", "192.0.2.1", "198.18.0.1",
    "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1", "5f00::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::10.0.0.1",
    "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::", "2001::1",
    "2001:0:7f00:1::", "2001:10::1", "2001:20::1", "::ffff:0:127.0.0.1", "3fff::1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::64"]


@pytest.fixture
def connects(monkeypatch):
    """Every attempt to open a connection, none of which succeeds."""
    seen = []

    def connect(self, address):
        seen.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    return seen


@pytest.fixture
def names(monkeypatch):
    """A name server under the control of a test: gives its answers in turn, the last one for ever."""
    answers = []
    asked = []

    def getaddrinfo(host, port, *args, **kwargs):
        if host in PUBLIC:
            address = host
        else:
            asked.append(host)
            address = answers.pop(0) if len(answers) > 1 else answers[0]
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)[: 4 if ":" in address else 2])]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    answers.append("1.1.1.1")
    return answers, asked


@pytest.fixture
def post(tell, ben, now):
    def post(url):
        Endpoint.objects.update(url=url)
        tell(ben)
        delivery = Delivery.objects.filter(channel="webhook").select_related("endpoint").latest("pk")
        with pytest.raises(ChannelError) as raised:
            webhook.WebhookChannel().send(delivery, WebhookMessage("t", now, {}))
        return raised.value

    return post


@pytest.mark.parametrize("address", PRIVATE)
def test_no_name_leads_to_a_private_address(connects, names, post, address):
    names[0][:] = [address]
    error = post("https://hooks.example.org/x")
    assert connects == []
    assert error.permanent and error.disables_endpoint


@pytest.mark.parametrize("address", PRIVATE)
def test_the_address_is_judged_again_where_the_connection_is_opened(address):
    assert guard.is_public(address) is False


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reached_and_nothing_else(connects, names, post, address):
    names[0][:] = [address]
    error = post("https://hooks.example.org/x")
    assert connects == [address]
    assert not error.permanent
    assert guard.is_public(address) is True


def test_a_name_that_changes_its_mind_is_asked_once(connects, names, post):
    names[0][:] = ["1.1.1.1", "127.0.0.1"]
    post("https://hooks.example.org/x")
    assert connects == ["1.1.1.1"] and names[1].count("hooks.example.org") == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/x",
        "https://hooks.example.org:80/x",
        "https://hooks.example.org:6379/x",
        "https://hooks.example.org:0/x",
        "https://hooks.example.org:99999/x",
        "https://user@hooks.example.org/x",
        "https://user:password@hooks.example.org/x",
        "https://:@hooks.example.org/x",
        "ftp://hooks.example.org/x",
        "file:///etc/passwd",
        "gopher://hooks.example.org/x",
        "https:///x",
        "https://",
        "//hooks.example.org/x",
        "hooks.example.org",
        "",
        "https://[::1/x",
        "javascript:alert(1)",
    ],
)
def test_addresses_of_other_kinds_are_refused_for_good(connects, names, post, url):
    error = post(url)
    assert connects == []
    assert error.permanent and error.disables_endpoint
    assert webhook.refusal(url) != ""


@pytest.mark.parametrize("url", ["https://hooks.example.org/x", "https://hooks.example.org:8443/x?y=z"])
def test_ordinary_addresses_are_not(url):
    assert webhook.refusal(url) == ""


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "localhost.", "[::1]"]
)
def test_other_spellings_of_this_machine_lead_nowhere(connects, monkeypatch, post, host):
    def getaddrinfo(name, port, *args, **kwargs):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]  # as the system reads all of them

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert post(f"https://{host}/x").permanent
    assert connects == []


def test_no_proxy_or_password_of_the_environment_is_used(connects, names, post, monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://10.0.0.1:3128")
    post("https://hooks.example.org/x")
    assert connects == ["1.1.1.1"] and names[1] == ["hooks.example.org"]
