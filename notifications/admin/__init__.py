"""The admin site of this application, and the read-only base classes that others use."""

from notifications.admin import pages
from notifications.channels import registry

__all__ = ["pages"]

registry.load_modules("admin")
