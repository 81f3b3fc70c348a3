"""Which part of a mail its writer wrote: one text or none (RFC 2046). Attached files and messages are not his words."""

from email.message import Message

from notifications.inbound.parsing import raw

CLOSED = ("multipart/digest", "multipart/report")  # other people's mails, and what mail servers write


def own_part(mail: Message) -> Message | None:
    """The text that the writer wrote himself, plain or HTML, or None. It may be empty: nothing else is his then.

    In each multipart one child is followed, so a second text (a file shown inline, the footer of a list) is never read.
    """
    if raw.is_file(mail) or mail.get_content_type() in CLOSED:
        return None
    if mail.get_content_type() in raw.WORDS:
        return mail
    payload = mail.get_payload()
    if mail.get_content_maintype() != "multipart" or not isinstance(payload, list):
        return None
    children = [part for part in payload if isinstance(part, Message)]
    if mail.get_content_type() == "multipart/alternative":
        return _of_alternatives(children)
    child = _root(mail, children) if mail.get_content_type() in ("multipart/related", "multipart/signed") else None
    if child is None:  # not by its truth: a part without a head is false for Python
        child = next((part for part in children if not raw.is_file(part) and not _is_picture(part)), None)
    return own_part(child) if child is not None else None


def _of_alternatives(children: list[Message]) -> Message | None:
    """The plain text among several ways to write the same, without one the first that is a text at all."""
    found = [part for child in children if (part := own_part(child)) is not None]
    plain = (part for part in found if part in children and part.get_content_type() == "text/plain")
    return next(plain, found[0] if found else None)


def _root(mail: Message, children: list[Message]) -> Message | None:
    """The part of a multipart/related that the others belong to (RFC 2387): that named by `start`, else the first."""
    start = str(mail.get_param("start", "") or "").strip()
    named = (part for part in children if start and str(part.get("Content-ID", "")).strip() == start)
    return next(named, children[0] if children else None)


def _is_picture(part: Message) -> bool:
    """Whether a part is shown or heard, and holds no words: programs put photos before the words as well."""
    return part.get_content_maintype() in ("image", "audio", "video")
