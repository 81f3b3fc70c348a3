"""API tokens: random, shown once, stored as a digest, each limited to the scopes its owner chose."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.errors import Forbidden, Illegal, LimitReached, NotFound
from games.people import alerts
from games.people.models import ApiToken, User, everyday_scopes
from games.people.names import clean_title
from games.people.staff import is_moderator
from notifications.database.compiled_query import compiled

PREFIX = "crv_"  # so that a key that was published by mistake can be recognised
RANDOM_BYTES = 32
MOST_TOKENS = 20
NOTED_EVERY = timedelta(minutes=1)  # of the uses of a token


@transaction.atomic
def create_token(
    *, user: User, name: str, now: datetime, scopes: Collection[str] = (), has_shown_factor: bool = False
) -> tuple[ApiToken, str]:
    """A new key for this person, who is told by mail: its row, and the key itself, which cannot be shown again.

    Arguments:
        scopes: what it is good for; without any, all but moderating.
        has_shown_factor: whether he has shown his second factor, without which nobody gets a key to moderate with.
    Raises LimitReached when the person has enough of them, Illegal for a scope there is not, Forbidden for one that is
    not his to give.
    """
    wanted = [name for name in ApiToken.Scope.values if name in (scopes or everyday_scopes())]
    if set(scopes) - set(wanted):
        raise Illegal(_("There's no such scope."), code="no-such-choice", field="scopes")
    if ApiToken.Scope.MODERATE in wanted and not (has_shown_factor and is_moderator(user)):
        raise Forbidden(_("Only moderators who have confirmed their second factor can create this kind of token."))
    user.one_at_a_time()
    if user.api_tokens.filter(revoked_at__isnull=True).count() >= MOST_TOKENS:
        raise LimitReached(_("You have too many API tokens. Revoke one you no longer use."))
    token = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    name = clean_title(name) or _("API token")
    row = ApiToken.objects.create(user=user, name=name, digest=digest(token), scopes=wanted, created_at=now)
    alerts.token_made(user=user, name=name, now=now)
    return row, token


def digest(token: str) -> str:
    """Returns the digest that is stored. A key has 256 random bits, so a plain SHA-256 cannot be searched."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def find(token: str, now: datetime) -> ApiToken | None:
    """The row of a key, with its person; None for one that is unknown, revoked, or of an account that is closed.

    The same for a bot that rests, or whose owner's account is closed.
    """
    row = next(iter(_usable(digest(token))), None)
    if row is not None and (row.last_used_at is None or now - row.last_used_at >= NOTED_EVERY):
        is_old = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
        ApiToken.objects.filter(is_old, pk=row.pk).update(last_used_at=now)
    return row


@compiled("user", "user__recipient")
def _usable(digest: str) -> QuerySet[ApiToken]:
    return _all_usable().filter(digest=digest)


def _all_usable() -> QuerySet[ApiToken]:
    able = Q(user__owner=None) | Q(user__owner__is_active=True, user__paused_at=None)
    return ApiToken.objects.filter(able, revoked_at__isnull=True, user__is_active=True)


def find_usable(rows: Collection[int]) -> set[int]:
    """Returns which of these keys of rows are of tokens that are good at this moment."""
    return set(_all_usable().filter(pk__in=rows).values_list("pk", flat=True))


def is_of_closed_account(token: str) -> bool:
    """Whether it would be good if no moderator had closed the account, or that of the bot's owner."""
    closed = Q(user__is_active=False) | Q(user__owner__is_active=False)
    return ApiToken.objects.filter(
        closed, digest=digest(token), revoked_at=None, user__erasure=None, user__erased_at=None
    ).exists()


def revoke(*, user: User, ref: str, now: datetime) -> None:
    """Makes one of the person's keys void at once. Harmless when it is already; raises NotFound if it is not his."""
    rows = ApiToken.objects.filter(user=user, ref=ref)
    if not rows.filter(revoked_at__isnull=True).update(revoked_at=now) and not rows.exists():
        raise NotFound(_("There's no such token."))
