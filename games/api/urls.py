"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import path, re_path

from games.api import (
    archive,
    bots,
    clubs,
    docs,
    hosting,
    mail,
    moderation,
    people,
    play,
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
)  # asked most first
urlpatterns = [
    *(url for room in ROOMS for url in room.operation.urls),
    path("schema/", docs.ServedDescription.as_view(), name="api_schema"),
    path("docs/", docs.show_docs, name="api_docs"),
    path("schema/rules/<slug:name>/<int:version>/", docs.show_rules_schema, name="api_rules_schema"),
    path("v1/me/events/", AccountEvents.as_view(), name="api_my_events"),
    path("v1/games/<slug:ref>/events/", play.Events.as_view(), name="api_events"),
    path("v1/records/", archive.RecordsResource.as_view(), name="api_records"),
    path("v1/moderation/queue/", moderation.Queue.as_view(), name="api_queue"),
    path("v1/moderation/reports/<slug:ref>/settle/", moderation.SettleReport.as_view(), name="api_settle_report"),
    path(
        "v1/moderation/messages/<slug:message_id>/again/", moderation.TryAgain.as_view(), name="api_try_message_again"
    ),
    path("v1/moderation/games/<slug:ref>/", moderation.ModeratedGame.as_view(), name="api_moderated_game"),
    path("v1/moderation/games/<slug:ref>/forecast/", moderation.ForecastResource.as_view(), name="api_forecast"),
    path("v1/moderation/games/<slug:ref>/hand/", moderation.HandResource.as_view(), name="api_hand"),
    path("v1/moderation/games/<slug:ref>/steps/", moderation.StepsResource.as_view(), name="api_steps"),
    path(
        "v1/moderation/games/<slug:ref>/steps/<int:number>/learned/",
        moderation.LearnedResource.as_view(),
        name="api_learned",
    ),
    path(
        "v1/moderation/games/<slug:ref>/steps/<int:number>/roll-back/",
        moderation.RollBack.as_view(),
        name="api_roll_back",
    ),
    path(
        "v1/moderation/games/<slug:ref>/steps/<int:number>/sandbox/", moderation.Sandbox.as_view(), name="api_sandbox"
    ),
    *(
        path(
            f"v1/moderation/games/<slug:ref>/{act.name}/",
            moderation.act_on_game(act).as_view(),
            name=f"api_game_{act.name}",
        )
        for act in moderation.ACTS
    ),
    path("v1/moderation/people/", moderation.PeopleResource.as_view(), name="api_moderated_people"),
    path("v1/moderation/people/<slug:ref>/", moderation.PersonResource.as_view(), name="api_moderated_person"),
    *(
        path(
            f"v1/moderation/people/<slug:ref>/{act.name}/",
            moderation.act_on_person(act).as_view(),
            name=f"api_person_{act.name}",
        )
        for act in moderation.ON_PEOPLE
    ),
    *(
        path(
            f"v1/moderation/webhooks/<slug:ref>/{act.name}/",
            moderation.act_on_webhook(act).as_view(),
            name=f"api_hook_{act.name}",
        )
        for act in moderation.ON_WEBHOOKS
    ),
    re_path("", resource.Unknown.as_view()),
]
