"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import path, re_path

from games.api import (
    archive,
    bots,
    clubs,
    hosting,
    mail,
    moderation,
    people,
    play,
    public,
    resource,
    tables,
    talk,
    timing,
    tournaments,
    webhooks,
)
from games.api.streams import AccountEvents

ROOMS = (
    play,
    tables,
    talk,
    timing,
    people,
    mail,
    webhooks,
    bots,
    clubs,
    tournaments,
    archive,
    hosting,
    public,
)  # asked most first
urlpatterns = [
    *(url for room in ROOMS for url in room.operation.urls),
    *bots.of_matches.urls,
    path("schema/", public.ServedDescription.as_view(), name="api_schema"),
    path("docs/", public.show_docs, name="api_docs"),
    path("schema/rules/<slug:name>/<int:version>/", public.show_rules_schema, name="api_rules_schema"),
    path("v1/me/events/", AccountEvents.as_view(), name="api_my_events"),
    path("v1/games/<slug:ref>/events/", play.Events.as_view(), name="api_events"),
    path("v1/records/", archive.RecordsResource.as_view(), name="api_records"),
    *moderation.operation.urls,
    *moderation.of_people.urls,
    path("v1/moderation/acts/", moderation.Moderate.as_view(), name="api_moderate"),
    re_path("", resource.Unknown.as_view()),
]
