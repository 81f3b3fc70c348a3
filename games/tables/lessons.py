"""First steps: a beginner's own table against bots. No clock runs, no mail is written, and it counts for nothing."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine.registry import newest
from games.errors import NotFound
from games.models import Game, User
from games.tables import lifecycle
from games.tables.lifecycle import TablePlan

BOT = "greedy"  # strong enough to show how it is played


@transaction.atomic
def begin(*, user: User, rules_name: str, now: datetime) -> Game:
    """Opens and starts a lesson; whoever is in one by these rules goes on there. Raises NotFound for unknown rules."""
    rules = next((known for known in newest() if known.name == rules_name), None)
    if rules is None:
        raise NotFound(_("There is no game of that name."))
    User.objects.select_for_update().get(pk=user.pk)  # two clicks at once are one lesson
    known = running(user).get(rules_name)
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


def running(user: User) -> dict[str, Game]:
    """The lessons this person is in, by the name of their rules."""
    games = Game.objects.filter(seats__user=user, is_lesson=True, status=Game.Status.RUNNING).defer("state")
    return {game.rules_name: game for game in games}
