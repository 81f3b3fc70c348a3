"""Addresses of the API. The version in the path changes only when an answer changes its meaning."""

from django.urls import path, re_path

from games.api.accounts import account, bots, ledger, mail, webhooks
from games.api.archive import archive, figures, records, reviews
from games.api.base import docs, resource
from games.api.moderation import games, people
from games.api.play import orders, resources, stream, talk, timing
from games.api.streams.account import AccountEvents
from games.api.tables import changes, handover, host_tools, hosting, presets, seats, tournaments

urlpatterns = [
    path(
        "v1/games/<slug:ref>/decisions/<slug:code>/", resources.DecisionResource.as_view(), name="api_decision"
    ),  # first: asked most
    path("schema/", docs.ServedDescription.as_view(), name="api_schema"),
    path("docs/", docs.docs, name="api_docs"),
    path("schema/rules/<slug:name>/<int:version>/", docs.rules_schema, name="api_rules_schema"),
    path("v1/me/", account.Me.as_view(), name="api_me"),
    path("v1/me/export/", account.Export.as_view(), name="api_export"),
    path("v1/me/address/", account.Address.as_view(), name="api_address"),
    path("v1/me/tokens/", account.TokensResource.as_view(), name="api_tokens"),
    path("v1/me/tokens/<slug:ref>/", account.TokenResource.as_view(), name="api_token"),
    path("v1/me/bots/", bots.BotsResource.as_view(), name="api_bots"),
    path("v1/me/bots/<slug:ref>/", bots.BotResource.as_view(), name="api_bot"),
    path("v1/me/bots/<slug:ref>/switch/", bots.BotSwitch.as_view(), name="api_bot_switch"),
    path("v1/me/bots/<slug:ref>/token/", bots.BotToken.as_view(), name="api_bot_token"),
    path("v1/me/invitations/", seats.MyInvitations.as_view(), name="api_my_invitations"),
    path("v1/me/invitations/<slug:ref>/accept/", seats.AcceptResource.as_view(), name="api_accept_invitation"),
    path("v1/me/invitations/<slug:ref>/decline/", seats.DeclineResource.as_view(), name="api_decline_invitation"),
    path("v1/me/events/", AccountEvents.as_view(), name="api_my_events"),
    path("v1/me/host-offers/", handover.MyHostOffers.as_view(), name="api_my_host_offers"),
    path("v1/me/host-offers/<slug:ref>/accept/", handover.AcceptHostRole.as_view(), name="api_accept_host_role"),
    path("v1/me/host-offers/<slug:ref>/decline/", handover.DeclineHostRole.as_view(), name="api_decline_host_role"),
    path("v1/me/presets/", presets.Presets.as_view(), name="api_presets"),
    path("v1/me/presets/<slug:ref>/", presets.PresetResource.as_view(), name="api_preset"),
    path("v1/me/hours/", timing.HoursResource.as_view(), name="api_hours"),
    path("v1/me/vacations/", timing.Vacations.as_view(), name="api_vacations"),
    path("v1/me/vacations/<slug:ref>/end/", timing.EndVacation.as_view(), name="api_end_vacation"),
    path("v1/me/mail/", mail.Mail.as_view(), name="api_mail"),
    path("v1/me/mail/snooze/", mail.Snooze.as_view(), name="api_snooze"),
    path("v1/me/mail/test/", mail.TestMail.as_view(), name="api_test_mail"),
    path("v1/me/mail/reopen/", mail.Reopen.as_view(), name="api_reopen_address"),
    path("v1/me/calendar/renew/", mail.RenewCalendar.as_view(), name="api_renew_calendar"),
    path("v1/me/told/", ledger.Told.as_view(), name="api_told"),
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
    path("v1/games/<slug:ref>/record/", records.RecordResource.as_view(), name="api_record"),
    path("v1/archive/", archive.ArchiveResource.as_view(), name="api_archive"),
    path("v1/ratings/<slug:rules>/", archive.RankingResource.as_view(), name="api_ranking"),
    path("v1/imports/<slug:ref>/", records.Importing.as_view(), name="api_import"),
    path("v1/records/", records.RecordsResource.as_view(), name="api_records"),
    path("v1/records/<slug:ref>/", records.ImportedRecord.as_view(), name="api_imported_record"),
    path("v1/rules/", hosting.RulesResource.as_view(), name="api_rules"),
    path("v1/rules/<slug:name>/book/", figures.Book.as_view(), name="api_rulebook"),
    path("v1/lessons/", figures.LessonsResource.as_view(), name="api_lessons"),
    path("v1/lessons/<slug:name>/", figures.BeginLesson.as_view(), name="api_begin_lesson"),
    path("v1/players/<slug:ref>/", account.Player.as_view(), name="api_player"),
    path("v1/tables/", hosting.TablesResource.as_view(), name="api_tables"),
    path("v1/games/", hosting.GamesResource.as_view(), name="api_games"),
    path("v1/tournaments/", tournaments.TournamentsResource.as_view(), name="api_tournaments"),
    path("v1/tournaments/<slug:ref>/", tournaments.TournamentResource.as_view(), name="api_tournament"),
    path("v1/tournaments/<slug:ref>/enter/", tournaments.EnterTournament.as_view(), name="api_enter_tournament"),
    path("v1/tournaments/<slug:ref>/leave/", tournaments.LeaveTournament.as_view(), name="api_leave_tournament"),
    path("v1/games/<slug:ref>/", resources.GameResource.as_view(), name="api_game"),
    path("v1/games/<slug:ref>/events/", stream.Events.as_view(), name="api_events"),
    path("v1/games/<slug:ref>/log/", resources.Log.as_view(), name="api_log"),
    path("v1/games/<slug:ref>/decisions/", resources.DecisionsResource.as_view(), name="api_decisions"),
    path("v1/games/<slug:ref>/pause/", timing.Pause.as_view(), name="api_pause"),
    path("v1/games/<slug:ref>/steward/", timing.StewardResource.as_view(), name="api_steward"),
    path("v1/games/<slug:ref>/agree/", timing.AgreeEnd.as_view(), name="api_agree_end"),
    path("v1/games/<slug:ref>/back/", timing.ComeBack.as_view(), name="api_come_back"),
    path("v1/games/<slug:ref>/seats/<int:number>/take/", timing.TakeSeat.as_view(), name="api_take_seat"),
    path("v1/games/<slug:ref>/orders/", orders.Orders.as_view(), name="api_orders"),
    path("v1/games/<slug:ref>/talk/", talk.TalkResource.as_view(), name="api_talk"),
    path("v1/games/<slug:ref>/talk/<slug:comment>/hide/", talk.HideComment.as_view(), name="api_hide_comment"),
    path("v1/games/<slug:ref>/note/", talk.NoteResource.as_view(), name="api_note"),
    path("v1/games/<slug:ref>/history/", talk.History.as_view(), name="api_history"),
    path("v1/games/<slug:ref>/mail/", mail.TableMail.as_view(), name="api_table_mail"),
    path("v1/games/<slug:ref>/mail/snooze/", mail.SnoozeTable.as_view(), name="api_snooze_table"),
    path("v1/games/<slug:ref>/resign/", resources.Resign.as_view(), name="api_resign"),
    path("v1/games/<slug:ref>/join/", hosting.Join.as_view(), name="api_join"),
    path("v1/games/<slug:ref>/start/", hosting.Start.as_view(), name="api_start"),
    path("v1/games/<slug:ref>/again/", hosting.PlayAgain.as_view(), name="api_play_again"),
    path("v1/games/<slug:ref>/close/", hosting.Close.as_view(), name="api_close"),
    path("v1/games/<slug:ref>/leave/", seats.Leave.as_view(), name="api_leave"),
    path("v1/games/<slug:ref>/invitations/", seats.Invitations.as_view(), name="api_invitations"),
    path(
        "v1/games/<slug:ref>/invitations/<slug:invitation>/withdraw/",
        seats.Withdraw.as_view(),
        name="api_withdraw_invitation",
    ),
    path("v1/games/<slug:ref>/seats/", seats.Seats.as_view(), name="api_seats"),
    path("v1/games/<slug:ref>/seats/<int:number>/remove/", seats.RemoveSeat.as_view(), name="api_remove_seat"),
    path("v1/games/<slug:ref>/seats/<int:number>/player/", account.SeatPlayer.as_view(), name="api_seat_player"),
    path("v1/games/<slug:ref>/seats/<int:number>/replace/", host_tools.Replace.as_view(), name="api_replace"),
    path("v1/games/<slug:ref>/settings/", changes.SettingsResource.as_view(), name="api_settings"),
    path("v1/games/<slug:ref>/settings/agree/", changes.AgreeSettings.as_view(), name="api_agree_settings"),
    path("v1/games/<slug:ref>/host-offer/", handover.HostOffers.as_view(), name="api_host_offer"),
    path(
        "v1/games/<slug:ref>/host-offer/withdraw/",
        handover.WithdrawHostOffer.as_view(),
        name="api_withdraw_host_offer",
    ),
    path("v1/games/<slug:ref>/waiting/", handover.WaitingResource.as_view(), name="api_waiting"),
    path("v1/games/<slug:ref>/care/", host_tools.Care.as_view(), name="api_care"),
    path("v1/games/<slug:ref>/extend/", host_tools.Extend.as_view(), name="api_extend"),
    path("v1/games/<slug:ref>/nudge/", host_tools.Nudge.as_view(), name="api_nudge"),
    path("v1/games/<slug:ref>/reports/", host_tools.Reports.as_view(), name="api_reports"),
    path("v1/games/<slug:ref>/review/", reviews.ReviewResource.as_view(), name="api_review"),
    path("v1/games/<slug:ref>/statistics/", figures.Statistics.as_view(), name="api_statistics"),
    path("v1/games/<slug:ref>/story/", figures.Story.as_view(), name="api_story"),
    path("v1/games/<slug:ref>/tally/", figures.LastTally.as_view(), name="api_tally"),
    path("v1/games/<slug:ref>/verify/", figures.Verify.as_view(), name="api_verify"),
    path("v1/games/<slug:ref>/end/", resources.End.as_view(), name="api_end"),
    path("v1/moderation/queue/", games.Queue.as_view(), name="api_queue"),
    path("v1/moderation/reports/<slug:ref>/settle/", games.SettleReport.as_view(), name="api_settle_report"),
    path("v1/moderation/messages/<slug:message_id>/again/", games.TryAgain.as_view(), name="api_try_message_again"),
    path("v1/moderation/games/<slug:ref>/", games.ModeratedGame.as_view(), name="api_moderated_game"),
    path("v1/moderation/games/<slug:ref>/forecast/", games.ForecastResource.as_view(), name="api_forecast"),
    path("v1/moderation/games/<slug:ref>/hand/", games.HandResource.as_view(), name="api_hand"),
    path("v1/moderation/games/<slug:ref>/steps/", games.StepsResource.as_view(), name="api_steps"),
    path(
        "v1/moderation/games/<slug:ref>/steps/<int:number>/learned/",
        games.LearnedResource.as_view(),
        name="api_learned",
    ),
    path(
        "v1/moderation/games/<slug:ref>/steps/<int:number>/roll-back/",
        games.RollBack.as_view(),
        name="api_roll_back",
    ),
    path("v1/moderation/games/<slug:ref>/steps/<int:number>/sandbox/", games.Sandbox.as_view(), name="api_sandbox"),
    *(
        path(
            f"v1/moderation/games/<slug:ref>/{act.name}/",
            games.act_on_game(act).as_view(),
            name=f"api_game_{act.name}",
        )
        for act in games.ACTS
    ),
    path("v1/moderation/people/", people.PeopleResource.as_view(), name="api_moderated_people"),
    path("v1/moderation/people/<slug:ref>/", people.PersonResource.as_view(), name="api_moderated_person"),
    *(
        path(
            f"v1/moderation/people/<slug:ref>/{act.name}/",
            people.act_on_person(act).as_view(),
            name=f"api_person_{act.name}",
        )
        for act in people.ON_PEOPLE
    ),
    *(
        path(
            f"v1/moderation/webhooks/<slug:ref>/{act.name}/",
            people.act_on_webhook(act).as_view(),
            name=f"api_hook_{act.name}",
        )
        for act in people.ON_WEBHOOKS
    ),
    re_path("", resource.Unknown.as_view()),
]
