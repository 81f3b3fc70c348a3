"""The admin site: what happens, as a spectator may see it. Hands, seeds, sealed answers are never here."""

from django.conf import settings
from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.admin import desk, game, moderation, people, play
from notifications import privacy

__all__ = ["desk", "game", "moderation", "people", "play"]

privacy.register("sealed decisions", play.sealed_subjects)
for kind in ("orders", "heard"):
    privacy.register_kind(kind, play.running_threads)
privacy.register_outcomes("running games", play.running_threads)
privacy.register_answers("running games", play.running_subjects)
privacy.register_for_reader("hidden names", play.tells_who_sits_where)
admin.site.unregister([TOTPDevice, StaticDevice])  # keys are nobody's to look at
admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_template = "games/admin/lists.html"
admin.site.enable_nav_sidebar = False
