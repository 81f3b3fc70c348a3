"""The private servers of the tests are real and are gone afterwards."""

import socket

import psycopg
import pytest
import redis

from tests import servers
from tests.conftest import NetworkRefused


@pytest.mark.slow
def test_the_private_postgresql_answers(postgres_url):
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_each_test_has_an_empty_database_of_its_own(postgres_server, postgres_url):
    with psycopg.connect(postgres_url) as connection:
        (name,) = connection.execute("SELECT current_database()").fetchone()
    assert name != "postgres"


def test_the_private_redis_answers_and_never_evicts(redis_url):
    client = redis.Redis.from_url(redis_url)
    assert client.ping()
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    client.close()


def test_a_stopped_server_is_gone():
    with servers.running_redis() as url:
        port = int(url.rsplit(":", 1)[1].split("/")[0])
        socket.create_connection(("127.0.0.1", port), 5).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)


def test_no_test_reaches_another_machine():
    with pytest.raises(NetworkRefused):
        socket.create_connection(("192.0.2.1", 80), 1)
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("example.org", 80)
