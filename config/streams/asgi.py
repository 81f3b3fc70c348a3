"""The ASGI application: the streams of accounts, many in one process. Everything else is `config.wsgi`."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "config.streams.settings"

from django.core.wsgi import get_wsgi_application

_django = get_wsgi_application()  # first: models cannot be imported before

from django.urls import reverse  # noqa: E402

from config.streams.half_open import noting  # noqa: E402
from games.api.stream_server import Hub, StreamServer  # noqa: E402

application = noting(StreamServer(_django, reverse("api_my_events"), Hub()))
