"""Whether a mail is from whom it says: by the results our own mail server wrote on it (RFC 8601), and by nothing else.

Anybody can write such a header. Ours is on top, because every server adds its own above what is there; it names
MAIL_AUTHSERV_ID, and only the first that does is read. Our server must remove foreign ones of that name (RFC 8601, 5).
"""

from email.message import Message

import authres
from django.conf import settings


def is_authentic(mail: Message, sender: str) -> bool:
    """Whether our server found that the domain of `sender` (the From address) stands behind this mail."""
    wanted = settings.MAIL_AUTHSERV_ID.lower()
    results = _ours(mail, wanted) if wanted else None
    domain = sender.rpartition("@")[2].lower()
    return bool(domain) and results is not None and _passed(results, domain)


def _ours(mail: Message, wanted: str) -> list[authres.AuthenticationResult] | None:
    """The results of the topmost header of ours, or None. One that cannot be read is not skipped: it proves nothing."""
    for value in mail.get_all("Authentication-Results", []):
        text = " ".join(str(value).split())
        if text.split(";", 1)[0].split(" ", 1)[0].lower() != wanted:
            continue
        try:
            found = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
        except (authres.AuthResError, RecursionError, ValueError):
            return None
        return list(found.results)
    return None


def _passed(results: list[authres.AuthenticationResult], domain: str) -> bool:
    """DMARC's verdict where there is one (RFC 7489); else a signature, or a sending server, of the domain itself."""
    verdicts = [one for one in results if one.method == "dmarc"]
    if verdicts:
        return all(one.result == "pass" and _property(one, "header", "from") in ("", domain) for one in verdicts)
    signed = any(_is_aligned(one, "dkim", ("header", "d"), domain) for one in results)
    return signed or any(_is_aligned(one, "spf", ("smtp", "mailfrom"), domain) for one in results)


def _is_aligned(one: authres.AuthenticationResult, method: str, name: tuple[str, str], domain: str) -> bool:
    """Strictly (RFC 7489, 3.1): the same domain, for to know which domains belong together takes a list of them all."""
    return one.method == method and one.result == "pass" and _property(one, *name).rpartition("@")[2] == domain


def _property(one: authres.AuthenticationResult, kind: str, name: str) -> str:
    found = [str(item.value).lower() for item in one.properties if (item.type, item.name) == (kind, name)]
    return found[0] if len(found) == 1 else ""
