"""Every environment variable that the service reads: its type, its default and what it is for.

config/settings.py reads them. `python -m config.environment` writes the table in docs/configuration.md."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import environ
from django.core.exceptions import ImproperlyConfigured

# Every environment variable that the service reads: its type, its default and what it is for.

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
        Variable(
            "PORT",
            str,
            "",
            "Its port; account streams are one port above, replies by email 25 above. 0 for any free ports.",
            "8000",
        ),
        Variable("PRODUCTION", bool, False, "Secure cookies, HSTS, no mailbox page.", "on if `SITE_URL` is `https://`"),
        Variable("DEBUG", bool, False, "Django's debug pages. They show secrets: never in production."),
        Variable(
            "BEHIND_PROXY",
            bool,
            False,
            "Exactly one proxy of yours is in front and sets `X-Forwarded-Proto` and `X-Forwarded-For` itself.",
        ),
        Variable("ALLOWED_HOSTS", list, [], "Further host names of the site, separated by commas.", "from `SITE_URL`"),
        Variable(
            "CSRF_TRUSTED_ORIGINS", list, [], "Origins whose forms are accepted, separated by commas.", "`SITE_URL`"
        ),
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
            "In production, HSTS covers subdomains too; `off` if one of them has no https.",
        ),
    ),
    "Keys": (
        Variable(
            "SECRET_KEY",
            str,
            "",
            "Signs sessions and links. Set it in production: 50 random characters, the same on every machine.",
            "generated once, kept in `VAR_DIR`",
        ),
        Variable(
            "LINK_KEY",
            str,
            "",
            "Signs the links in emails. Set it if `SECRET_KEY` may change, or old links stop working.",
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
            "Encrypt webhooks' addresses and secrets, sessions, second factors' keys, separated by commas. The first "
            "encrypts, all decrypt.",
            "from `SECRET_KEY`",
        ),
        Variable(
            "VAPID_PRIVATE_KEY",
            str,
            "",
            "Signs what we send to people's devices (web push): `caravanserai make_vapid_key` makes one. Set it if "
            "`SECRET_KEY` may change, or everybody has to switch notifications on again.",
            "from `SECRET_KEY`",
        ),
        Variable(
            "STAFF_SECOND_FACTOR",
            bool,
            True,
            "The admin site asks staff for a code from an app every twelve hours.",
            "on, unless `DEBUG`",
        ),
    ),
    "Storage": (
        Variable("VAR_DIR", str, "", "The folder for files that must survive a restart.", "`var/`"),
        Variable(
            "BACKUP_DIR", str, "", "The folder of `backup`, `restore --drill` and `check`.", "`backups/` in `VAR_DIR`"
        ),
        Variable(
            "DATABASE_URL",
            str,
            "",
            "`postgres://user:password@host/name`, or `sqlite:////folder/name.sqlite3` for one machine.",
            "SQLite in `VAR_DIR`; none in production, but for `script/server`",
        ),
        Variable("CONN_MAX_AGE", int, 600, "Seconds that a database connection is kept open."),
        Variable(
            "BEHIND_POOLER",
            bool,
            False,
            "A pooler (PgBouncer in transaction mode) is in front of PostgreSQL, so connections keep no state: "
            "[scaling](scaling.md#a-pooler).",
        ),
        Variable(
            "REDIS_URL",
            str,
            "",
            "`redis://host:6379/0`. It carries only hints to workers: if it is lost, no data is.",
            "a broker of its own for `script/server`; none in production otherwise",
        ),
        Variable("CACHE_URL", str, "", "Django's cache, as a URL for django-environ.", "a database table"),
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
            "Or a mail provider with an API, such as `postmark`: [how](self-hosting-mail.md).",
        ),
        Variable("MAIL_PROVIDER_SETTINGS", str, "", "What the provider needs, as JSON.", "`{}`"),
        Variable(
            "MAIL_EVENTS_SECRET", str, "", "`name:password` with which the provider reports bounces and complaints."
        ),
        Variable("MAIL_PER_MINUTE", int, 0, "Emails a minute that the server or provider allows; 0 for no limit."),
        Variable(
            "DEFAULT_FROM_EMAIL", str, "", "Who the emails are from.", "`Caravanserai <caravanserai@host of SITE_URL>`"
        ),
        Variable(
            "MAIL_DOMAIN",
            str,
            "",
            "The part after the @ in every Message-ID, which threads the emails of a game: do not change it later.",
            "host of `SITE_URL`",
        ),
        Variable(
            "BOUNCE_ADDRESS",
            str,
            "",
            "Where your own mail server sends bounces, with `{token}` in it: "
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
            "The name under which your mail server writes Authentication-Results (RFC 8601), which verifies senders.",
            "none: each reply has to be confirmed",
        ),
        Variable(
            "REPLY_MAILBOX",
            str,
            "",
            "A mailbox that the listener reads by IMAP, `imaps://user:password@imap.example.org/INBOX`: "
            "[how](self-hosting-replies.md#with-a-mailbox).",
        ),
        Variable(
            "REPLY_MAILBOX_AFTER",
            str,
            "leave",
            "What becomes of a reply that was read there: `leave`, `seen`, `delete`, or a folder's name, to move it.",
        ),
        Variable("OPERATOR_ADDRESS", str, "", "Whom a unit that failed tells by email, with the lines of `check`."),
        Variable("MAIL_LISTEN", str, "", "Where the listener takes replies, such as `lmtp://127.0.0.1:8024`."),
    ),
    "Webhooks, notifications and API": (
        Variable(
            "WEBHOOKS_AT_ONCE",
            int,
            2,
            "Senders of webhooks at a time, beside one for owners whose webhooks fail; 0 for all. A worker has two for "
            "each process (`-c`) and its ticker.",
        ),
        Variable(
            "WEBHOOK_ALLOW_INSECURE",
            bool,
            False,
            "Allow webhooks and push services on http, any port and this machine itself, for trying them out.",
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
            "API_STREAMS", int, 2, "Event streams open at once in one web process; each occupies one of its threads."
        ),
        Variable("API_STREAM_SECONDS", int, 25, "After so many seconds a stream ends and its client reconnects."),
        Variable(
            "EVENTS_LISTEN",
            str,
            "",
            "Where `script/server` serves [account streams](api.md#one-stream-for-all-your-games), such as "
            "`127.0.0.1:8001`; with `off`, web processes send them, a few seconds at a time.",
            "the port after `PORT`; nowhere if `SITE_URL` is set",
        ),
        Variable(
            "EVENTS_URL",
            str,
            "",
            "The address of these streams that the API gives to programs. Set it if it is not below `SITE_URL`.",
            "`SITE_URL/api/v1/me/events/`",
        ),
    ),
    "Tables and games": (
        Variable("GUESTS_AT_ONCE", int, 2000, "Guests (people who play without an account) at once; 0 for none."),
        Variable(
            "INVITATIONS_PER_HOST_AND_DAY",
            int,
            20,
            "Invitations that one person may send in a day, to tables and clubs together.",
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
            "First letter of references, if [several databases](scaling.md#several-databases) share accounts.",
        ),
        Variable(
            "PACK_AFTER_DAYS",
            int,
            30,
            "Days after a game ends until its log is [packed](operations.md#packed-logs); 0 for never.",
        ),
        Variable("LARGEST_RECORD", int, 4 * 1024 * 1024, "Bytes of the largest record that can be imported."),
        Variable(
            "DEADLINE_GRACE_SECONDS",
            int,
            10,
            "An answer that reaches us this late still counts; nobody is passed until four times as long.",
        ),
        Variable(
            "LOOKING_SECONDS",
            int,
            120,
            "Emails about a game wait until so long after their recipient last looked at it.",
        ),
        Variable("VACATION_DAYS_PER_YEAR", int, 30, "Days of vacation that everybody has in a calendar year."),
        Variable(
            "EXTRA_PACE",
            str,
            "",
            "An additional pace for trying things out, such as `blitz:20` (seconds for each decision).",
        ),
    ),
    "Privacy": (
        Variable("ERASURE_GRACE_DAYS", int, 7, "Days in which a deleted account can be taken back."),
        Variable(
            "KEEP_DAYS", json.loads, {}, "How many days each kind of data is kept, as JSON: [privacy](privacy.md)."
        ),
    ),
    "Size": (
        Variable("WEB_PROCESSES", int, 1, "Processes of a web; another one for each further core."),
        Variable(
            "WORKER_PROCESSES",
            int,
            0,
            "Processes of a worker beside its own, which work on several cores at once; 0 for threads in its own.",
        ),
    ),
    "Watching the service": (
        Variable("LOG_LEVEL", str, "INFO", "How much is logged."),
        Variable("LOG_FORMAT", str, "line", "`json` for programs that read the log."),
        Variable(
            "METRICS_TOKEN",
            str,
            "",
            "Turns on `/metrics`, which Prometheus reads with this token: [operations](operations.md).",
        ),
        Variable(
            "HEALTH_LISTEN",
            str,
            "",
            "Host and port where each web process answers `/healthz` without waiting for other requests.",
            "none; `127.0.0.1:8100` in the image",
        ),
        Variable("SENTRY_DSN", str, "", "Where errors are reported, without secrets."),
        Variable("TICK_SECONDS", float, 2.0, "How often each worker looks at the database.", "2"),
        Variable("TICK_FILE", str, "", "A file that a worker touches after each tick, for a health check."),
        Variable(
            "WORKER_HINTS_ENABLED",
            bool,
            True,
            "Workers are notified right after a move, not only at their next tick.",
        ),
    ),
}
ALL = {variable.name: variable for group in GROUPS.values() for variable in group}


ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "configuration.md"
HEAD = """# Settings

