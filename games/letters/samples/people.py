"""Samples about friends and clubs, and of a person's week."""

from games.archive.models import RatingChange
from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.letters.samples.game import WELCOME, AnotherTable, Sample, SampleGame
from games.lobby import lifecycle
from games.people import friends
from games.tables.plans import TablePlan
from notifications.models import Notice


def _friend_asked(made: SampleGame) -> list[Notice]:
    row = friends.ask(user=made.users[0], other=made.ben, now=made.now)
    return [made.notice("friend_asked", f"friendship:{row.ref}")]


def _club_invited(made: SampleGame) -> list[Notice]:
    club = clubs.found(user=made.users[0], name="Lamp & Genie", about=WELCOME, now=made.now)
    row = club_invitations.invite(club=club, by=made.users[0], address="eva@sample.invalid", now=made.now)
    return [made.notice("club_invited", f"club_invitation:{row.ref}", recipient=row.recipient)]


def _weekly(made: SampleGame) -> list[Notice]:
    made.play()
    made.end()
    RatingChange.objects.create(
        user=made.ben, rules_name=made.game.rules_name, game=made.game, points=1040, rated_at=made.now
    )
    AnotherTable(made, "Friday").play()
    club = clubs.found(user=made.users[0], name="Lamp & Genie", about=WELCOME, now=made.now)
    clubs.join(club=club, user=made.ben, now=made.now)
    plan = TablePlan(title="Saturday", rules_name="cave-of-wonders", seat_count=3, club=club.ref)
    lifecycle.open_table(host=made.users[0], plan=plan, now=made.now)
    _friend_asked(made)
    return [made.notice("weekly", f"user:{made.ben.ref}")]


SAMPLES: dict[str, Sample] = {"friend_asked": _friend_asked, "club_invited": _club_invited, "weekly": _weekly}
