"""The admin site of this application, and the read-only base classes that others use."""

from notifications.admin import pages
from notifications.channels.base import load_modules

__all__ = ["pages"]

load_modules("admin")
