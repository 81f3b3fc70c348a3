"""`/healthz` has a port of its own, where it waits for nobody."""

import http.client
from collections.abc import Iterator

import pytest
from django.conf import settings

from config import health_port
from tests.servers import free_port


@pytest.fixture
def port() -> Iterator[int]:
    """Where two web processes answer."""
    found = free_port()
    servers = [health_port.start(f"127.0.0.1:{found}") for _ in range(2)]
    yield found
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("method", "path", "status", "body"),
    [
        ("GET", "/healthz", 200, f"ok {settings.VERSION}".encode()),
        ("HEAD", "/healthz", 200, b""),
        ("GET", "/", 404, None),
        ("POST", "/", 501, None),
    ],
)
def test_it_says_that_the_process_runs_and_nothing_else(
    port: int, method: str, path: str, status: int, body: bytes | None
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path)
    answer = connection.getresponse()
    assert answer.status == status
    assert body is None or answer.read() == body
    connection.close()


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:", "127.0.0.1:no-port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        health_port.start(address)
