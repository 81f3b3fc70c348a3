"""The root of all URL patterns."""

import re

import anymail.urls
from allauth.account.decorators import secure_admin_login
from allauth.account.views import password_set
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from games.admin import desk
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
    path("admin/", admin.site.admin_view(desk.desk)),  # before Django's list of all lists
    path("admin/queue/", RedirectView.as_view(pattern_name="admin:index")),  # links of older emails
    path("admin/lists/", admin.site.admin_view(desk.lists), name="admin_lists"),
    path("admin/find/", admin.site.admin_view(desk.find), name="admin_find"),
    path("admin/", admin.site.urls),
    re_path(rf"^(?!api/).*[{re.escape(site.BEHIND_LINKS)}]/?$", site.ended_too_late),
]
