""" "Never write to me again": addresses as keyed hashes, so that the list tells nobody who is on it."""

import hashlib
import hmac
import unicodedata

from django.conf import settings

from notifications.models import Suppression


def suppress(address: str, reason: str) -> None:
    """Remember that an address wants no mail; a second time changes nothing."""
    suppress_hash(hashed(address), reason)


def is_suppressed(address: str) -> bool:
    """Whether an address asked never to be written to."""
    return is_hash_suppressed(hashed(address))


def suppress_hash(address_hash: str, reason: str) -> None:
    """The same for an address known by its hash alone."""
    Suppression.objects.get_or_create(address_hash=address_hash, defaults={"reason": reason[:200]})


def lift_hash(address_hash: str, reason: str) -> None:
    """Forget a wish, if it was made for this reason: what a moderator or a complaint brought stays."""
    Suppression.objects.filter(address_hash=address_hash, reason=reason).delete()


def is_hash_suppressed(address_hash: str) -> bool:
    """Whether the address with this hash asked never to be written to."""
    return Suppression.objects.filter(address_hash=address_hash).exists()


def hashed(address: str) -> str:
    """Return the HMAC-SHA256 of the normalised address under SUPPRESSION_KEY, in hex."""
    return hmac.new(settings.SUPPRESSION_KEY.encode(), normalised(address).encode(), hashlib.sha256).hexdigest()


def normalised(address: str) -> str:
    """Return the form under which two spellings of one mailbox are the same: no spaces around, NFC, small letters."""
    return unicodedata.normalize("NFC", address.strip()).casefold()
