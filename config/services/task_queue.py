"""Settings of Celery: late acknowledgement, no results, no ETA; each task can be derived again from the database."""

CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 3,
    "socket_keepalive": True,
    "health_check_interval": 25,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_TIME_LIMIT = 60
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 300_000
# A broker that goes away must not cut off the mail that is being handed over: it would wait for its lease to lapse, and
# perhaps arrive twice. That a task runs once more when the broker is back is harmless.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # one form of log line for all, from LOGGING
CELERY_TIMEZONE = "UTC"
CELERY_TASK_DEFAULT_QUEUE = "sweep"
CELERY_TASK_ROUTES = {
    "games.play": {"queue": "play"},
    "notifications.deliver": {"queue": "deliver"},
    "games.sweep": {"queue": "sweep"},
}
# One more tick where Beat runs (celery worker -B); without it, or with two of it, nothing changes.
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "games.sweep", "schedule": 15.0}}
