"""The command lines of the programs that serve: web, account streams, worker."""

import sys

from config.launcher.ports import address_of


def web_command(host: str, port: int) -> list[str]:
    """Gunicorn, without an access log: addresses hold tokens. Its two processes share what one has loaded."""
    size = ["--workers", "2", "--threads", "4", "--preload"]
    more = ["--no-control-socket", "--config", "python:config.web_server"]
    return [sys.executable, "-m", "gunicorn", "config.wsgi", *size, "--bind", address_of(host, port), *more]


def streams_command(address: str) -> list[str]:
    """Gunicorn for the streams of accounts. Its settings are a file: so its first process loads nothing of ours."""
    more = ["--no-control-socket", "--config", "config/streams/server.py"]
    return [sys.executable, "-m", "gunicorn", "config.streams.asgi", "--bind", address, *more]


def worker_command() -> list[str]:
    """A Celery worker for every queue. Its ticker is its clock; Beat is not needed."""
    queues = ["-Q", "play,deliver,sweep", "-c", "2", "--pool", "prefork"]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    return [sys.executable, "-m", "celery", "-A", "config", "worker", *queues, *quiet]
