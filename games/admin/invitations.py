"""Invitations on the admin site."""

from django.contrib import admin

from games.admin.base import ReadOnly
from games.models import Invitation


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    """Who was invited by whom, for the day somebody complains."""

    list_display = ("address", "game", "inviter", "status", "created_at")
    list_filter = ("status", "created_at")
    list_select_related = ("game", "inviter")
    search_fields = ("=address", "=inviter__email", "=game__ref", "game__title")
    fields = ("address", "game", "inviter", "status", "created_at")
    ordering = ("-created_at",)
