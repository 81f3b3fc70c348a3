"""What the web server runs."""

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
