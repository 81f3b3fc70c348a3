"""Django's settings, each from the environment with a default that runs on one machine with nothing installed.

The variables are declared in config/environment.py and listed in docs/configuration.md. System checks for settings that
do not fit together are in config/checks.py.
"""

import hashlib
import tomllib
from email.utils import parseaddr
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from config import services
from config.database.settings import database_settings
from config.environment import read_environment, refuse_missing
from config.logging import logging_settings
from config.secret_key import load_or_create, p256_key
from engine.packages import folders

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = str(tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"])
env = read_environment()

# Where a machine keeps what must survive a restart: database, broker socket, generated key.
VAR_DIR = Path(env("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
BACKUP_DIR = Path(env("BACKUP_DIR") or VAR_DIR / "backups")

# Who we are
DEBUG = env("DEBUG")
SITE_NAME = env("SITE_NAME")
SITE_URL = (env("SITE_URL") or f"http://localhost:{env('PORT') or 8000}").rstrip("/")
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY_IS_GENERATED = not SECRET_KEY
if SECRET_KEY_IS_GENERATED:
    SECRET_KEY = load_or_create(VAR_DIR / "secret_key")
SITE_HOST = SITE_URL.split("://", 1)[-1].split("/", 1)[0]
ALLOWED_HOSTS = env("ALLOWED_HOSTS", default=[SITE_HOST.rsplit(":", 1)[0], "localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env("CSRF_TRUSTED_ORIGINS", default=[SITE_URL])
BEHIND_PROXY = env("BEHIND_PROXY")  # one proxy of ours, which sets X-Forwarded-Proto and -For itself
IS_PRODUCTION = env("PRODUCTION", default=SITE_URL.startswith("https://"))
if IS_PRODUCTION:
    refuse_missing(env, "DATABASE_URL", "REDIS_URL")

INSTALLED_APPS = [
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "config.apps.ConfigConfig",
    "games",
    "notifications",
    "config.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "django_htmx",
    "anymail",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "games.web.middleware.RequestCounts",
    "games.web.middleware.PublicApi",
    "games.web.middleware.EncryptedApi",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pages shrink to a sixth; it adds random bytes against BREACH
    "config.web.SecurityHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "games.web.middleware.BrowserLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.web.middleware.SessionsEnd",
    "games.web.middleware.ReaderSettings",
    "games.web.middleware.Guests",
    "games.web.middleware.KnownBrowsers",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.web.middleware.RefusalPages",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
CONTEXT_PROCESSORS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "games.web.site.site",
)
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": folders("templates"),  # of games from elsewhere
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": CONTEXT_PROCESSORS},
    },
    {
        "NAME": "pages",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": folders("jinja2"),
        "APP_DIRS": True,
        "OPTIONS": {
            "environment": "games.web.jinja.environment",
            "context_processors": (*CONTEXT_PROCESSORS, "games.web.jinja.form_token"),
        },
    },
    {
        "NAME": "boards",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": folders("jinja2"),
        "APP_DIRS": True,
        "OPTIONS": {"environment": "games.tables.boards.environment"},
    },
]

# Storage. SQLite serves one machine; DATABASE_URL moves to PostgreSQL.
DATABASES = {"default": database_settings(env, VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis carries hints and caches, never facts. Without REDIS_URL the launcher starts a broker of its own here.
REDIS_URL = env("REDIS_URL") or services.socket_url(VAR_DIR)
# Late acknowledgement, no results, no ETA: each task can be derived again from the database.
CELERY_BROKER_URL = REDIS_URL
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
# A worker does its tasks in threads of its own process, unless it is given processes for them.
WEB_PROCESSES, WORKER_PROCESSES = env("WEB_PROCESSES"), env("WORKER_PROCESSES")
CELERY_WORKER_POOL = "prefork" if WORKER_PROCESSES else "threads"
CELERY_WORKER_CONCURRENCY = WORKER_PROCESSES or 4
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
# A clock that nothing needs: one more tick where Beat runs. Without it, or with two of it, nothing changes.
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "games.sweep", "schedule": 15.0}}
CACHES = {
    # The counts of tries are kept here: many strangers must not push them out.
    "default": env.cache_url_config(env("CACHE_URL") or "dbcache://cache?max_entries=100000"),
    # How often somebody has asked the API, in each process for itself: a read must not become a write.
    "requests": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}},
}

TICK_SECONDS = env("TICK_SECONDS")  # how often every worker polls the database
TICK_FILE = env("TICK_FILE")  # touched after each tick, for whoever watches the worker from outside
WORKER_HINTS_ENABLED = env("WORKER_HINTS_ENABLED")
WORKER_HINT_TASKS = {"play": "games.play", "deliver": "notifications.deliver"}

# Mail. EMAIL_URL=smtp+tls://user:password@host:587 and the like; without it mails go to /mailbox/.
EMAIL_URL = env("EMAIL_URL") or "mailbox://"
MAILBOX_ENABLED = EMAIL_URL.startswith("mailbox:") and not IS_PRODUCTION
if EMAIL_URL.startswith("mailbox:"):
    EMAIL_BACKEND = "notifications.channels.mail.mailbox.MailboxBackend"
else:
    vars().update(services.server_at(EMAIL_URL, env.email_url_config))
EMAIL_TIMEOUT = 15
# A mail provider by its API instead, by anymail's name for it ("postmark", "mailgun", "brevo" ...), with what it needs
# as JSON: {"POSTMARK_SERVER_TOKEN": "..."}. What it reports (bounces, complaints) needs the secret "name:password".
MAIL_PROVIDER = env("MAIL_PROVIDER")
MAIL_EVENTS_SECRET = env("MAIL_EVENTS_SECRET")
MAIL_PROVIDER_SETTINGS = services.object_of("MAIL_PROVIDER_SETTINGS", env("MAIL_PROVIDER_SETTINGS"))
ANYMAIL = {**MAIL_PROVIDER_SETTINGS, "WEBHOOK_SECRET": MAIL_EVENTS_SECRET or None}
if MAIL_PROVIDER:
    MAILBOX_ENABLED = False
    EMAIL_BACKEND = f"anymail.backends.{MAIL_PROVIDER}.EmailBackend"
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default=f"{SITE_NAME} <caravanserai@{SITE_HOST.rsplit(':', 1)[0]}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_DOMAIN = env("MAIL_DOMAIN", default=SITE_HOST.rsplit(":", 1)[0])  # right of the @ in every Message-ID
# Answers by mail: the address people answer to, with {token} in it; and whose word on a sender is believed (RFC 8601).
REPLY_ADDRESS = env("REPLY_ADDRESS", default=f"reply+{{token}}@{MAIL_DOMAIN}" if MAILBOX_ENABLED else "")
# Where a mail server of our own sends what comes back, with {token} in it as well. A provider tells us otherwise.
BOUNCE_ADDRESS = env("BOUNCE_ADDRESS")
MAIL_AUTHSERV_ID = env("MAIL_AUTHSERV_ID")
REPLY_MAILBOX = env("REPLY_MAILBOX")  # or where it reads: imaps://user:password@imap.example.org/INBOX
REPLY_MAILBOX_AFTER = env(
    "REPLY_MAILBOX_AFTER"
)  # what becomes of a mail there: leave, seen, delete, or a folder's name
OPERATOR_ADDRESS = env("OPERATOR_ADDRESS")
# Where config.listener listens: for programs that follow their games, and for replies, such as lmtp://127.0.0.1:8024.
EVENTS_LISTEN, MAIL_LISTEN = env("EVENTS_LISTEN"), env("MAIL_LISTEN")
MAIL_PER_MINUTE = env("MAIL_PER_MINUTE")  # what the mail server or provider allows; 0: as many as come
# Who sends: the threads of each worker, or of each process of its pool. So many of them may wait for web servers that
# work, and one for those that fail.
WEBHOOKS_AT_ONCE = env("WEBHOOKS_AT_ONCE")
WEBHOOK_ALLOW_INSECURE = env("WEBHOOK_ALLOW_INSECURE")
PUSH_ENABLED = env("PUSH_ENABLED")


def _derived_key(purpose: str) -> str:
    return hashlib.sha256(f"{purpose}:{SECRET_KEY}".encode()).hexdigest()


SUPPRESSION_KEY = env("SUPPRESSION_KEY", default=_derived_key("suppression"))
# Seal what is secret in the database; the first one seals, all open.
SEALING_KEYS = env("SEALING_KEYS", default=[_derived_key("sealing")])
LINK_KEY = env("LINK_KEY", default=_derived_key("links"))
# Who we are to the push services of browsers (RFC 8292), and whom those can write to.
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY") or p256_key(_derived_key("vapid"))
VAPID_CONTACT = env("VAPID_CONTACT") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"

# Accounts: the email address is the login; a code or link by email, a password if one wants it.
AUTH_USER_MODEL = "games.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    "sesame.backends.ModelBackend",
]
LOGIN_URL = "account_request_login_code"
LOGIN_REDIRECT_URL = "my_games"
ACCOUNT_ADAPTER = "games.people.sign_in.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "games.web.sign_up_form.SignUpForm"
ACCOUNT_FORMS = {
    "login": "games.web.sign_in.PasswordForm",
    "request_login_code": "games.web.sign_in.RequestCodeForm",
    "reset_password": "games.web.sign_in.ResetForm",
    "confirm_login_code": "games.web.sign_in.LoginCodeForm",
    "confirm_email_verification_code": "games.web.sign_in.AddressCodeForm",
}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a changed password is told by mail
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Codes and links of mails live ten minutes at most. No session guesses at a code more often, all at once or one by one.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = ACCOUNT_LOGIN_BY_CODE_TIMEOUT = PASSWORD_RESET_TIMEOUT = 600
# Letters and passwords are counted by games.people.limits, at which strangers cannot lock an owner out.
ACCOUNT_RATE_LIMITS = {
    "guess_code": "8/10m/key",
    "guest": "30/h/ip,100/d/ip",
    "film": "10/h/user,30/h/ip",
    "login": None,
    "login_failed": None,
    "request_login_code": None,
    "confirm_email": None,
    "reset_password": None,
    "reset_password_from_key": None,
}
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 56  # what one subscriber has
SESAME_MAX_AGE = 600
SESAME_ONE_TIME = True
SESAME_INVALIDATE_ON_EMAIL_CHANGE = True
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "games.people.sign_in.HardToGuess"},
]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE_URL.split("://", 1)[0]
# Whose requests are counted: behind one proxy of ours, the address that it saw.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if BEHIND_PROXY else 0
# The admin site asks staff for a code of an app on another device as well, once in twelve hours.
STAFF_SECOND_FACTOR = env("STAFF_SECOND_FACTOR", default=not DEBUG)
OTP_TOTP_ISSUER = SITE_NAME

