"""The REST API of clubs."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from games.api.hosting import ReportShape, TextBody
from games.api.parsing import Body, ComputedField, DataSerializer
from games.api.resource import Operations, make_once, person
from games.archive import ratings
from games.clubs import clubs, invitations
from games.clubs.models import LONGEST_ABOUT, LONGEST_NAME, Club
from games.errors import NotFound
from games.moderation import reports
from games.play import lists
from games.tables.models import Game
from notifications.clock import present

operation = Operations()

MOST_GAMES = 20


class ClubInBriefShape(DataSerializer):
    """A club of yours."""

    ref = serializers.CharField()
    name = serializers.CharField(source="display_name")


class MemberShape(DataSerializer):
    """A member."""

    player_ref = serializers.CharField(source="user.ref")
    name = serializers.CharField(source="user.name")


class ClubTableShape(DataSerializer):
    """A table of a club."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    status = serializers.ChoiceField(Game.Status.choices)


class ClubStandingShape(DataSerializer):
    """A member's results at the club's tables."""

    player_ref = serializers.CharField(source="user.ref")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    beaten = serializers.IntegerField(help_text="How many people came in behind in these games.")
    met = serializers.IntegerField(help_text="Of how many.")


class ClubShape(ClubInBriefShape):
    """A club as its members see it."""

    about = serializers.CharField(source="display_about")
    owner_ref = serializers.CharField(source="owner.ref")
    join_url = ComputedField(
        invitations.join_url, serializers.CharField(help_text="Whoever opens it and signs in becomes a member.")
    )
    members = ComputedField(clubs.memberships_of, MemberShape(many=True))
    tables = ComputedField(
        lambda club, reader: lists.games_of_club(club, MOST_GAMES, reader),
        ClubTableShape(many=True, help_text="Open and running ones, and the latest that are over."),
        for_reader=True,
    )
    standings = ComputedField(ratings.club_standings, ClubStandingShape(many=True, help_text="The best first."))


class ClubBody(Body):
    """A club as its owner wants it."""

    example = {"name": "Lamp & Genie"}
    name = serializers.CharField(max_length=LONGEST_NAME)
    about = serializers.CharField(max_length=LONGEST_ABOUT, allow_blank=True, default="")


class ClubInvitationBody(Body):
    """The person to invite."""

    address = serializers.CharField(max_length=254, help_text="An email address.")


class ClubMemberBody(Body):
    """Which member."""

    example = {"player_ref": "m4x8wq2hzc6r"}
    player_ref = serializers.CharField(max_length=12, help_text="The member's reference.")


def _found(request: Request, ref: str) -> Club:
    return clubs.find_club(person(request), ref)


@operation("GET me/clubs/", answer=[ClubInBriefShape])
def list_clubs(request: Request) -> object:
    """Your clubs, by name."""
    return clubs.clubs_of(person(request))


@operation("POST me/clubs/", body=ClubBody, answer=ClubShape, once=True, errors=[409], location="api_read_club")
def found_club(request: Request, **facts: Any) -> object:
    """Founds a club. You are its owner and first member."""
    user = person(request)
    return make_once(request, user.clubs_owned.all(), lambda: clubs.found(user=user, now=present.now(), **facts))


@operation("GET clubs/<slug:ref>/", answer=ClubShape)
def read_club(request: Request, ref: str) -> object:
    """A club of yours: members, tables and standings."""
    return _found(request, ref)


@operation("PUT clubs/<slug:ref>/", of=_found, body=ClubBody, answer=ClubShape)
def change_club(request: Request, club: Club, **facts: Any) -> None:
    """Changes name and description of a club that you own."""
    clubs.change(club=club, by=person(request), now=present.now(), **facts)


@operation("DELETE clubs/<slug:ref>/", of=_found)
def close_club(request: Request, club: Club) -> None:
    """Closes a club that you own. Its games stay with the people who play them."""
    clubs.close(club=club, by=person(request), now=present.now())


@operation("POST clubs/<slug:ref>/join/<slug:token>/", answer=ClubShape)
def join_club(request: Request, ref: str, token: str) -> object:
    """Makes you a member of a club whose link you were sent: both parts are in it. Twice changes nothing."""
    club = invitations.find_club(ref, token)
    if club is None:
        raise NotFound(_("This link no longer works. Ask a member of the club for a new one."))
    clubs.join(club=club, user=person(request), now=present.now())
    return _found(request, ref)


@operation("DELETE clubs/<slug:ref>/membership/", of=_found)
def leave_club(request: Request, club: Club) -> None:
    """Ends your membership. Its owner hands the club over first, or closes it."""
    clubs.leave(club=club, user=person(request))


@operation("POST clubs/<slug:ref>/invitations/", of=_found, body=ClubInvitationBody)
def invite_to_club(request: Request, club: Club, address: str) -> None:
    """Invites a mail address to a club of yours. Inviting it again sends nothing."""
    invitations.invite(club=club, by=person(request), address=address, now=present.now())


@operation("POST clubs/<slug:ref>/reports/", of=_found, body=TextBody, answer=ReportShape, once=True)
def report_club(request: Request, club: Club, text: str) -> object:
    """Tells the moderators what is wrong with a club of yours. Its members aren't told."""
    by = person(request)
    return make_once(
        request,
        club.reports.all(),
        lambda: reports.report_club(club=club, by=by, text=text, now=present.now()),
    )


@operation("DELETE clubs/<slug:ref>/members/<slug:player_ref>/", of=_found, answer=ClubShape)
def remove_member(request: Request, club: Club, player_ref: str) -> None:
    """Ends somebody's membership in a club that you own; its link is a new one."""
    clubs.remove(club=club, by=person(request), member=player_ref)


@operation("POST clubs/<slug:ref>/hand-over/", of=_found, body=ClubMemberBody, answer=ClubShape)
def hand_over_club(request: Request, club: Club, player_ref: str) -> object:
    """Makes another member the owner of a club that you own."""
    clubs.hand_over(club=club, by=person(request), member=player_ref)
    return _found(request, club.ref)
