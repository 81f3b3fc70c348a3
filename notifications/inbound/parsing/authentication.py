"""Whether a mail is from whom it says: by the results our own mail server wrote on it (RFC 8601), and by nothing else.

Anybody can write such a header. Ours is on top, because every server adds its own above what is there; it names
MAIL_AUTHSERV_ID, and only the first that does is read. Our server must remove foreign ones of that name (RFC 8601, 5).
"""

import logging
import re
from email.message import Message

import authres
from django.conf import settings

log = logging.getLogger(__name__)
UNPRINTABLE = re.compile(r"[^a-z0-9._-]")
MOST_NAMES, LONGEST_NAME = 5, 60  # of other servers' in the log: anybody can write such a header


def can_prove() -> bool:
    """Whether a mail server of ours says who wrote a mail. Without one every reply must be confirmed."""
    return bool(settings.MAIL_AUTHSERV_ID)


def is_authentic(mail: Message, sender: str) -> bool:
    """Whether our server found that the domain of `sender` (the From address) stands behind this mail."""
    wanted = settings.MAIL_AUTHSERV_ID.lower()
    results = _ours(mail, wanted) if wanted else None
    domain = sender.rpartition("@")[2].lower()
    return bool(domain) and results is not None and _passed(results, domain)


def _ours(mail: Message, wanted: str) -> list[authres.AuthenticationResult] | None:
    """The results of the topmost header of ours, or None. One that cannot be read is not skipped: it proves nothing."""
    found_of = []
    for value in mail.get_all("Authentication-Results", []):
        text = " ".join(str(value).split())
        found_of.append(text.split(";", 1)[0].split(" ", 1)[0].lower())
        if found_of[-1] != wanted:
            continue
        try:
            found = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
        except (authres.AuthResError, RecursionError, ValueError):
            return None
        return list(found.results)
    # Nearly always the setting is wrong. Then every answer is held, and who runs the service hears of it here alone.
    others = ", ".join(UNPRINTABLE.sub("?", name)[:LONGEST_NAME] for name in found_of[:MOST_NAMES])
    log.warning(
        "An answer has no Authentication-Results of %s (MAIL_AUTHSERV_ID), but of: %s", wanted, others or "nobody"
    )
    return None


def _passed(results: list[authres.AuthenticationResult], domain: str) -> bool:
    """DMARC's verdict where there is one (RFC 7489); else a signature, or a sending server, of the domain itself.

    A verdict counts for the domain that it names: one that names none may be about any other From field.
    """
    verdicts = [one for one in results if one.method == "dmarc"]
    if verdicts:
        return all(one.result == "pass" and _property(one, "header", "from") == domain for one in verdicts)
    signed = any(_is_aligned(one, "dkim", ("header", "d"), domain) for one in results)
    return signed or any(_is_aligned(one, "spf", ("smtp", "mailfrom"), domain) for one in results)


def _is_aligned(one: authres.AuthenticationResult, method: str, name: tuple[str, str], domain: str) -> bool:
    """Strictly (RFC 7489, 3.1): the same domain, for to know which domains belong together takes a list of them all."""
    return one.method == method and one.result == "pass" and _property(one, *name).rpartition("@")[2] == domain


def _property(one: authres.AuthenticationResult, kind: str, name: str) -> str:
    found = [str(item.value).lower() for item in one.properties if (item.type, item.name) == (kind, name)]
    return found[0] if len(found) == 1 else ""
