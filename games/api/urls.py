"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from games.api import hosting, mail, orders, resources, talk, timing, webhooks

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("v1/me/", resources.Me.as_view(), name="api_me"),
    path("v1/me/hours/", timing.Hours.as_view(), name="api_hours"),
    path("v1/me/vacations/", timing.Vacations.as_view(), name="api_vacations"),
    path("v1/me/vacations/<slug:ref>/end/", timing.EndVacation.as_view(), name="api_end_vacation"),
    path("v1/me/mail/", mail.Mail.as_view(), name="api_mail"),
    path("v1/me/mail/snooze/", mail.Snooze.as_view(), name="api_snooze"),
    path("v1/me/mail/test/", mail.TestMail.as_view(), name="api_test_mail"),
    path("v1/me/mail/reopen/", mail.Reopen.as_view(), name="api_reopen_address"),
    path("v1/me/calendar/renew/", mail.RenewCalendar.as_view(), name="api_renew_calendar"),
    path("v1/me/told/", mail.Told.as_view(), name="api_told"),
    path("v1/me/webhooks/", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path("v1/me/webhooks/<slug:ref>/", webhooks.Webhook.as_view(), name="api_webhook"),
    path("v1/me/webhooks/<slug:ref>/secret/", webhooks.WebhookSecret.as_view(), name="api_webhook_secret"),
    path("v1/me/webhooks/<slug:ref>/switch/", webhooks.WebhookSwitch.as_view(), name="api_webhook_switch"),
    path("v1/me/webhooks/<slug:ref>/ping/", webhooks.WebhookPing.as_view(), name="api_webhook_ping"),
    path("v1/me/webhooks/<slug:ref>/calls/", webhooks.WebhookCalls.as_view(), name="api_webhook_calls"),
    path(
        "v1/me/webhooks/<slug:ref>/calls/<slug:message_id>/again/",
        webhooks.WebhookAgain.as_view(),
        name="api_webhook_again",
    ),
    path("v1/games/<slug:ref>/webhooks/", webhooks.TableWebhooks.as_view(), name="api_table_webhooks"),
    path("v1/rules/", hosting.Rules.as_view(), name="api_rules"),
    path("v1/tables/", hosting.Tables.as_view(), name="api_tables"),
    path("v1/games/", hosting.Games.as_view(), name="api_games"),
    path("v1/games/<slug:ref>/", resources.Game.as_view(), name="api_game"),
    path("v1/games/<slug:ref>/log/", resources.Log.as_view(), name="api_log"),
    path("v1/games/<slug:ref>/decisions/", resources.Decisions.as_view(), name="api_decisions"),
    path("v1/games/<slug:ref>/decisions/<slug:code>/", resources.Decision.as_view(), name="api_decision"),
    path("v1/games/<slug:ref>/pause/", timing.Pause.as_view(), name="api_pause"),
    path("v1/games/<slug:ref>/back/", timing.ComeBack.as_view(), name="api_come_back"),
    path("v1/games/<slug:ref>/seats/<int:number>/take/", timing.TakeSeat.as_view(), name="api_take_seat"),
    path("v1/games/<slug:ref>/orders/", orders.Orders.as_view(), name="api_orders"),
    path("v1/games/<slug:ref>/talk/", talk.Talk.as_view(), name="api_talk"),
    path("v1/games/<slug:ref>/talk/<slug:comment>/hide/", talk.HideComment.as_view(), name="api_hide_comment"),
    path("v1/games/<slug:ref>/note/", talk.Note.as_view(), name="api_note"),
    path("v1/games/<slug:ref>/history/", talk.History.as_view(), name="api_history"),
    path("v1/games/<slug:ref>/mail/", mail.TableMail.as_view(), name="api_table_mail"),
    path("v1/games/<slug:ref>/resign/", resources.Resign.as_view(), name="api_resign"),
    path("v1/games/<slug:ref>/join/", hosting.Join.as_view(), name="api_join"),
    path("v1/games/<slug:ref>/start/", hosting.Start.as_view(), name="api_start"),
    path("v1/games/<slug:ref>/close/", hosting.Close.as_view(), name="api_close"),
    path("v1/games/<slug:ref>/invitations/", hosting.Invitations.as_view(), name="api_invitations"),
    re_path("", resources.Unknown.as_view()),
]
