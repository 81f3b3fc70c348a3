"""Addresses of the development mailbox, and of the page on which a stranger refuses further mail."""

from django.urls import path

from notifications.channels.mail import mailbox_pages
from notifications.channels.mail.unsubscribe import NeverWrite

urlpatterns = [
    path("mailbox/", mailbox_pages.mailbox, name="mailbox"),
    path("mailbox/<int:pk>/", mailbox_pages.mailbox_mail, name="mailbox_mail"),
    path("never-write/<str:token>/", NeverWrite.as_view(), name="never_write"),
]
