"""Addresses of the development mailbox, and of the page on which a stranger refuses further mail."""

from django.urls import path

from notifications.channels.mail import mailbox
from notifications.channels.mail.suppressions import NeverWrite

urlpatterns = [
    path("mailbox/", mailbox.mailbox, name="mailbox"),
    path("mailbox/<int:pk>/", mailbox.mailbox_mail, name="mailbox_mail"),
    path("never-write/<str:token>/", NeverWrite.as_view(), name="never_write"),
]
