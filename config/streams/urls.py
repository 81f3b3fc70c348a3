"""The one address that the listener answers."""

from django.urls import path

from games.api.streams import AccountEvents

urlpatterns = [path("api/v1/me/events/", AccountEvents.as_view(), name="api_my_events")]
# The default ones need pages.
handler400 = "games.web.site.malformed"
handler500 = "games.web.site.broken"
