"""Passing for longer: a link in the email and one form, one click at the table, a line by mail."""

import pytest
from django.test import Client
from django.utils.translation import override

from games.models import Decision, Game, User
from games.play import decision_links, queries
from games.play.asking_letters import ways
from notifications import confirming
from tests.games.conftest import fresh, open_rows, seat_of
from tests.games.magic import dealt, kept_dealt

__all__ = ["dealt", "kept_dealt"]

LABELS = {
    "en": ("Pass until someone plays a card", "Pass for the rest of this round"),
    "es": ("Pasar hasta que alguien juegue una carta", "Pasar el resto de esta ronda"),
}


def row_of(game: Game, user: User) -> Decision:
    return next(row for row in open_rows(game) if row.seat.user == user)


def comfort(game: Game, user: User) -> list[tuple[list[dict[str, object]], bool]]:
    game = fresh(game)
    orders = game.rules.orders(game.load_state(), seat_of(game, user).number).orders
    return [(order.conditions, order.even_so) for order in orders]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("posted", "kept"),
    [
        ({"do": "pass_until_shown"}, ([], False)),
        ({"do": "pass_round"}, ([], True)),
        ({"pass_until-until": "market"}, ([{"type": "before", "space": "market"}], True)),
    ],
)
def test_at_the_table_each_is_one_button_that_says_all(
    dealt: Game, ben: User, posted: dict[str, str], kept: object
) -> None:
    client = Client()
    client.force_login(ben)
    page = client.get(f"/table/{dealt.ref}/").content.decode()
    form = page.split('<form class="answer')[1].split("</form>")[0]
    name, value = next(iter(posted.items()))
    assert form.split("lamp-body")[1].count(f'name="{name}" value="{value}" type="submit"') == 1
    assert page.count(f'name="{name}" value="{value}"') == 1, "what is one button stands nowhere else"
    for hidden in ("decision", "key"):
        posted = {**posted, hidden: form.split(f'name="{hidden}" value="')[1].split('"')[0]}
    action = form.split('action="')[1].split('"')[0]
    assert client.post(action, posted).status_code == 303
    assert comfort(dealt, ben) == [kept]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_an_email_without_a_proposal_links_to_each_and_one_form_on_the_page_does_it(
    dealt: Game, ben: User, language: str
) -> None:
    """Beside a proposal so many ways are left to the page."""
    row, url = row_of(dealt, ben), decision_links.act_url(row_of(dealt, ben))
    asked = queries.open_questions(queries.Access(row.game, row.seat))
    question = next(one.question for one in asked if one.question.decision.id == row.code)
    with override(language):
        found = {(way.url, way.label) for way in ways(row, question, url)}
        assert ways(row, question, url, {"type": "pass"}) == []
    assert set(zip((f"{url}?do=pass_until_shown", f"{url}?do=pass_round"), LABELS[language], strict=True)) < found
    assert f"{url}?do=pass_until" in dict(found)
    client, path = Client(), url.split("8000", 1)[-1].split("testserver", 1)[-1]
    page = client.get(f"{path}?do=pass_until&until=market").content.decode()
    assert page.index('name="pass_until-until" value="market"') < page.index('value="pass_round"')
    assert client.post(path, {"pass_until-until": "market"}).status_code == 200
    assert comfort(dealt, ben) == [], "a scanner that presses buttons must not pass"
    sure = {"challenge": confirming.new_challenge(), "person": "me"}
    assert client.post(path, {"pass_until-until": "market"} | sure).status_code == 303
    assert comfort(dealt, ben) == [([{"type": "before", "space": "market"}], True)]
