"""Gunicorn's settings of a web that waits half a second for the head of a request, and two for the rest."""

import os

os.environ["API_STREAM_SECONDS"] = "0"  # before the settings are read

from config.web import half_open
from config.web.half_open import BoundedWorker, pre_request

worker_class = BoundedWorker
half_open.HEAD_SECONDS, half_open.REST_SECONDS, half_open.LOOK = 0.5, 2.0, 0.1
__all__ = ["pre_request", "worker_class"]
