"""Hints that several accounts belong to one person: shown to moderators, never acted on by the service.

Of each sign-in two keyed hashes are stored, of the network address and of address and browser: they can be compared,
and nothing can be read from them. They are deleted after `KEPT`. People of one household share them too: a hint is no
proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.people.models import SignIn, User
from games.tables.seats import SeatTenure

KEPT = timedelta(days=settings.KEEP_DAYS["sign_ins"])
MOST = 20  # accounts shown
FEW_GAMES = 3  # together, before that is mentioned


@dataclass(frozen=True)
class Hint:
    """Another account, and what it has in common with the one in question."""

    user: User
    signs: list[str]


def record_sign_in(*, user: User, address: str, browser: str, now: datetime) -> None:
    """Stores keyed hashes of the network and the browser of a sign-in, and deletes the expired ones.

    Arguments:
        address: of the network; "" if unknown: then nothing is stored.
        browser: the User-Agent.
    """
    SignIn.objects.filter(at__lte=now - KEPT).delete()
    if not address:
        return
    for kind, value in ((SignIn.Kind.NETWORK, address), (SignIn.Kind.BROWSER, f"{address}|{browser}")):
        SignIn.objects.update_or_create(user=user, kind=kind, mark=_hashed(kind, value), defaults={"at": now})


def find_hints(user: User, now: datetime) -> list[Hint]:
    """Returns the accounts that have most in common with this one; [] for most people."""
    signs: dict[int, list[str]] = {}
    for other, sign in (*_same_marks(user, now), *_same_mailbox(user)):
        signs.setdefault(other, []).append(sign)
    for other, sign in _same_tables(user):
        if other in signs:  # to play together is no sign by itself
            signs[other].append(sign)
    ranked = sorted(signs, key=lambda pk: -len(signs[pk]))[:MOST]
    people = User.objects.in_bulk(ranked)
    return [Hint(people[pk], signs[pk]) for pk in ranked]


def _same_marks(user: User, now: datetime) -> Iterator[tuple[int, str]]:
    words = {SignIn.Kind.NETWORK: _("the same network"), SignIn.Kind.BROWSER: _("the same kind of browser there")}
    own = SignIn.objects.filter(user=user, at__gt=now - KEPT).values("mark")
    rows = SignIn.objects.filter(mark__in=own, at__gt=now - KEPT).exclude(user=user)
    for pk, kind in sorted(set(rows.values_list("user", "kind"))):
        yield pk, words[SignIn.Kind(kind)]


def _same_mailbox(user: User) -> Iterator[tuple[int, str]]:
    """Addresses that lead to one mailbox with many providers: "anna+two@example.org"."""
    name, _at, domain = user.email.partition("@")
    base = name.partition("+")[0]
    others = User.objects.exclude(pk=user.pk).filter(email__endswith=f"@{domain}", email__startswith=base)
    for other in others:
        if other.email.partition("@")[0].partition("+")[0] == base:
            yield other.pk, _("the same mailbox with another ending")


def _same_tables(user: User) -> Iterator[tuple[int, str]]:
    games = set(user.tenures.values_list("seat__game", flat=True))
    count = len(games)
    together: dict[int, int] = {}
    others = SeatTenure.objects.filter(seat__game__in=user.tenures.values("seat__game")).exclude(user=user)
    for pk, _game in others.values_list("user", "seat__game").distinct():
        together[pk] = together.get(pk, 0) + 1
    for pk, number in together.items():
        if number >= FEW_GAMES:
            words = ngettext("%(number)s of %(all)s game together", "%(number)s of %(all)s games together", count)
            yield pk, words % {"number": number, "all": count}


def _hashed(kind: str, value: str) -> str:
    return salted_hmac(f"games.{kind}", value, secret=settings.SUPPRESSION_KEY, algorithm="sha256").hexdigest()
