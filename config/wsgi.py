"""What the web server runs."""

import os

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)


class Request(WSGIRequest):
    """One that lets go at its end of what hangs on it and knows it in turn: the person, messages, what htmx says.

    Else all of it would wait in memory for Python's collector, which comes by rarely (`config/web_server.py`), and each
    request would take memory that no cache of the processor knows. The same is done for games (`games/held.py`) and for
    the API (`games/api/resources.py`): a move leaves nothing to collect.
    """

    def close(self) -> None:
        """As Django's, which calls it once the answer is sent."""
        super().close()
        vars(self).clear()


class Handler(WSGIHandler):
    """Django's, with such requests."""

    request_class = Request


application = Handler()


def load_pages() -> None:
    """What the first request would load, in each process for itself, is loaded before there are several."""
    from django.template import engines
    from django.urls import get_resolver

    _ = get_resolver().url_patterns
    engines.all()


load_pages()
