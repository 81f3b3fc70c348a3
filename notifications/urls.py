"""Addresses of the pages that belong to telling people."""

from django.urls import path

from notifications import pages
from notifications.unsubscribe import NeverWrite

urlpatterns = [
    path("mailbox/", pages.mailbox, name="mailbox"),
    path("mailbox/<int:pk>/", pages.mailbox_mail, name="mailbox_mail"),
    path("never-write/<str:token>/", NeverWrite.as_view(), name="never_write"),
]
