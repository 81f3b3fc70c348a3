"""Samples about a table: invited to it, run by its host, talked at, closed, played to its end."""

from games.inbox import handler
from games.letters.samples.game import PEARL, SHALL, Sample, SampleGame
from games.lobby import bot_accounts, hosting, invitations, lifecycle
from games.play import table_talk
from games.play.notify import seat_subject
from games.tables import plans
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Inbound, Notice


def _invited(made: SampleGame) -> list[Notice]:
    game = made.open("cave-of-wonders", "Friday")
    row = invitations.invite(game_id=game.pk, host=made.users[0], address="eva@sample.invalid", now=made.now)
    return [made.notice("invited", f"invitation:{row.ref}", recipient=row.recipient)]


def _settings_changed(made: SampleGame) -> list[Notice]:
    wanted = {**plans.agreed_of(made.game), "pace": "brisk", "is_watchable": True}
    plan = plans.TablePlan(title="", rules_name=made.game.rules_name, **wanted)
    game = hosting.change_settings(game_id=made.game.pk, host=made.users[0], plan=plan, now=made.now)
    return [made.notice("settings_changed", f"player:{game.ref}:{made.ben.ref}", {"version": game.settings_version})]


def _host_offered(made: SampleGame) -> list[Notice]:
    seat = made.game.seats.get(user=made.ben).number
    row = hosting.offer_role(game_id=made.game.pk, host=made.users[0], seat=seat, now=made.now)
    return [made.notice("host_offered", f"host_offer:{row.ref}")]


def _host_changed(made: SampleGame) -> list[Notice]:
    Game.objects.filter(pk=made.game.pk).update(host=made.users[2])
    return [made.notice("host_changed", f"player:{made.game.ref}:{made.ben.ref}", {"host": made.users[2].pk})]


def closed(made: SampleGame) -> list[Notice]:
    """The table is closed."""
    return [made.notice("closed", f"game:{made.game.ref}")]


def _bot_absent(made: SampleGame) -> list[Notice]:
    bot = bot_accounts.create(owner=made.ben, name="Robo", is_for_all=True, now=made.now)
    game = made.open("cave-of-wonders", "Friday")
    number = lifecycle.add_bot(game_id=game.pk, host=made.users[0], bot=bot.name, now=made.now).number
    game.seats.filter(user=bot).update(status=Seat.Status.ABSENT)
    return [made.notice("bot_absent", f"seat:{game.ref}:{number}")]


def _game_over(made: SampleGame) -> list[Notice]:
    made.play()
    made.end()
    return [made.notice("game_over", seat_subject(made.game.seats.get(user=made.ben)))]


def _talk(made: SampleGame) -> list[Notice]:
    comment = table_talk.say(game_id=made.game.pk, user=made.users[0], text=SHALL, now=made.now)
    return [made.notice("talk", seat_subject(made.game.seats.get(user=made.ben)), {"comment": comment.ref})]


def _heard(made: SampleGame) -> list[Notice]:
    row = made.play()
    facts = {"recipient": made.ben.recipient, "subject": row.subject, "key": row.ref, "received_at": made.now}
    inbound = Inbound.objects.create(line=PEARL, **facts)
    inbound.state = handler.handle(inbound, made.now)
    inbound.save()
    return [made.notice("heard", row.subject, {"inbound": inbound.ref})]


SAMPLES: dict[str, Sample] = {
    "bot_absent": _bot_absent,
    "invited": _invited,
    "settings_changed": _settings_changed,
    "host_offered": _host_offered,
    "host_changed": _host_changed,
    "closed": closed,
    "game_over": _game_over,
    "talk": _talk,
    "heard": _heard,
}
