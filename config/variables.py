"""Every environment variable that the service reads: its type, its default and what it is for.

config/environment.py makes of it what config/settings.py reads, and the table in docs/configuration.md.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Default: TypeAlias = str | int | float | list[str] | dict[str, int]


@dataclass(frozen=True)
class Variable:
    """One environment variable.

    Attributes:
        name: as it is written in the environment or in `.env`.
        cast: its type, as django-environ takes it.
        default: its value where it is not set.
        meaning: what it does, in Markdown; links are relative to docs/.
        shown: what the table says instead of the default, where that is computed or means something.
    """

    name: str
    cast: Callable[..., object]
    default: Default
    meaning: str
    shown: str = ""


GROUPS: dict[str, tuple[Variable, ...]] = {
    "The site": (
        Variable(
            "SITE_URL",
            str,
            "",
            "The address people use; starts every link in an email. `https://` turns on what production needs.",
            "`http://localhost:8000`",
        ),
        Variable("SITE_NAME", str, "Caravanserai", "What the site calls itself in pages and emails."),
        Variable("HOST", str, "127.0.0.1", "Where the web server of `script/server` listens."),
        Variable("PORT", str, "", "Its port; 0 for any free one.", "8000"),
        Variable("PRODUCTION", bool, False, "Secure cookies, HSTS, no mailbox page.", "on if `SITE_URL` is `https://`"),
        Variable("DEBUG", bool, False, "Django's debug pages. They show secrets: never in production."),
        Variable(
            "BEHIND_PROXY",
            bool,
            False,
            "One proxy of yours stands in front and sets `X-Forwarded-Proto` and `X-Forwarded-For` itself.",
        ),
        Variable("ALLOWED_HOSTS", list, [], "Further names of the site, with commas.", "from `SITE_URL`"),
        Variable("CSRF_TRUSTED_ORIGINS", list, [], "Origins whose forms are accepted, with commas.", "`SITE_URL`"),
        Variable(
            "SECURE_SSL_REDIRECT",
            bool,
            False,
            "Redirect pages from http to https, if no proxy does; the API refuses http.",
            "on in production with `BEHIND_PROXY`",
        ),
        Variable(
            "HSTS_SUBDOMAINS",
            bool,
            True,
            "In production browsers ask names below this one by https alone as well; `off` if one of them cannot.",
        ),
    ),
    "Keys": (
        Variable(
            "SECRET_KEY",
            str,
            "",
            "Signs sessions and links. In production set it: 50 random characters, the same on every machine.",
            "made once, kept in `VAR_DIR`",
        ),
        Variable(
            "LINK_KEY",
            str,
            "",
            "Signs the links in emails. Set it if `SECRET_KEY` may change, or old links die.",
            "from `SECRET_KEY`",
        ),
        Variable(
            "SUPPRESSION_KEY",
            str,
            "",
            'Hashes addresses that want no email. Set it if `SECRET_KEY` may change, or "never again" is forgotten.',
            "from `SECRET_KEY`",
        ),
        Variable(
            "SEALING_KEYS",
            list,
            [],
            "Seal webhooks' addresses and secrets, sessions, keys of second factors. The first seals, all open.",
            "from `SECRET_KEY`",
        ),
        Variable(
            "VAPID_PRIVATE_KEY",
            str,
            "",
            "Signs what we send to people's devices (web push): `manage.py make_vapid_key` makes one. Set it if "
            "`SECRET_KEY` may change, or everybody has to switch notifications on again.",
            "from `SECRET_KEY`",
        ),
        Variable(
            "STAFF_SECOND_FACTOR",
            bool,
            True,
            "The admin site asks staff for a code of an app, once in twelve hours.",
            "on, unless `DEBUG`",
        ),
    ),
    "Storage": (
        Variable("VAR_DIR", str, "", "The folder of what must survive a restart.", "`var/`"),
        Variable("DATABASE_URL", str, "", "`postgres://user:password@host/name`", "SQLite in `VAR_DIR`"),
        Variable("CONN_MAX_AGE", int, 600, "Seconds for which a database connection is kept."),
        Variable(
            "BEHIND_POOLER",
            bool,
            False,
            "A pooler (PgBouncer, by transaction) stands before PostgreSQL, so nothing is kept on a connection: "
            "[scaling](scaling.md#a-pooler).",
        ),
        Variable(
            "REDIS_URL",
            str,
            "",
            "`redis://host:6379/0`. It carries hints only: losing it loses nothing.",
            "a broker of our own on a socket",
        ),
        Variable("CACHE_URL", str, "", "Django's cache, as django-environ writes it.", "a table of the database"),
    ),
    "Email": (
        Variable(
            "EMAIL_URL",
            str,
            "",
            "A mail server: `smtp+tls://user:password@host:587` or `smtp+ssl://...:465`.",
            "the mailbox page",
        ),
        Variable(
            "MAIL_PROVIDER",
            str,
            "",
            "A mail provider by its API instead, such as `postmark`: [how](self-hosting-mail.md).",
        ),
        Variable("MAIL_PROVIDER_SETTINGS", str, "", "What the provider needs, as JSON.", "`{}`"),
        Variable(
            "MAIL_EVENTS_SECRET", str, "", "`name:password` with which the provider reports bounces and complaints."
        ),
        Variable(
            "MAIL_PER_MINUTE", int, 0, "Emails a minute that the server or provider allows; 0 for as many as come."
        ),
        Variable(
            "DEFAULT_FROM_EMAIL", str, "", "Who the emails are from.", "`Caravanserai <caravanserai@host of SITE_URL>`"
        ),
        Variable(
            "MAIL_DOMAIN",
            str,
            "",
            "Right of the @ in every Message-ID, which keeps the emails of a game together: do not change it later.",
            "host of `SITE_URL`",
        ),
        Variable(
            "BOUNCE_ADDRESS",
            str,
            "",
            "Where your own mail server sends what comes back, with `{token}` in it: "
            "[how](self-hosting-mail.md#mail-that-comes-back).",
        ),
        Variable(
            "REPLY_ADDRESS",
            str,
            "",
            "The address people reply to, with `{token}` in it: [how to receive replies](self-hosting-replies.md).",
            "none: nobody can reply",
        ),
        Variable(
            "MAIL_AUTHSERV_ID",
            str,
            "",
            "The name under which your mail server writes Authentication-Results (RFC 8601), which proves senders.",
            "none: each reply is confirmed",
        ),
        Variable("MAIL_LISTEN", str, "", "Where `manage.py receive_mail` listens, such as `lmtp://127.0.0.1:8024`."),
    ),
    "Webhooks, notifications and API": (
        Variable(
            "WEBHOOKS_AT_ONCE",
            int,
            2,
            "So many senders at most send webhooks at a time, and one more those of owners whose webhooks fail; a "
            "worker has two for each process (`-c`) and its ticker, beside one for emails. 0 for all.",
        ),
        Variable(
            "WEBHOOK_ALLOW_INSECURE",
            bool,
            False,
            "Webhooks and push services on http, any port and this machine itself, to try them out.",
        ),
        Variable(
            "PUSH_ENABLED",
            bool,
            True,
            "Notifications on people's devices (web push), sent through the push services of their browsers.",
        ),
        Variable(
            "VAPID_CONTACT",
            str,
            "",
            "Where those who run a push service can reach you: `mailto:` and an address, or an `https://` page.",
            "`mailto:` and the address in `DEFAULT_FROM_EMAIL`",
        ),
        Variable(
            "API_STREAMS", int, 2, "Event streams open at once in one web process; each holds a thread of the web."
        ),
        Variable("API_STREAM_SECONDS", int, 25, "After so many seconds a stream ends and its client comes back."),
        Variable(
            "EVENTS_LISTEN",
            str,
            "",
            "Where `script/server` holds [account streams](api.md#one-stream-for-all-your-games), such as "
            "`127.0.0.1:8001`; `off` for nowhere: then web processes send them, a few seconds at a time.",
            "the port after `PORT`; nowhere if `SITE_URL` is set",
        ),
        Variable(
            "EVENTS_URL",
            str,
            "",
            "Their address, as the API tells programs. Set it where it is not below `SITE_URL`.",
            "`SITE_URL/api/v1/me/events/`",
        ),
    ),
    "Tables and games": (
        Variable("GUESTS_AT_ONCE", int, 2000, "Guests (people who play without an account) at once; 0 takes none."),
        Variable(
            "INVITATIONS_PER_HOST_AND_DAY",
            int,
            20,
            "Invitations to tables and clubs together that one person may send in a day.",
        ),
        Variable("OPEN_TABLES_PER_HOST", int, 10, "Tables of one host that may wait for players at once."),
        Variable("TABLE_EXPIRES_DAYS", int, 14, "After so many days a table that has not started is closed."),
        Variable("TOURNAMENTS_PER_HOST", int, 3, "Tournaments of one host at once, open or running."),
        Variable("IMPORTED_GAMES_PER_PERSON", int, 50, "Games played elsewhere that one person may keep here."),
        Variable(
            "REVIEW_SECONDS",
            int,
            45,
            "Processor time for the [review](reviews.md) of a game that is over, when nothing else wants it; "
            "60 at most, 0 for none.",
        ),
        Variable(
            "REF_PREFIX",
            str,
            "",
            "The letter references begin with, where [several databases](scaling.md#several-databases) share people.",
        ),
        Variable(
            "PACK_AFTER_DAYS",
            int,
            30,
            "So many days after its end the log of a game is [packed](operations.md#packed-logs); 0 for never.",
        ),
        Variable("LARGEST_RECORD", int, 4 * 1024 * 1024, "Bytes of the largest record that can be imported."),
        Variable(
            "DEADLINE_GRACE_SECONDS",
            int,
            10,
            "An answer that reaches us this late still counts; nobody is passed before four times that.",
        ),
        Variable("LOOKING_SECONDS", int, 120, "Emails of a game wait so long after their reader has looked at it."),
        Variable("VACATION_DAYS_PER_YEAR", int, 30, "Everybody's vacation for a calendar year."),
        Variable("EXTRA_PACE", str, "", "One more pace for trials, such as `blitz:20` (seconds for each decision)."),
    ),
    "Privacy": (
        Variable("ERASURE_GRACE_DAYS", int, 7, "Days in which a deleted account can be taken back."),
        Variable("KEEP_DAYS", json.loads, {}, "For how many days what is kept, as JSON: [privacy](privacy.md)."),
    ),
    "Watching the service": (
        Variable("LOG_LEVEL", str, "INFO", "How much is logged."),
        Variable("LOG_FORMAT", str, "line", "`json` for programs that read the log."),
        Variable("METRICS_TOKEN", str, "", "With it `/metrics` is there for Prometheus: [operations](operations.md)."),
        Variable(
            "HEALTH_LISTEN",
            str,
            "",
            "Host and port where each web process answers `/healthz` and waits for no other request.",
            "none; `127.0.0.1:8100` in the image",
        ),
        Variable("SENTRY_DSN", str, "", "Where errors are reported, without anything that is secret."),
        Variable("TICK_SECONDS", float, 2.0, "How often each worker looks at the database.", "2"),
        Variable("TICK_FILE", str, "", "A file that a worker touches after each tick, for a health check."),
        Variable(
            "WORKER_HINTS_ENABLED",
            bool,
            True,
            "After a move the workers are told at once, not only at their next tick.",
        ),
    ),
}
ALL = {variable.name: variable for group in GROUPS.values() for variable in group}
