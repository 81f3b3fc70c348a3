"""Somebody who has signed in just now, or a while ago."""

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.internal.flows.login import record_authentication
from django.test import Client, RequestFactory

from games.models import User


def freshly(client: Client, minutes: int = 0) -> None:
    """The person whose session it is has signed in so many minutes ago."""
    request = RequestFactory().get("/")
    request.session = client.session
    record_authentication(request, User.objects.get(pk=request.session["_auth_user_id"]), method="code")
    request.session[AUTHENTICATION_METHODS_SESSION_KEY][-1]["at"] -= 60 * minutes
    request.session.save()
