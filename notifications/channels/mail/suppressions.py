"""Addresses that are not written to, as keyed hashes, so that the list tells nobody who is on it."""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from notifications.database.compiled_query import compiled, pad_to_power_of_two
from notifications.models import Suppression
from notifications.reasons import declare

# Why an address is not written to.
ASKED = declare("unsubscribed", gettext_noop("its owner has asked for no more email"))
BOUNCED = declare("bounced", gettext_noop("email to it bounced"))
COMPLAINED = declare("marked_as_spam", gettext_noop("our email was marked as spam there"))
ERASED = declare("account_deleted", gettext_noop("the account was deleted"))
REASONS = (ASKED, BOUNCED, COMPLAINED, ERASED)


def suppress(address: str, reason: str) -> None:
    """Remember that an address wants no mail; a second time changes nothing."""
    suppress_hash(hash_address(address), reason)


def is_suppressed(address: str) -> bool:
    """Whether an address is not written to."""
    return is_hash_suppressed(hash_address(address))


def why_suppressed(address: str) -> str:
    """Why an address is not written to, or ""."""
    found = Suppression.objects.filter(address_hash=hash_address(address)).values_list("reason", flat=True).first()
    return found or ""


def find_reasons(addresses: Iterable[str]) -> dict[str, str]:
    """Why addresses are not written to, for those of them that are not; one statement for all."""
    hashes = {address: hash_address(address) for address in addresses if address}
    asked = pad_to_power_of_two(set(hashes.values()))
    found = {row.address_hash: row.reason for row in _known(*asked)} if hashes else {}
    return {address: found[its] for address, its in hashes.items() if its in found}


@compiled()
def _known(*hashes: str) -> QuerySet[Suppression]:
    return Suppression.objects.filter(address_hash__in=hashes)


def lift_erased(address: str) -> None:
    """Somebody with this address is here again of his own will: that he once went does not count any more."""
    lift_hash(hash_address(address), ERASED)


def suppress_hash(address_hash: str, reason: str) -> None:
    """The same for an address known by its hash alone. What an address cannot take outweighs what was asked."""
    row, is_new = Suppression.objects.get_or_create(address_hash=address_hash, defaults={"reason": reason[:200]})
    if not is_new and row.reason == ASKED and reason != ASKED:
        Suppression.objects.filter(pk=row.pk).update(reason=reason[:200])


def lift_hash(address_hash: str, reason: str) -> None:
    """Forget a wish, if it was made for this reason: what a moderator or a complaint brought stays."""
    Suppression.objects.filter(address_hash=address_hash, reason=reason).delete()


def is_hash_suppressed(address_hash: str) -> bool:
    """Whether the address with this hash is not written to."""
    return Suppression.objects.filter(address_hash=address_hash).exists()


def hash_address(address: str) -> str:
    """Return the HMAC-SHA256 of the normalised address under SUPPRESSION_KEY, in hex."""
    return hmac.new(settings.SUPPRESSION_KEY.encode(), normalised(address).encode(), hashlib.sha256).hexdigest()


def normalised(address: str) -> str:
    """Return the form under which two spellings of one mailbox are the same: no spaces around, NFC, small letters."""
    return unicodedata.normalize("NFC", address.strip()).casefold()
