"""Games that count for nothing: lessons of beginners against bots, and sandboxes of moderators.

No clock runs in them, no email is written, and they are removed after some time.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.registry import newest
from games.errors import NotFound
from games.models import Game, User
from games.tables import lifecycle
from games.tables.lifecycle import TablePlan
from games.tables.models import PRACTICE
from notifications.database.compiled_query import compiled_exists

BOT = "greedy"  # strong enough to show how it is played
LESSON_KEPT = timedelta(days=60)  # after it was taken up or played for the last time


@transaction.atomic
def begin_lesson(*, user: User, rules_name: str, now: datetime) -> Game:
    """Opens and starts a lesson; whoever is in one by these rules goes on there. Raises NotFound for unknown rules."""
    rules = next((known for known in newest() if known.name == rules_name), None)
    if rules is None:
        raise NotFound(_("There is no game of that name."))
    User.objects.select_for_update().get(pk=user.pk)  # two clicks at once are one lesson
    known = running_lessons(user).get(rules_name)
    if known is not None:
        return known
    count = min(rules.seat_counts)
    plan = TablePlan(
        title=_("First steps"),
        rules_name=rules_name,
        seat_count=count,
        pace="live",
        options=rules.lessons.options,
        is_lesson=True,
        bots=(BOT,) * (count - 1),
    )
    game = lifecycle.open_table(host=user, plan=plan, now=now)
    return lifecycle.start(game_id=game.pk, host=user, now=now)


def running_lessons(user: User) -> dict[str, Game]:
    """The lessons this person is in, by the name of their rules."""
    games = Game.objects.filter(seats__user=user, is_lesson=True, status=Game.Status.RUNNING).defer("state")
    return {game.rules_name: game for game in games}


def remove_one(now: datetime) -> bool:
    """Removes one table whose time is over; a lesson that is still played gets more. Returns whether there was one."""
    if not _is_any_expired(now):
        return False
    with transaction.atomic():
        game = _expired(now).select_for_update().defer("state").first()
        if game is None:
            return False
        last = game.moves.order_by("-pk").values_list("received_at", flat=True).first() if game.is_lesson else None
        if last is not None and last + LESSON_KEPT > now:
            Game.objects.filter(pk=game.pk).update(expires_at=last + LESSON_KEPT)
        else:
            game.delete()
        return True


def _expired(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(PRACTICE, expires_at__lte=now).order_by("expires_at")


_is_any_expired = compiled_exists(_expired)
