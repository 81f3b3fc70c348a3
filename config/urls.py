"""The root of all URL patterns."""

import re

import anymail.urls
from allauth.account.decorators import secure_admin_login
from allauth.account.views import password_set
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path

from games.admin import moderation
from games.web import sign_in, site
from notifications.inbound import provider

# Administrators sign in like everybody: by code, or by a password that cannot be guessed at without end.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth describes it

# A mail provider reports bounces and hands in replies with a secret: without one these addresses do not exist.
provided = [path("anymail/", include(provider.bounded_urls(anymail.urls.urlpatterns)))]
reports = provided if settings.MAIL_EVENTS_SECRET else []

handler500 = "games.web.site.broken"
urlpatterns = [
    path("", include("games.urls")),
    path("", include("notifications.urls")),
    *reports,
    path("accounts/password/set/", sign_in.required(password_set)),  # before the page that allauth has there
    path("accounts/", include("allauth.urls")),
    path("admin/queue/", admin.site.admin_view(moderation.queue), name="moderation_queue"),
    path("admin/", admin.site.urls),
    re_path(rf"^(?!api/).*[{re.escape(site.BEHIND_LINKS)}]/?$", site.ended_too_late),
]
