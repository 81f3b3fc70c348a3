"""What the web server runs."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def load_pages() -> None:
    """What the first request would load, in each process for itself, is loaded before there are several."""
    from django.template import engines
    from django.urls import get_resolver

    _ = get_resolver().url_patterns
    engines.all()


load_pages()
# What is loaded stays: a full collection looked at all of it every few hundred requests, and held up one of them for a tenth
# of a second. Nor does it write any more into memory that the processes share. And what a request makes, nearly all of
# which needs no collection, is looked through once for some of them instead of several times in each.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
