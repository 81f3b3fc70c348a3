"""Addresses of pages and API."""

from django.urls import include, path

from games.web.accounts import (
    bots,
    not_me,
    players,
    privacy,
    recent_sign_in,
    second_factor,
    sessions,
    settings,
    vacations,
)
from games.web.archive import archive, records, statistics, verify
from games.web.mail import calendar, confirm_reply, fewer, samples, webhooks
from games.web.mail import settings as mail_settings
from games.web.play import act, history, orders, table, talk, timing
from games.web.site import health, home, rules
from games.web.tables import host_tools, hosting, lessons, lobby, seats

urlpatterns = [
    # What is asked most comes first, for they are tried in turn
    path("act/<slug:ref>/<slug:token>/", act.act, name="act"),
    path("table/<slug:ref>/", table.table, name="table"),
    path("table/<slug:ref>/act/", table.act, name="table_act"),
    path("api/", include("games.api.urls")),
    path("", home.home, name="home"),
    path("my-games/", home.my_games, name="my_games"),
    # The rules of the games in words
    path("second-factor/", second_factor.page, name="second_factor"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:name>/", rules.rules, name="rules"),
    path("rules/<slug:name>/<slug:language>/", rules.rules, name="rules_in"),
    path("learn/", lessons.learn, name="learn"),
    path("learn/<slug:name>/", lessons.begin_lesson, name="begin_lesson"),
    path("play-now/<slug:name>/", lessons.play_now, name="play_now"),
    path("learn/<slug:name>/puzzle/", lessons.puzzle, name="puzzle"),
    path("by-mail/", rules.by_mail, name="by_mail"),
    path("by-mail/<slug:language>/", rules.by_mail, name="by_mail_in"),
    # Tables that wait for players
    path("tables/", lobby.lobby, name="lobby"),
    path("tables/new/", lobby.new_table, name="new_table"),
    path("table/<slug:ref>/join/<slug:token>/", lobby.join, name="join"),
    path("invitation/<slug:ref>/<slug:token>/", lobby.invitation, name="invitation"),
    # One table: waiting room, running game, result
    path("table/<slug:ref>/orders/", orders.orders_page, name="orders"),
    path("table/<slug:ref>/orders/new/", orders.add, name="add_order"),
    path("table/<slug:ref>/orders/<slug:number>/", orders.change, name="change_order"),
    path("table/<slug:ref>/history/", history.history, name="history"),
    path("table/<slug:ref>/verify/", verify.verify, name="verify"),
    path("table/<slug:ref>/record/", records.record, name="record"),
    path("table/<slug:ref>/remove/", records.remove_import, name="remove_import"),
    path("archive/", archive.archive, name="archive"),
    path("ranking/", archive.rankings, name="rankings"),
    path("ranking/<slug:name>/", archive.ranking, name="ranking"),
    path("import/", records.import_game, name="import_game"),
    path("import/<slug:ref>/", records.importing, name="importing"),
    path("verifier/", records.download_verifier, name="verifier"),
    path("table/<slug:ref>/again/", players.play_again, name="play_again"),
    path("table/<slug:ref>/players/<int:number>/", players.of_seat, name="seat_player"),
    path("player/<slug:ref>/", players.player, name="player"),
    path("table/<slug:ref>/tally/", statistics.last_tally, name="last_tally"),
    path("table/<slug:ref>/statistics/", statistics.statistics, name="statistics"),
    path("table/<slug:ref>/say/", talk.say, name="say"),
    path("table/<slug:ref>/talk/<slug:comment>/hide/", talk.hide, name="hide_comment"),
    path("table/<slug:ref>/note/", talk.note, name="note"),
    path("table/<slug:ref>/resign/", seats.resign, name="resign"),
    path("table/<slug:ref>/end/", seats.end, name="end"),
    path("table/<slug:ref>/care/", host_tools.care, name="care"),
    path("table/<slug:ref>/pause/", timing.pause, name="pause"),
    path("table/<slug:ref>/steward/", timing.steward, name="steward"),
    path("table/<slug:ref>/agree/", timing.agree, name="agree_end"),
    path("table/<slug:ref>/come-back/", seats.come_back, name="come_back"),
    path("table/<slug:ref>/seats/<int:number>/take/", seats.take_seat, name="take_seat"),
    path("table/<slug:ref>/invite/", hosting.invite, name="invite"),
    path("table/<slug:ref>/withdraw/<slug:invitation>/", hosting.withdraw, name="withdraw_invitation"),
    path("table/<slug:ref>/bot/", hosting.add_bot, name="add_bot"),
    path("table/<slug:ref>/seats/<int:number>/remove/", hosting.remove, name="remove_seat"),
    path("table/<slug:ref>/start/", hosting.start, name="start"),
    path("table/<slug:ref>/close/", hosting.close, name="close_table"),
    path("table/<slug:ref>/leave/", hosting.leave, name="leave_table"),
    # Links in mails: no session, no sign-in
    path("back/<slug:ref>/<int:number>/<slug:token>/", act.back, name="back"),
    path("reply/<slug:ref>/<slug:token>/", confirm_reply.confirm, name="confirm_reply"),
    path("not-me/<slug:ref>/<slug:token>/", not_me.not_me, name="not_me"),
    path("mails/<slug:ref>/<slug:game_ref>/<slug:topic>/<slug:token>/", fewer.mails, name="mails"),
    # While one works on the mails
    path("mailbox/samples/", samples.samples, name="samples"),
    # Account
    path("sign-in/", settings.sign_in_link, name="sign_in_link"),
    path("accounts/email/", settings.to_settings),  # before the page allauth has there
    path("settings/", settings.settings_page, name="settings"),
    path("calendar/<slug:ref>/<slug:token>/deadlines.ics", calendar.calendar, name="calendar"),
    path("table/<slug:ref>/mail/", mail_settings.table_mail, name="table_mail"),
    path("settings/mail/told/", mail_settings.told, name="told"),
    path("settings/mail/", mail_settings.mail_settings, name="mail_settings"),
    path("settings/hours/", settings.change_hours, name="change_hours"),
    path("settings/zone/", settings.change_zone, name="change_zone"),
    path("settings/vacations/", vacations.plan, name="plan_vacation"),
    path("settings/vacations/<slug:ref>/end/", vacations.end, name="end_vacation"),
    path("settings/address/", settings.change_address, name="change_address"),
    path("settings/address/<str:token>/", settings.confirm_address, name="confirm_address"),
    path("settings/webhooks/", webhooks.own_webhooks, name="webhooks"),
    path("settings/webhooks/<slug:ref>/", webhooks.webhook, name="webhook_page"),
    path("table/<slug:ref>/webhooks/", webhooks.table_webhooks, name="table_webhooks"),
    path("settings/signed-in/", sessions.signed_in_page, name="signed_in"),
    path("settings/bots/", bots.own_bots, name="bots"),
    path("settings/bots/<slug:ref>/", bots.bot, name="bot"),
    path("settings/tokens/", settings.tokens_page, name="tokens"),
    path("settings/data/", privacy.own_data, name="own_data"),
    path("settings/data/copy/", privacy.take_copy, name="take_copy"),
    path("settings/data/leave/", privacy.leave, name="leave"),
    path("settings/data/stay/", privacy.stay, name="stay"),
    path("settings/data/sign-in/", recent_sign_in.sign_in_again, name="sign_in_again"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("privacy/<slug:language>/", privacy.privacy, name="privacy_in"),
    # For programs that watch the service
    path("healthz", health.live, name="live"),
    path("readyz", health.ready, name="ready"),
    path("metrics", health.figures, name="metrics"),
]
