"""Somebody who has signed in just now, or a while ago."""

from datetime import timedelta

from django.contrib.auth import SESSION_KEY
from django.test import Client

from games.models import User
from games.people import sessions
from notifications.clock import present

HOUR = timedelta(hours=1)


def freshly(client: Client, minutes: float = 0) -> None:
    """The person whose session it is has signed in so many minutes ago, to an account that is an hour old."""
    session = client.session
    User.objects.filter(pk=session[SESSION_KEY]).update(date_joined=present.now() - HOUR)
    session[sessions.SINCE] = (present.now() - timedelta(minutes=minutes)).timestamp()
    session.save()
