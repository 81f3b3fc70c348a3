"""Browsers that are signed in, or on their way to it."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from games.accounts.models import User


class Session(AbstractBaseSession):
    """A session as `games.accounts.sign_in.session_store` keeps it: its key hashed, its data sealed.

    allauth's `usersessions` and Django's own table store the key as the cookie has it, and offer no way to change that.
    """

    session_key = models.CharField(max_length=64, primary_key=True)  # longer than Django's: a keyed hash
    # Nobody's while somebody is still signing in. No constraint: the end of a request may outlive the account.
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions", db_constraint=False)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        """What SESSION_ENGINE names."""
        store: type[SessionStore] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
