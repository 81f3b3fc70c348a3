"""Somebody who has signed in just now, or a while ago."""

from datetime import timedelta

from django.test import Client

from games.accounts.sign_in import sessions
from notifications.clock import present


def freshly(client: Client, minutes: float = 0) -> None:
    """The person whose session it is has signed in so many minutes ago."""
    session = client.session
    session[sessions.SINCE] = (present.now() - timedelta(minutes=minutes)).timestamp()
    session.save()
