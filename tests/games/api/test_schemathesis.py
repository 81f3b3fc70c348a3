"""Schemathesis asks everything it can think of: nothing is answered otherwise than described, and nothing breaks.

As nobody, as a player, as a moderator; one by one and one after the other. It takes a second to import: only what
needs it does so. SCHEMATHESIS_EXAMPLES=2000 asks for minutes instead of for some seconds.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as of_hypothesis
from hypothesis import strategies as st

from config.wsgi import application
from games.api.access import ReadThrottle
from games.models import Game, User
from games.people import staff
from tests.games.api.conftest import Program

pytestmark = pytest.mark.slow
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "40"))
PLAIN = {"Accept-Encoding": "identity"}  # this client unpacks nothing
STEPS = 6
PROFILE = of_hypothesis(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    deadline=None,
)


@pytest.fixture
def described(db: None, settings: Any) -> Iterator[Any]:
    """The schema as the service serves it. Requests leave the test's connection open, as Django's own client does."""
    from schemathesis.openapi import from_wsgi

    settings.API_STREAM_SECONDS = 0
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield from_wsgi("/api/schema/", application)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(params=["nobody", "player", "moderator"])
def headers(request: pytest.FixtureRequest, game: Game, anna: User) -> dict[str, str]:
    """Whose token is sent."""
    if request.param == "nobody":
        return PLAIN
    user = anna if request.param == "player" else staff.make_moderator("eva@example.org")
    return Program.with_scopes(user, "play", "account", "moderate").headers | PLAIN


@PROFILE
@given(data=st.data())
def test_whatever_is_asked_the_answer_is_as_described(
    headers: dict[str, str], game: Game, ben: User, described: Any, data: st.DataObject
) -> None:
    from schemathesis import GenerationMode

    ReadThrottle.cache.clear()
    operations = [result.ok() for result in described.get_all_operations()]
    operation = data.draw(st.sampled_from(operations), label="operation")
    mode = data.draw(st.sampled_from(list(GenerationMode)))
    case = data.draw(operation.as_strategy(generation_mode=mode))
    if mode is GenerationMode.POSITIVE:
        go_in(case, game, ben)
    with transaction.atomic():
        case.call_and_validate(headers=headers, excluded_checks=unfit())
        transaction.set_rollback(True)


@pytest.mark.marathon
def test_of_every_operation_whatever_is_asked_the_answer_is_as_described(
    game: Game, anna: User, ben: User, described: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """300 examples of each, as the host of a running game; what is for moderators as one."""
    tokens = {
        is_moderators: Program.with_scopes(user, "play", "account", "moderate").headers | PLAIN
        for is_moderators, user in ((False, anna), (True, staff.make_moderator("eva@example.org")))
    }
    found: dict[str, list[str]] = {}
    for operation in [result.ok() for result in described.get_all_operations()]:
        ask = asking(operation, tokens["/moderation/" in operation.path], game, ben)
        try:
            ask()
        except BaseExceptionGroup as several:
            found[operation.label] = [str(one) for one in several.exceptions]
        except Exception as error:
            found[operation.label] = [str(error)]
        with capsys.disabled():
            print(operation.label, found.get(operation.label, "passed"), flush=True)
    assert found == {}


def asking(operation: Any, headers: dict[str, str], game: Game, person: User) -> Callable[[], None]:
    """Asks one operation what is right and what is wrong, in turn."""
    from schemathesis import GenerationMode

    @of_hypothesis(PROFILE, max_examples=max(EXAMPLES, 300))
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        ReadThrottle.cache.clear()
        mode = data.draw(st.sampled_from(list(GenerationMode)))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if mode is GenerationMode.POSITIVE:
            go_in(case, game, person)
        with transaction.atomic():
            case.call_and_validate(headers=headers, excluded_checks=unfit())
            transaction.set_rollback(True)

    return ask


def test_whatever_is_asked_after_something_else_the_answer_is_as_described(
    headers: dict[str, str], game: Game, ben: User, described: Any
) -> None:
    """Chains of calls, each with what the one before it has told; nothing is undone in between."""
    machine: Any = described.as_state_machine()

    class Machine(machine):  # type: ignore[misc]  # it is made at run time
        def setup(self) -> None:
            ReadThrottle.cache.clear()

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": headers}

        def before_call(self, case: Any) -> None:
            go_in(case, game, ben)

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            case.validate_response(response, headers=headers, excluded_checks=unfit())

    Machine.run(settings=of_hypothesis(PROFILE, max_examples=max(4, EXAMPLES // 8), stateful_step_count=STEPS))


def go_in(case: Any, game: Game, person: User) -> None:
    """Past the door: a game that is there, a decision that is open, somebody who has an account."""
    is_persons = any(part in case.path for part in ("/players/", "/people/"))
    there = {"ref": person.ref if is_persons else game.ref, "code": "start-treasures", "number": 1}
    case.path_parameters = {name: there.get(name, drawn) for name, drawn in (case.path_parameters or {}).items()}


def unfit() -> list[Any]:
    """Checks that a game cannot pass: the rules refuse most answers that have the right shape, what is legal changes
    with every move, and what was resigned or closed by one call is refused to the next."""
    from schemathesis.checks import CHECKS
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    stateful = ("ensure_resource_availability", "use_after_free")
    return [positive_data_acceptance, *(CHECKS.get_one(name) for name in stateful)]
