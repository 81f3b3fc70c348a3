"""The admin site of this application, and the read-only base classes that others use."""

from notifications.admin import pages
from notifications.channels import base

__all__ = ["pages"]

base.load_modules("admin")
