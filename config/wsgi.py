"""The WSGI application, which the web server runs."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()


def load_pages() -> None:
    """Loads URLs and templates before the web server forks, instead of at the first request of each process."""
    from django.template import engines
    from django.urls import get_resolver

    _ = get_resolver().url_patterns
    engines.all()


load_pages()