# Tables
GUESTS_AT_ONCE = env("GUESTS_AT_ONCE")
INVITATIONS_PER_HOST_AND_DAY = env("INVITATIONS_PER_HOST_AND_DAY")
OPEN_TABLES_PER_HOST = env("OPEN_TABLES_PER_HOST")
TABLE_EXPIRES_DAYS = env("TABLE_EXPIRES_DAYS")
TOURNAMENTS_PER_HOST = env("TOURNAMENTS_PER_HOST")
# Games played elsewhere that somebody may keep here; and how large a record may be that is sent to us, in bytes.
IMPORTED_GAMES_PER_PERSON = env("IMPORTED_GAMES_PER_PERSON")
LARGEST_RECORD = env("LARGEST_RECORD")
# Processor time for the review of a game that is over; none are made with 0.
REVIEW_SECONDS = min(60, env("REVIEW_SECONDS"))
PACK_AFTER_DAYS = env("PACK_AFTER_DAYS")
REF_PREFIX = env("REF_PREFIX")
# A pace in seconds for demonstrations and tests, beside the presets of games/tables/pace.py: "blitz:4".
EXTRA_PACE = env("EXTRA_PACE")
# An answer that reaches us this late still counts; nobody is passed before four times that has gone.
DEADLINE_GRACE_SECONDS = env("DEADLINE_GRACE_SECONDS")
LOOKING_SECONDS = env("LOOKING_SECONDS")  # so long an email waits whose reader has looked at its game
VACATION_DAYS_PER_YEAR = env("VACATION_DAYS_PER_YEAR")

