"""How a finished game went, in numbers: for those who may see its table."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from games.models import Game, Move
from games.play import game_moves
from games.web.archive import chart_of
from tests.games.conftest import answer, fresh, open_rows, seat_of, settle, some_answer
from tests.games.web.filling import soup_of


def end(game: Game, winner, losers, now) -> Game:
    for user in losers:
        game_moves.resign(game_id=game.pk, seat=seat_of(game, user).number, actor=user, source=Move.Source.WEB, now=now)
    game_moves.end_by_wish(
        game_id=game.pk, seat=seat_of(game, winner).number, actor=winner, source=Move.Source.WEB, now=now
    )
    return fresh(game)


@pytest.mark.slow
def test_a_finished_game_has_its_numbers_and_a_running_one_leads_to_its_table(
    client, placing, anna, ben, carla, david, now
):
    url = reverse("statistics", args=[placing.ref])
    client.force_login(anna)
    assert client.get(url).headers["Location"] == reverse("table", args=[placing.ref])
    end(placing, anna, [ben, carla], now)
    assert soup_of(client.get(reverse("table", args=[placing.ref]))).select_one(f"a[href='{url}']")
    page = soup_of(client.get(url))
    rows = {row.th.text: [cell.text for cell in row.select("td")] for row in page.select("tbody tr")}
    assert rows["gained"] == ["3", "3", "3"]
    assert "Your orders answered" not in page.text
    client.force_login(david)
    assert client.get(url).status_code == 404


@pytest.mark.slow
def test_the_last_tally_has_a_page_of_its_own(client, placing, anna, now):
    url = reverse("last_tally", args=[placing.ref])
    client.force_login(anna)
    assert "There hasn't been a tally yet" in soup_of(client.get(url)).text
    assert soup_of(client.get(reverse("table", args=[placing.ref]))).select_one(f"#log a[href='{url}']")
    for dice in range(300):
        settle(now)
        if "r2" in open_rows(placing)[0].code:
            break
        answer(placing, open_rows(placing)[0], now, some_answer(fresh(placing), open_rows(placing)[0], dice))
    page = soup_of(client.get(url))
    assert page.h2.text == "Round 1: the strengths that were tallied"
    rows = [[cell.text.split(maxsplit=1) for cell in row.select("td")] for row in page.select("tbody tr")]
    assert rows and all(len(row) == 3 for row in rows)
    for row in rows:
        ranked = sorted((rank, int(number)) for number, *rest in row for rank in rest)
        assert [rank for rank, _number in ranked] == [f"(no. {place + 1})" for place in range(len(ranked))]
        assert [number for _rank, number in ranked] == sorted((number for _rank, number in ranked), reverse=True)
        assert max(ranked)[1] > 0 and all(int(number) == 0 for number, *rest in row if not rest)


def test_a_chart_is_drawn_the_same_in_every_language():
    chart = chart_of([[0, 3], [7, -2], [23, 11]])
    drawn = []
    for language in ("en", "de"):  # which writes 1,5 for 1.5
        with translation.override(language):
            drawn.append(render_to_string("games/archive/parts/chart.html", {"chart": chart, "names": ["Anna", "Ben"]}))
    assert drawn[0] == drawn[1] and 'y1="' in drawn[0]


def test_a_chart_has_a_line_for_each_seat_within_its_frame():
    chart = chart_of([[0, 3], [7, -2], [23, 11]])
    assert [line.seat for line in chart.lines] == [0, 1]
    spots = [tuple(map(float, spot.split(","))) for line in chart.lines for spot in line.points.split()]
    assert all(40 <= left <= 600 and 0 <= height <= 240 for left, height in spots)
    highest = min(spots, key=lambda spot: spot[1])
    assert chart.lines[0].end == highest and highest[0] == max(left for left, _height in spots)
    assert [mark.number for mark in chart.heights] == [0, 10, 20, 30]
    assert [mark.number for mark in chart.rounds] == [1, 2, 3]
    assert chart_of([[0], [0]]).lines[0].points
