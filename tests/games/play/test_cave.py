"""The cave at the doors of the service: what is not legal is refused in the rules' own words, and nothing changes."""

import pytest
from django.urls import reverse

from engine.cave_of_wonders.model import PlacingGenie, State
from games.models import Decision, Game
from games.play import decision_links, decisions
from tests.conftest import NOON
from tests.engine.cave_of_wonders.table import RULES, carpet, position, token
from tests.games.api.conftest import Program
from tests.games.conftest import fresh, named, open_rows, running
from tests.games.web.filling import answer_form, filled, soup_of, untouched

CAVE = {"A1": "R4", "B1": "?S2m", "E6": "R3", "E7": "S2", "D4": "T5s", "I5": "EG"}
POSITIONS = {
    "landing": lambda: position(CAVE, roll=2),
    "carpet": lambda: carpet(CAVE),
    "genie": lambda: position(CAVE, frame=PlacingGenie(), held=token("RG"), taken=1),
}
WRONG = [
    ("landing", "move", "to", "E6", "Aladdin can't reach E6 with a 2. He can reach E7, I5 and A1."),
    ("landing", "move", "to", "C3", "There is no treasure on C3."),
    ("landing", "move", "to", "E5", "There is no treasure on E5."),
    ("landing", "move", "to", "J9", "There is no space J9 in the cave."),
    ("carpet", "fly", "to", "D4", "The carpet can't fly to D4: a character can be seen there."),
    ("carpet", "fly", "to", "I5", "The carpet can't fly to I5: a character can be seen there."),
    ("carpet", "fly", "to", "A2", "There is no treasure on A2."),
    ("genie", "place_genie", "square", "ruby-6", "There is no square ruby-6 on a board."),
    ("genie", "place_genie", "square", "opal-1", "There is no square opal-1 on a board."),
    ("genie", "place_genie", "square", "E5", "There is no square E5 on a board."),
]
wrong_answers = pytest.mark.parametrize(("kind", "way", "field", "value", "sentence"), WRONG)


@pytest.fixture(scope="session")
def kept_cave(kept_here, kept_people):
    """The game of the two."""
    people = kept_people["Anna"], kept_people["Ben"]
    plan = {"rules_name": "cave-of-wonders", "seat_count": 2}
    return kept_here(lambda: running(named("Anna"), [named("Ben")], NOON, **plan), *people)


@pytest.fixture
def cave(anna, ben, kept_cave) -> Game:
    """A running cave game of Anna and Ben."""
    return kept_cave.bring()


def brought_to(game: Game, state: State, now) -> Decision:
    """The game in this position, and the question it asks."""
    game.state = RULES.dump(state).decode()
    game.save(update_fields=["state"])
    seats = {seat.number: seat for seat in game.seats.all()}
    decisions.reconcile(game, seats, decisions.open_rows(game, seats), RULES.decisions(state), game.moves.last(), now)
    (row,) = open_rows(game)
    return row


def snapshot(game: Game) -> tuple[object, ...]:
    game = fresh(game)
    return (game.state, game.seq, game.chain, game.public_events, list(game.decisions.values_list("pk", "status")))


@pytest.mark.slow
@wrong_answers
def test_pages_refuse_it_beside_the_form_c18_c33_c38(client, cave, now, kind, way, field, value, sentence):
    row = brought_to(cave, POSITIONS[kind](), now)
    before = snapshot(cave)
    client.force_login(row.seat.user)
    for shown, target in (
        (decision_links.act_url(row), decision_links.act_url(row)),
        (reverse("table", args=[cave.ref]), reverse("table_act", args=[cave.ref])),
    ):
        form = untouched(answer_form(client.get(shown)))
        refused = client.post(target, form | {f"{way}-{field}": value})
        assert refused.status_code == 422
        assert soup_of(refused).select_one("form.answer .notice.error").text.strip() == sentence
        assert snapshot(cave) == before


@wrong_answers
def test_the_api_refuses_it_c18_c33_c38(cave, now, kind, way, field, value, sentence):
    row = brought_to(cave, POSITIONS[kind](), now)
    before = snapshot(cave)
    answer = Program(row.seat.user).post(
        f"games/{cave.ref}/decisions/{row.code}/", {"action": {"type": way, field: value}}, status=422
    )
    assert answer["detail"] == sentence
    assert snapshot(cave) == before


@pytest.mark.slow
def test_they_are_said_in_spanish_to_who_reads_spanish(client, cave, now):
    row = brought_to(cave, carpet(CAVE), now)
    recipient = row.seat.user.recipient
    recipient.language = "es"
    recipient.save()
    form = answer_form(client.get(decision_links.act_url(row)))
    refused = client.post(decision_links.act_url(row), filled(form, {"type": "fly", "to": "D4"}))
    assert refused.status_code == 422
    words = soup_of(refused).select_one("form.answer .notice.error").text.strip()
    assert words == "La alfombra no puede volar a D4: allí se ve un personaje."


def test_an_answer_to_another_kind_of_question_is_refused(client, cave, now):
    row = brought_to(cave, carpet(CAVE), now)
    before = snapshot(cave)
    program = Program(row.seat.user)
    path = f"games/{cave.ref}/decisions/{row.code}/"
    for action in ({"type": "move", "to": "A1"}, {"type": "place_genie", "square": "ruby-1"}):
        answer = program.post(path, {"action": action}, status=422)
        assert answer["detail"] == "That doesn't answer the question."
    assert snapshot(cave) == before


@pytest.mark.slow
def test_the_board_stands_above_a_list_of_targets_however_long(client, cave, now):
    many = {f"{row}{place}": "?E1" for row in "ABC" for place in range(1, 6)}
    row = brought_to(cave, carpet(many), now)
    client.force_login(row.seat.user)
    for address in (decision_links.act_url(row), reverse("table", args=[cave.ref])):
        board, form = soup_of(client.get(address)).select("figure.board, form.answer")
        assert (board.name, form.name) == ("figure", "form")
