"""The REST API of clubs."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import links
from games.api.game_shapes import NoBody
from games.api.hosting import ReportShape, TextBody
from games.api.parsing import Body, DataSerializer, checked
from games.api.resource import Resource, make_once, person
from games.api.schema import CHANGING, IDEMPOTENCY_KEY, LISTING, OPENING, READING, Responses, problems
from games.archive import ratings
from games.clubs import clubs, invitations
from games.clubs.models import LONGEST_ABOUT, LONGEST_NAME, Club
from games.errors import NotFound
from games.moderation import reports
from games.people.models import User
from games.tables import lists
from notifications.clock import present

MOST_GAMES = 20


class ClubInBriefShape(DataSerializer):
    """A club of yours."""

    ref = serializers.CharField()
    name = serializers.CharField(source="display_name")


class MemberShape(DataSerializer):
    """A member."""

    player = serializers.CharField(source="ref")
    name = serializers.CharField()


class ClubTableShape(DataSerializer):
    """A table of a club."""

    ref = serializers.CharField()
    title = serializers.CharField()
    rules = serializers.CharField(source="rules_name")
    status = serializers.CharField()


class ClubStandingShape(DataSerializer):
    """A member's results at the club's tables."""

    player = serializers.CharField(source="user.ref")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    beaten = serializers.IntegerField(help_text="How many people came in behind in these games.")
    met = serializers.IntegerField(help_text="Of how many.")


class ClubShape(ClubInBriefShape):
    """A club as its members see it."""

    about = serializers.CharField(source="display_about")
    owner = serializers.CharField(source="owner.ref")
    join_url = serializers.CharField(help_text="Whoever opens it and signs in becomes a member.")
    members = MemberShape(many=True)
    tables = ClubTableShape(many=True, help_text="Open and running ones, and the latest that are over.")
    standings = ClubStandingShape(many=True, help_text="The best first.")


class ClubBody(Body):
    """A club as its owner wants it."""

    example = {"name": "Lamp & Genie"}
    name = serializers.CharField(max_length=LONGEST_NAME)
    about = serializers.CharField(max_length=LONGEST_ABOUT, allow_blank=True, default="")


class ClubInvitationBody(Body):
    """Whom to invite."""

    address = serializers.CharField(max_length=254, help_text="An email address.")


class ClubMemberBody(Body):
    """Which member."""

    example = {"player": "m4x8wq2hzc6r"}
    player = serializers.CharField(max_length=12, help_text="The member's reference.")


SHOWN: Responses = {200: ClubShape, **problems(*CHANGING)}


def _found(request: Request, ref: str) -> Club:
    return clubs.find_club(person(request), ref)


def _data(club: Club, viewer: User) -> dict[str, Any]:
    return {
        "ref": club.ref,
        "display_name": club.display_name,
        "display_about": club.display_about,
        "owner": club.owner,
        "join_url": links.club_join_url(club),
        "members": [row.user for row in clubs.memberships_of(club)],
        "tables": lists.games_of_club(club, MOST_GAMES, viewer),
        "standings": ratings.club_standings(club),
    }


def _shown(user: User, ref: str, status: int = 200) -> Response:
    return Response(ClubShape(_data(clubs.find_club(user, ref), user)).data, status=status)


class Clubs(Resource):
    """Your clubs."""

    @extend_schema(operation_id="list_clubs", responses={200: ClubInBriefShape(many=True), **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Your clubs, by name."""
        return Response(ClubInBriefShape(clubs.clubs_of(person(request)), many=True).data)

    @extend_schema(
        operation_id="found_club",
        parameters=[IDEMPOTENCY_KEY],
        request=ClubBody,
        responses={201: ClubShape, **problems(*OPENING, 409)},
    )
    def post(self, request: Request) -> Response:
        """Founds a club. You are its owner and first member."""
        user, facts = person(request), checked(ClubBody, request)
        club = make_once(request, user.clubs_owned.all(), lambda: clubs.found(user=user, now=present.now(), **facts))
        return _shown(user, club.ref, status=201)


class ClubResource(Resource):
    """One club."""

    @extend_schema(operation_id="read_club", responses={200: ClubShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """A club of yours: members, tables and standings."""
        return _shown(person(request), ref)

    @extend_schema(operation_id="change_club", request=ClubBody, responses=SHOWN)
    def put(self, request: Request, ref: str) -> Response:
        """Changes name and description of a club that you own."""
        club = _found(request, ref)
        clubs.change(club=club, by=person(request), now=present.now(), **checked(ClubBody, request))
        return _shown(person(request), ref)

    @extend_schema(operation_id="close_club", responses={204: None, **problems(*READING, 409)})
    def delete(self, request: Request, ref: str) -> Response:
        """Closes a club that you own. Its games stay with the people who play them."""
        clubs.close(club=_found(request, ref), by=person(request), now=present.now())
        return Response(status=204)


class JoinClub(Resource):
    """Joining a club."""

    @extend_schema(operation_id="join_club", request=NoBody, responses=SHOWN)
    def post(self, request: Request, ref: str, token: str) -> Response:
        """Makes you a member of a club whose link you were sent: both parts are in it. Twice changes nothing."""
        checked(NoBody, request)
        club = links.find_club(ref, token)
        if club is None:
            raise NotFound(_("This link no longer works. Ask a member of the club for a new one."))
        clubs.join(club=club, user=person(request), now=present.now())
        return _shown(person(request), ref)


class LeaveClub(Resource):
    """Leaving a club."""

    @extend_schema(operation_id="leave_club", request=NoBody, responses={204: None, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Ends your membership. Its owner hands the club over first, or closes it."""
        club = _found(request, ref)
        checked(NoBody, request)
        clubs.leave(club=club, user=person(request))
        return Response(status=204)


class InviteToClub(Resource):
    """Inviting to a club."""

    @extend_schema(
        operation_id="invite_to_club", request=ClubInvitationBody, responses={204: None, **problems(*CHANGING)}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Invites a mail address to a club of yours. Inviting it again sends nothing."""
        club, address = _found(request, ref), checked(ClubInvitationBody, request)["address"]
        invitations.invite(club=club, by=person(request), address=address, now=present.now())
        return Response(status=204)


class ClubReports(Resource):
    """Reporting a club."""

    @extend_schema(
        operation_id="report_club",
        parameters=[IDEMPOTENCY_KEY],
        request=TextBody,
        responses={201: ReportShape, **problems(*CHANGING)},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Tells the moderators what is wrong with a club of yours. Its members aren't told."""
        club, by, text = _found(request, ref), person(request), checked(TextBody, request)["text"]
        made = make_once(
            request,
            club.reports.all(),
            lambda: reports.report_club(club=club, by=by, text=text, now=present.now()),
        )
        return Response(ReportShape(made).data, status=201)


class RemoveMember(Resource):
    """Removing a member."""

    @extend_schema(operation_id="remove_member", request=ClubMemberBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Ends somebody's membership in a club that you own; its link is a new one."""
        club, player = _found(request, ref), checked(ClubMemberBody, request)["player"]
        clubs.remove(club=club, by=person(request), member=player)
        return _shown(person(request), ref)


class HandOverClub(Resource):
    """Handing a club over."""

    @extend_schema(operation_id="hand_over_club", request=ClubMemberBody, responses=SHOWN)
    def post(self, request: Request, ref: str) -> Response:
        """Makes another member the owner of a club that you own."""
        club, player = _found(request, ref), checked(ClubMemberBody, request)["player"]
        clubs.hand_over(club=club, by=person(request), member=player)
        return _shown(person(request), ref)
