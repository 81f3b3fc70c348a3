"""Table talk and private notes."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.errors import Illegal, NotFound, check_rate
from games.people import speech
from games.people.blocks import blocked_by, has_blocked
from games.people.models import User
from games.play.models import LONGEST_COMMENT, LONGEST_NOTE, Comment, Look, Note
from games.play.notify import seat_subject
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.outbox import Notification, notify

# What one person may write, at all tables together.
LIMITS = ((6, timedelta(minutes=1)), (100, timedelta(days=1)))
SAME_WITHIN = timedelta(minutes=1)  # the same words again within this time are a second click


@transaction.atomic
def say(*, game_id: int, user: User, text: str, now: datetime) -> Comment:
    """Adds a comment to the table talk; notifies the players that it mentions with @, and those who hear every message.

    Arguments:
        text: plain text; invisible and direction characters are removed.
    Raises NotFound (not at this table), Forbidden (silenced), Illegal (nothing written, or too much) and TooMany.
    """
    # One line at a time at a table: their keys grow in the order in which others see them, by which streams go on.
    game = Game.objects.select_for_update().defer("state").get(pk=game_id)
    user.one_at_a_time()  # his lines are counted
    speech.refuse_muted(user, now)
    seats = list(game.seats.select_related("user__recipient"))
    seat = _seat_at(game, seats, user)
    name, hidden_seat = user.name if seat is None else seat.name or seat.display_name, None
    if seat is not None and seat.hides_name:  # before the game its number says when he sat down
        hidden_seat = seat.number + 1 if game.started_at else 0
    cleaned = speech.checked(text, LONGEST_COMMENT)
    if not cleaned:
        raise Illegal(_("Write something first."), code="missing", field="text")
    lately = Comment.objects.filter(author=user)
    repeated = lately.filter(game=game, text=cleaned, created_at__gt=now - SAME_WITHIN).last()
    if repeated is not None:
        return repeated
    message = _("You've written a lot in a short time. Please wait a bit; your message wasn't sent.")
    for most, within in LIMITS:
        check_rate(lately, most=most, within=within, now=now, message=message)
    comment = Comment.objects.create(
        game=game, author=user, name=name, hidden_seat=hidden_seat, text=cleaned, created_at=now
    )
    named = {seat.pk for seat in mentioned(cleaned, seats)}
    for seat in seats:
        if seat.pk in named or seat.hears_all_talk:
            seat.game = game
            _notify(comment, seat, now)
    return comment


def _notify(comment: Comment, seat: Seat, now: datetime) -> None:
    """Notifies a player, unless he is the author or has blocked the author."""
    if seat.user is None or comment.author is None or seat.user_id == comment.author_id:
        return
    if not is_unheard(seat.user.recipient_id, comment):
        notify(
            Notification(
                recipient=seat.user.recipient,
                kind="talk",
                subject=seat_subject(seat),
                dedupe_key=f"talk:{comment.ref}:{seat.number}",
                thread=seat.game.thread,
                data={"comment": comment.ref},
                folded_by="thread",
            ),
            now,
        )


def is_unheard(recipient: int, comment: Comment) -> bool:
    """True if its reader has blocked its author. While names are hidden nobody is: it would tell who has spoken."""
    if comment.author is None or comment.hidden_seat is not None:
        return False
    return has_blocked(recipient, comment.author)


def mark_read(*, game: Game, user: User, now: datetime) -> None:
    """Records that a person has read what was said at a table until now."""
    marker = {"since": game.public_events, "until": game.public_events, "looked_at": now}
    row, is_new = Look.objects.get_or_create(game=game, user=user, defaults=marker | {"talk_read_at": now})
    if not is_new:
        Look.objects.filter(pk=row.pk).update(talk_read_at=now)


def hide(*, comment: Comment, user: User, now: datetime) -> None:
    """Hides a comment: its author, the host and the staff may. Raises NotFound for everybody else."""
    if not may_hide(comment, user):
        raise NotFound(_("There's no such message, or you can't hide it."))
    Comment.objects.filter(pk=comment.pk, hidden_at=None).update(hidden_at=now, hidden_by=user)


def fold(comments: Sequence[Comment], reader: User | None) -> None:
    """Marks those comments whose author, or whose author's owner, their reader has blocked."""
    others = {comment.author_id for comment in comments} - {None, reader.pk if reader else None}
    blocked = blocked_by(reader) if others else set()
    if blocked:
        blocked |= set(User.objects.filter(owner__in=blocked).values_list("pk", flat=True))
    for comment in comments:
        comment.is_folded = comment.author_id in blocked and comment.hidden_seat is None


def may_block(comment: Comment, reader: User | None) -> bool:
    """True if its reader can block its author: somebody else, whose account there still is."""
    is_other = comment.author_id not in (None, reader.pk if reader else None) and comment.hidden_seat is None
    return reader is not None and is_other and not (reader.is_bot or reader.is_guest)


def find_author(game: Game, ref: str, reader: User) -> tuple[User, str]:
    """The author of a comment, and the name he wrote it under. Raises NotFound for one whom nobody can block."""
    comment = game.comments.select_related("author__recipient").filter(ref=ref, hidden_at=None).first()
    if comment is None or comment.author is None or not may_block(comment, reader):
        raise NotFound(_("There's no such message, or you can't block who wrote it."))
    return comment.author, comment.speaker


def may_hide(comment: Comment, user: User | None) -> bool:
    """True for the author, the host of the table and the staff."""
    return user is not None and (user.is_staff or user.pk in (comment.author_id, comment.game.host_id))


def keep_note(*, game: Game, user: User, text: str, now: datetime) -> None:
    """Stores a person's private note about a game. Raises Illegal if it is too long."""
    cleaned = speech.checked(text, LONGEST_NOTE)
    Note.objects.update_or_create(game=game, user=user, defaults={"text": cleaned, "changed_at": now})


def mentioned(text: str, seats: Iterable[Seat]) -> list[Seat]:
    """Returns the seats mentioned with @, ignoring case; of two matching names the longer one counts."""
    taken = [seat for seat in seats if seat.user_id is not None]
    people: dict[str, Seat] = {}
    for language, _label in settings.LANGUAGES:  # a hidden name is said in that of whoever writes
        with override(language):
            people |= {seat.display_name.casefold(): seat for seat in taken}
    if not people:
        return []
    names = "|".join(re.escape(name) for name in sorted(people, key=len, reverse=True))
    matches = re.findall(rf"(?<!\w)@({names})(?!\w)", text.casefold())
    return list({people[name].pk: people[name] for name in matches}.values())


def _seat_at(game: Game, seats: Iterable[Seat], user: User) -> Seat | None:
    """The user's seat; None for a host who has none. Raises NotFound for everybody else."""
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None and game.host_id != user.pk:
        raise NotFound(_("You're not at this table."))
    return seat