Every setting is an environment variable, or a line of a file: `.env` beside the README for `./script/server`,
`deploy/.env` with Docker, `/etc/caravanserai.env` with systemd. Each has a default with which the service runs on one
machine with nothing installed. [deploy/env.example](../deploy/env.example) is a set to start from on a real server;
`caravanserai check` says what does not fit together.

This page is made of `config/environment.py` by `python -m config.environment`: change it there.
"""


def read_environment() -> environ.Env:
    """The environment and `.env`, each variable with its type and default. An undeclared name is an error."""
    env = environ.Env(**{variable.name: (variable.cast, variable.default) for variable in ALL.values()})
    if (ROOT / ".env").exists():
        env.read_env(str(ROOT / ".env"))
    return env


def refuse_missing(env: environ.Env, *names: str) -> None:
    """Raises ImproperlyConfigured if one of these variables is not set: its default is for one's own machine."""
    for name in names:
        if not env(name):
            raise ImproperlyConfigured(
                f"In production (SITE_URL is https://, or PRODUCTION is on) {name} must be set: {ALL[name].meaning} "
                "`caravanserai` in place of `manage.py` has the settings of the service."
            )


def as_markdown() -> str:
    """The text of docs/configuration.md."""
    parts = [HEAD]
    head = "| Variable | Default | What it does |\n|---|---|---|\n"
    for title, variables in GROUPS.items():
        rows = [f"| `{variable.name}` | {_default(variable)} | {variable.meaning} |\n" for variable in variables]
        parts.append(f"\n## {title}\n\n{head}{''.join(rows)}")
    return "".join(parts)


def _default(variable: Variable) -> str:
    if variable.shown:
        return variable.shown
    if variable.cast is bool:
        return "on" if variable.default else "off"
    if variable.default == "":
        return "none"
    return f"`{json.dumps(variable.default)}`" if isinstance(variable.default, dict | list) else str(variable.default)


if __name__ == "__main__":
    TABLE.write_text(as_markdown())
