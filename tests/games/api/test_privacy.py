"""A copy of what is kept, by the API."""

from games.models import User
from tests.games.api.conftest import Program


def test_a_program_gets_the_copy_of_its_person_three_times_a_day(annas: Program, anna: User, ben: User) -> None:
    copied = annas.get("me/export/")
    assert [row["email"] for row in copied["account"]] == [anna.email]
    assert [row["name"] for row in copied["api_tokens"]] == ["bot"]
    assert annas.token not in str(copied)
    assert ben.email not in str(copied)
    for _time in range(2):
        annas.get("me/export/")
    assert annas.get("me/export/", status=429)["code"] == "too-many"


def test_who_has_no_token_gets_nothing(annas: Program) -> None:
    assert annas.client.get("/api/v1/me/export/").status_code == 401