ERASURE_GRACE_DAYS = env("ERASURE_GRACE_DAYS")  # from the request to delete an account until it is deleted
# After how many days what nobody needs any more is deleted; docs/privacy.md says what each is. KEEP_DAYS changes some.
KEPT = {
    "told": 365,
    "answers_by_mail": 90,
    "webhook_calls": 30,
    "returned_mails": 365,
    "invitations": 90,
    "tournaments": 90,
    "proposals": 7,
    "looks": 365,
    "vacations": 730,
    "sign_ins": 90,
    "anonymous_requests": 2,
    "trusted_devices": 365,
    "push_devices": 365,
    "revoked_tokens": 90,
    "request_keys": 3,
    "imports": 30,
    "address_changes": 365,
    "reports": 365,
    "admin_log": 730,
    "unconfirmed_accounts": 30,
    "guests": 7,
    "stored_mails": 30,
}
KEEP_DAYS: dict[str, int] = KEPT | env("KEEP_DAYS")

# API
API_STREAMS = env("API_STREAMS")  # event streams at once in one web process: each holds a thread
API_STREAM_SECONDS = env("API_STREAM_SECONDS")  # after which a client comes back by itself
EVENTS_URL = env("EVENTS_URL") or f"{SITE_URL}/api/v1/me/events/"  # where programs are told to listen
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "games.api.schema.Described",
    "URL_FORMAT_OVERRIDE": None,  # the Accept header alone chooses; a `format` in the query is passed over
    "EXCEPTION_HANDLER": "games.api.problems.problem_details",
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Caravanserai",
    "DESCRIPTION": "Everything that the pages do, a program can do: play, host, talk, look after a table, moderate. "
    "Errors are problem details (RFC 9457). Lists come in parts by cursor. Answers to GET have an ETag; every "
    "answer says how much may still be asked (RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset). docs/api.md has "
    "the whole story.",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_PATCH": False,
    "WEBHOOKS": "games.api.webhooks.WEBHOOKS",
    "ENUM_NAME_OVERRIDES": {
        "BotStateEnum": "games.api.bots.STATES",
        "DeliveryStateEnum": "notifications.models.DeliveryState",
        "BotScopeEnum": "games.api.bots.SCOPES",
        "AudienceEnum": "games.people.models.User.Audience",
        "AbsentSeatsEnum": "games.tables.models.Game.AbsentSeats",
        "GameStatusEnum": "games.tables.models.Game.Status",
        "SeatStatusEnum": "games.tables.seats.Seat.Status",
        "InvitationStatusEnum": "games.tables.seats.Invitation.Status",
        "MatchStatusEnum": "games.tournaments.models.Match.Status",
        "TournamentStatusEnum": "games.tournaments.models.Tournament.Status",
        "RoundTableStateEnum": "games.tournaments.models.TournamentTable.State",
        "WebhookStateEnum": "games.api.webhooks.STATES",
        "WebhookFormatEnum": "notifications.models.Shape",
        "WantedFormatEnum": "games.api.webhooks.SHAPES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.webhooks.add_headers",
        "games.api.schema.describe_members",
        "games.api.schema.describe_reasons",
        "games.api.schema.describe_streams",
        "games.api.schema.add_answer_headers",
        "games.api.schema.add_examples",
        "games.api.schema.share_problems",
        "games.api.schema.add_servers",
    ],
}

