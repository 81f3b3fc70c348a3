"""Accounts on the admin site: whom it belongs to and whether it may sign in; no passwords, no tokens.

When somebody was last seen is not here either: beside a sealed question it would tell who has answered.
"""

from django.contrib import admin
from django.http import HttpRequest

from games.admin.base import ReadOnly
from games.models import AddressChange, ApiToken, User

RIGHTS = ("is_staff", "is_superuser", "groups")


@admin.register(User)
class UserAdmin(ReadOnly):
    """People. Whoever may change them can close an account; only administrators make others moderators."""

    list_display = ("name", "email", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("name", "=email", "=ref")
    ordering = ("-date_joined",)
    fields = ("ref", "name", "email", "is_active", *RIGHTS, "date_joined")
    filter_horizontal = ("groups",)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:  # type: ignore[override]  # of people only
        """Administrators, and for people without rights of their own those who were given the right."""
        is_allowed = admin.ModelAdmin.has_change_permission(self, request)
        return is_allowed and (request.user.is_superuser or obj is None or not (obj.is_staff or obj.is_superuser))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """All but the account being open; its rights for administrators alone."""
        facts = ("ref", "name", "email", "date_joined")
        return facts if request.user.is_superuser else facts + RIGHTS


@admin.register(AddressChange)
class AddressChangeAdmin(ReadOnly):
    """Wishes to move an account to another address."""

    list_display = ("user", "new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at")
    list_select_related = ("user",)
    search_fields = ("=user__email", "=new_address")
    fields = ("user", "new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at")
    ordering = ("-created_at",)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnly):
    """Who has keys for the API; the keys themselves nobody has but their owners."""

    list_display = ("user", "name", "created_at", "revoked_at")
    list_filter = (("revoked_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("=user__email", "name")
    fields = ("user", "name", "created_at", "revoked_at")
    ordering = ("-created_at",)
