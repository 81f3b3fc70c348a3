"""The admin site: closed to staff who have not shown their second factor lately."""

from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from notifications.clock import present


class StaffSite(admin.AdminSite):
    """As Django's; who has no second factor yet, or has not shown it for hours, is led to the page that asks for it."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff with an open account, and the second factor."""
        from games.people import second_factor  # models are not loaded when the site is made

        return super().has_permission(request) and second_factor.is_shown(request, present.now())

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """The page for the second factor, for staff who is signed in."""
        if super().has_permission(request) and not self.has_permission(request):
            onward = urlencode({"next": request.GET.get("next") or reverse("admin:index")})
            return redirect(f"{reverse('second_factor')}?{onward}")
        return super().login(request, extra_context)
