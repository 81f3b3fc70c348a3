"""System checks: each reports at start-up, by number, settings that do not fit together."""

from config.checks import mail, site, storage  # importing registers them

__all__ = ["mail", "site", "storage"]
