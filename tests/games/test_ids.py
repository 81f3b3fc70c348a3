"""References of tables, questions and people."""

from typing import Any

from games.ids import LENGTH, random_ref


def test_references_are_of_one_length_and_tell_their_database_if_there_are_several(settings: Any) -> None:
    settings.REF_PREFIX = "b"
    found = {random_ref() for _nth in range(50)}
    assert len(found) == 50 and {(len(ref), ref[0]) for ref in found} == {(LENGTH, "b")}
    settings.REF_PREFIX = ""
    assert len({random_ref()[0] for _nth in range(200)}) > 10
