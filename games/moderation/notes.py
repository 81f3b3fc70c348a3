"""Notes that moderators leave for each other about a game or a person. Nobody else reads them."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import Forbidden, Illegal
from games.moderation.entries import MODERATE_USER, check_moderator, exclude_own_games
from games.moderation.models import ModeratorNote
from games.people.models import User
from games.speech import checked
from games.tables.models import Game

SHOWN = 50


def add(*, about: Game | User, by: User, text: str, now: datetime) -> ModeratorNote:
    """Adds a note. Raises Forbidden and Conflict as acts do, Illegal for no text or too much."""
    if isinstance(about, Game):
        check_moderator(by, about)
    elif not (by.is_active and by.has_perm(MODERATE_USER)) or about.pk == by.pk:
        raise Forbidden(_("Only another moderator can do that."))
    text = checked(text, ModeratorNote.TEXT_LENGTH)
    if not text:
        raise Illegal(_("Write something first."))
    game, user = (about, None) if isinstance(about, Game) else (None, about)
    return ModeratorNote.objects.create(game=game, user=user, author=by, text=text, created_at=now)


def readable(rows: QuerySet[ModeratorNote], by: User) -> list[ModeratorNote]:
    """Returns the notes that a moderator may read, newest first: none about himself or his own tables."""
    allowed = exclude_own_games(rows.exclude(user=by), by)
    return list(allowed.select_related("author").order_by("-pk")[:SHOWN])
