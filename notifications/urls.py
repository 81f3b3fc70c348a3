"""Addresses of the pages that belong to telling people: those of the channels."""

from notifications.channels.base import load_modules

urlpatterns = [pattern for module in load_modules("urls") for pattern in module.urlpatterns]
