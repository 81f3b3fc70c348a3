"""Gunicorn's settings of a web that waits half a second for the head of a request, and two for the rest."""

import os

os.environ["API_STREAM_SECONDS"] = "0"  # before the settings are read

from config import web_server
from config.web_server import BoundedWorker, pre_request

worker_class = BoundedWorker
web_server.HEAD_SECONDS, web_server.REST_SECONDS, web_server.LOOK = 0.5, 2.0, 0.1
__all__ = ["pre_request", "worker_class"]
