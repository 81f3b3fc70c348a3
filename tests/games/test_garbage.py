"""What a move leaves in memory: nothing that only Python's collector would find, which comes by rarely."""

import gc

import pytest

from config.wsgi import application
from tests.bench import stepping
from tests.bench.answered import Supply, by_api, by_api_in_short, by_link, by_page

pytestmark = pytest.mark.django_db(transaction=True)  # as in service: a request ends no transaction of ours


@pytest.mark.parametrize("way", [by_link, by_page, by_api, by_api_in_short])
def test_a_move_leaves_nothing_to_collect(way):
    supply = Supply(size=1)
    for _ in range(2):  # what is made once in a process
        stepping.ask(application, *supply.requests(way))
    (request,) = supply.requests(way)
    gc.collect()
    gc.disable()
    try:
        stepping.ask(application, request)
        found = gc.collect()
    finally:
        gc.enable()
    assert found == 0
