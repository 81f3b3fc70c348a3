"""Serializers of which only the data are new: all else was made before."""

from functools import cache
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty


class Ready(serializers.Serializer[Any]):
    """What requests and answers are described by.

    One for a request or an answer is a copy of one that was made before. Django REST framework counts all fields that
    it ever makes on the class above them, at which Python forgets what it has found out about all classes below it.
    """

    def __init__(self, instance: Any = None, data: Any = empty, **options: Any) -> None:
        if options or (instance is None and data is empty):  # where one is declared, that count is its place
            super().__init__(instance, data, **options)
            return
        vars(self).update(_made(type(self)))
        self.instance = instance
        if data is not empty:
            self.initial_data = data


@cache
def _made(kind: type[Ready]) -> dict[str, Any]:
    return vars(kind())
