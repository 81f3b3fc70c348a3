"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
