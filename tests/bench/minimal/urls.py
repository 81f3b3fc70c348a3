"""The one view."""

import json
from typing import Any

from django.db import transaction
from django.urls import path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.bench.minimal.models import Line, Owed, Table


class MoveSerializer(serializers.Serializer[Any]):
    """A move."""

    type = serializers.CharField()
    space = serializers.CharField()
    token = serializers.IntegerField()


class MoveView(APIView):
    """Makes a move: no rules, no players, no clocks."""

    def post(self, request: Request, pk: int) -> Response:
        """One transaction."""
        move = MoveSerializer(data=request.data)
        move.is_valid(raise_exception=True)
        text = json.dumps(move.validated_data)
        with transaction.atomic():
            table = Table.objects.select_for_update().get(pk=pk)
            state = json.loads(table.state)
            table.seq += 1
            table.state = json.dumps(state)
            table.save()
            Line.objects.create(table=table, seq=table.seq, text=text)
            Owed.objects.create(table=table, text=text)
        return Response({"seq": table.seq}, status=201)


urlpatterns = [path("tables/<int:pk>/moves/", MoveView.as_view())]
