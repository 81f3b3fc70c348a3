"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from games.api import resources

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("v1/me/", resources.Me.as_view(), name="api_me"),
    path("v1/games/", resources.Games.as_view(), name="api_games"),
    path("v1/games/<slug:ref>/", resources.Game.as_view(), name="api_game"),
    path("v1/games/<slug:ref>/log/", resources.Log.as_view(), name="api_log"),
    path("v1/games/<slug:ref>/decisions/", resources.Decisions.as_view(), name="api_decisions"),
    path("v1/games/<slug:ref>/decisions/<slug:code>/", resources.Decision.as_view(), name="api_decision"),
    path("v1/games/<slug:ref>/resign/", resources.Resign.as_view(), name="api_resign"),
    re_path("", resources.Unknown.as_view()),
]
