"""Gunicorn's settings for the server of account streams, beside the options of its command line.

One process holds them all. It writes no heartbeat: an outage is what players notice, and they play without it.
"""

import gc
import resource

from config.streams.half_open import BoundedStreams

worker_class = BoundedStreams
keepalive = 0  # one request a connection: no second one is waited for without end
workers = 1
asgi_lifespan = "on"
graceful_timeout = 1  # a stream ends by being cut off: its client comes back with the last id it has

MOST_FILES = 4096


def post_worker_init(_worker: object) -> None:
    """Gunicorn calls this in the process before it serves; whatever it raises ends the server."""
    from django.conf import settings  # here, so that the process that only watches this one does without

    from config import health_port
    from config.database import former, limits

    former.connect_once()
    limits.limit_process()
    _allow_connections()
    if settings.HEALTH_LISTEN:
        health_port.start(settings.HEALTH_LISTEN)
    gc.collect()
    gc.freeze()


def _allow_connections() -> None:
    """Raises how many files and connections the process may have open, if it is allowed to."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
