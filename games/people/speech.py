"""People's words to others: cleaned of what is not seen, and refused from people who are muted."""

import unicodedata
from datetime import datetime

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.errors import Forbidden, Illegal
from games.people.models import User

KEPT_CONTROLS = "\n\t"
# They turn the order of what stands behind them, beyond the end of their own text (Unicode UAX 9, 2.1-2.5).
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def refuse_muted(user: User, now: datetime) -> None:
    """Raises Forbidden for who is muted by a moderator, and for a bot of such a person."""
    speaker = User.objects.select_related("owner").get(pk=user.pk)
    if any(who.silent_until is not None and who.silent_until > now for who in (speaker, speaker.owner or speaker)):
        raise Forbidden(_("A moderator has muted you at all tables for a while. You can still play."))


def checked(text: str, longest: int) -> str:
    """Returns the text without invisible characters. Raises Illegal if it is longer than `longest` characters."""
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    cleaned = "".join(sign for sign in plain if _is_kept(sign)).strip()
    if len(cleaned) > longest:
        words = ngettext("At most %(most)d character.", "At most %(most)d characters.", longest) % {"most": longest}
        raise Illegal(_("That's too long. Nothing was saved.") + " " + words, code="too-long", field="text")
    return cleaned


def _is_kept(sign: str) -> bool:
    return sign in KEPT_CONTROLS or not (unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") or sign in TURNING)


def current_language() -> str:
    """The active language without its region, such as "es"."""
    return (get_language() or "en").split("-", 1)[0]
