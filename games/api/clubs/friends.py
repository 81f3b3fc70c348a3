"""The REST API of friends."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import CHANGING, LISTING, OPENING, problems
from games.api.play.serializers import NoBody
from games.errors import NotFound
from games.people import friends
from games.people.models import Friendship, User
from notifications.clock import present


class FriendshipShape(DataSerializer):
    """A friendship, or a request to be friends."""

    ref = serializers.CharField(help_text="Of the friendship.")
    player = serializers.CharField(help_text="The other one's reference.")
    name = serializers.CharField()
    since = serializers.DateTimeField(help_text="When it was asked, or accepted.")


class FriendsShape(DataSerializer):
    """Your friends, and the requests that wait for an answer: the other one's, and yours."""

    friends = FriendshipShape(many=True)
    received = FriendshipShape(many=True)
    sent = FriendshipShape(many=True)


class FriendBody(Body):
    """Whom to ask."""

    example = {"player": "m4x8wq2hzc6r"}
    player = serializers.CharField(max_length=12, help_text="The reference of a public profile.")


def _data(row: Friendship, other: User) -> dict[str, Any]:
    return {"ref": row.ref, "player": other.ref, "name": other.name, "since": row.answered_at or row.created_at}


def _all(user: User) -> Response:
    facts = {
        "friends": [_data(row, friend) for row, friend in friends.friendships_of(user)],
        "received": [_data(row, row.asker) for row in friends.requests_received(user)],
        "sent": [_data(row, row.asked) | {"since": row.created_at} for row in friends.requests_sent(user)],
    }
    return Response(FriendsShape(facts).data)


class Friends(Resource):
    """Your friends."""

    @extend_schema(operation_id="list_friends", responses={200: FriendsShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Your friends by name, and the open requests, newest first."""
        return _all(person(request))

    @extend_schema(
        operation_id="ask_friend", request=FriendBody, responses={200: FriendsShape, **problems(*OPENING, 404, 409)}
    )
    def post(self, request: Request) -> Response:
        """Asks somebody to be friends, by email as well; who has asked you is your friend at once."""
        ref = checked(FriendBody, request)["player"]
        other = User.objects.filter(ref=ref).select_related("recipient").first()
        if other is None:
            raise NotFound(_("There's no such profile, or its owner has made it private."))
        friends.ask(user=person(request), other=other, now=present.now())
        return _all(person(request))


class AcceptFriend(Resource):
    """Saying yes."""

    @extend_schema(operation_id="accept_friend", request=NoBody, responses={200: FriendsShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Accepts a request that you have received."""
        checked(NoBody, request)
        friends.accept(user=person(request), ref=ref, now=present.now())
        return _all(person(request))


class DeclineFriend(Resource):
    """Saying no."""

    @extend_schema(operation_id="decline_friend", request=NoBody, responses={200: FriendsShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Declines a request that you have received. Who asked is not told."""
        checked(NoBody, request)
        friends.decline(user=person(request), ref=ref, now=present.now())
        return _all(person(request))


class EndFriend(Resource):
    """Ending it."""

    @extend_schema(operation_id="end_friendship", request=NoBody, responses={200: FriendsShape, **problems(*CHANGING)})
    def post(self, request: Request, ref: str) -> Response:
        """Takes your request back, or ends a friendship. Nobody is told."""
        checked(NoBody, request)
        friends.take_back(user=person(request), ref=ref)
        return _all(person(request))
