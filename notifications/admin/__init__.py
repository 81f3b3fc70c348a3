"""The admin site of this application, and the read-only base classes that others use."""

from notifications.admin import pages

__all__ = ["pages"]
