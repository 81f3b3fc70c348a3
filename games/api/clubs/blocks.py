"""The REST API of blocking."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import Body, DataSerializer, checked
from games.api.base.resource import Resource, person
from games.api.base.schema import LISTING, OPENING, READING, problems
from games.people import blocks
from games.people.models import User
from notifications.clock import present


class BlockShape(DataSerializer):
    """Somebody you have blocked."""

    ref = serializers.CharField(help_text="Of the block.")
    player = serializers.CharField(source="blocked.ref")
    name = serializers.CharField(help_text="As you knew them then.")
    since = serializers.DateTimeField(source="created_at")


class BlocksShape(DataSerializer):
    """Whom you have blocked."""

    blocked = BlockShape(many=True)


class BlockBody(Body):
    """Whom to block."""

    example = {"player": "m4x8wq2hzc6r"}
    player = serializers.CharField(
        max_length=12, help_text="The reference of somebody with a public profile, or from a table or club of yours."
    )


def shown_blocks(user: User) -> Response:
    """Returns whom somebody has blocked, as data."""
    return Response(BlocksShape({"blocked": blocks.blocks_of(user.recipient)}).data)


class Blocks(Resource):
    """Whom you have blocked."""

    @extend_schema(operation_id="list_blocks", responses={200: BlocksShape, **problems(*LISTING)})
    def get(self, request: Request) -> Response:
        """Whom you have blocked, by name."""
        return shown_blocks(person(request))

    @extend_schema(
        operation_id="block_player", request=BlockBody, responses={200: BlocksShape, **problems(*OPENING, 404, 409)}
    )
    def post(self, request: Request) -> Response:
        """Blocks somebody, who is not told. Twice changes nothing. It ends a friendship."""
        user = person(request)
        other, name = blocks.find_person(user, checked(BlockBody, request)["player"])
        blocks.block(by=user.recipient, other=other, name=name, now=present.now())
        return shown_blocks(user)


class BlockResource(Resource):
    """One block."""

    @extend_schema(operation_id="unblock_player", responses={200: BlocksShape, **problems(*READING)})
    def delete(self, request: Request, ref: str) -> Response:
        """Takes a block back. Nobody is told."""
        blocks.unblock(by=person(request).recipient, ref=ref)
        return shown_blocks(person(request))
