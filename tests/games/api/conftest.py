"""A program with a token: what it sends, and what it gets."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.api.access import ReadThrottle
from games.models import ApiToken, User
from games.people import tokens


class Program:
    """Talks to the API for one person."""

    def __init__(self, user: User) -> None:
        _row, self.token = tokens.create_token(user=user, name="bot", now=timezone.now())
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.client = Client()

    @classmethod
    def with_scopes(cls, user: User, *scopes: str) -> "Program":
        """A program whose token is good for these alone; a moderator's has seen the second factor."""
        made = cls(user)
        row = ApiToken.objects.get(digest=tokens.digest(made.token))
        row.scopes = list(scopes)
        row.save()
        return made

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        """The JSON behind /api/v1/<path>."""
        response = self.client.get(f"/api/v1/{path}", headers=self.headers | headers)
        assert response.status_code == status, response.content
        return response.json()

    def post(self, path: str, data: Any = None, status: int = 200, **headers: str) -> Any:
        """What sending this there is answered with."""
        body = data if isinstance(data, (bytes, str)) else json.dumps({} if data is None else data)
        response = self.client.post(
            f"/api/v1/{path}",
            body,
            content_type="application/json",
            headers=self.headers | {name.replace("_", "-"): value for name, value in headers.items()},
        )
        assert response.status_code == status, response.content
        return response.json() if response.content else None

    def put(self, path: str, data: Any, status: int = 200) -> Any:
        """What putting this there is answered with."""
        return self._send("put", path, data, status)

    def patch(self, path: str, data: Any, status: int = 200) -> Any:
        """What changing a part of it is answered with."""
        return self._send("patch", path, data, status)

    def _send(self, method: str, path: str, data: Any, status: int) -> Any:
        send = getattr(self.client, method)
        response = send(f"/api/v1/{path}", json.dumps(data), content_type="application/json", headers=self.headers)
        assert response.status_code == status, response.content
        return response.json()

    def delete(self, path: str, status: int = 204) -> Any:
        """Takes back what is there; what that is answered with."""
        response = self.client.delete(f"/api/v1/{path}", headers=self.headers)
        assert response.status_code == status, response.content
        return response.json() if response.content else None


@pytest.fixture(autouse=True)
def uncounted() -> None:
    """What other tests asked does not count against this one's limits."""
    ReadThrottle.cache.clear()


@pytest.fixture
def program() -> Callable[[User], Program]:
    """Makes a program for a person."""
    return Program


@pytest.fixture
def annas(anna: User) -> Program:
    """The host's program."""
    return Program(anna)