# Words and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "games" / "locale", BASE_DIR / "notifications" / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"

# Files
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_USE_FINDERS = True  # served straight from the folders too, where nothing has been collected
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {"staticfiles": {"BACKEND": "config.web.StaticFiles"}}
FILE_UPLOAD_HANDLERS = ["config.web.BoundedUploadHandler"]  # kept in memory: none is ever written to the disk

# Safety
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_PRODUCTION
SESSION_COOKIE_NAME = "__Host-session" if IS_PRODUCTION else "session"
SESSION_ENGINE = "games.people.sessions"
SESSION_COOKIE_AGE = 14 * 86_400  # from signing in, however busy one was: games.web.middleware.SessionsEnd
CSRF_COOKIE_NAME = "__Host-csrf" if IS_PRODUCTION else "csrf"
CSRF_COOKIE_HTTPONLY = True  # forms carry the token; no script asks for it
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # a cookie less
SECURE_SSL_REDIRECT = env("SECURE_SSL_REDIRECT", default=IS_PRODUCTION and BEHIND_PROXY)
SECURE_HSTS_SECONDS = 31_536_000 if IS_PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env("HSTS_SUBDOMAINS")
SILENCED_SYSTEM_CHECKS = [
    "security.W002",  # frames are refused by config.web, not by Django's middleware
    "security.W021",  # to be in browsers' lists for good is the domain owner's own step
]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from within, where there is no TLS
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # config/web.py says it, where it means something

LOGGING = logging_settings(env("LOG_FORMAT"), env("LOG_LEVEL"))
METRICS_TOKEN = env("METRICS_TOKEN")  # of whoever watches the service from outside
HEALTH_LISTEN = env("HEALTH_LISTEN")  # host:port where /healthz waits for no other request
SENTRY_DSN = env("SENTRY_DSN")
