"""System checks: each reports at start-up, by number, settings that do not fit together."""

from config.checks import mail, site, storage  # noqa: F401  # importing registers them
