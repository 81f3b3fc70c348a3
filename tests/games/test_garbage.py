"""What a move leaves in memory: nothing that only Python's collector would find, which comes by rarely."""

import gc
from contextlib import contextmanager

import pytest

from config.wsgi import application
from tests.bench import stepping
from tests.bench.answered import Supply, by_api, by_api_in_short, by_link, by_page

pytestmark = pytest.mark.django_db(transaction=True)  # as in service: a request ends no transaction of ours


OURS = {"config", "django", "engine", "games", "notifications", "rest_framework"}  # what else runs has its own


@contextmanager
def collected():
    """The objects that only the collector found."""
    found = []
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("way", [by_link, by_page, by_api, by_api_in_short])
def test_a_move_leaves_nothing_to_collect(way):
    supply = Supply(size=1)
    for _ in range(2):  # what is made once in a process
        stepping.ask(application, *supply.requests(way))
    (request,) = supply.requests(way)
    with collected() as found:
        stepping.ask(application, request)
    assert [kind for kind in map(type, found) if kind.__module__.partition(".")[0] in OURS] == []
