"""Addresses of pages and API."""

from django.urls import include, path

from games.pages import (
    account,
    act,
    calendar,
    care,
    health,
    home,
    hosting,
    lobby,
    mail_settings,
    mails,
    not_me,
    orders,
    reply,
    rules,
    samples,
    seats,
    table,
    talk,
    timing,
    vacations,
    webhooks,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("my-games/", home.my_games, name="my_games"),
    # The rules of the games in words
    path("rules/", rules.index, name="rules_index"),
    path("rules/<slug:name>/", rules.rules, name="rules"),
    path("rules/<slug:name>/<slug:language>/", rules.rules, name="rules_in"),
    # Tables that wait for players
    path("tables/", lobby.lobby, name="lobby"),
    path("tables/new/", lobby.new_table, name="new_table"),
    path("table/<slug:ref>/join/<slug:token>/", lobby.join, name="join"),
    path("invitation/<slug:ref>/<slug:token>/", lobby.invitation, name="invitation"),
    # One table: waiting room, running game, result
    path("table/<slug:ref>/", table.table, name="table"),
    path("table/<slug:ref>/act/", table.act, name="table_act"),
    path("table/<slug:ref>/orders/", orders.orders_page, name="orders"),
    path("table/<slug:ref>/orders/new/", orders.add, name="add_order"),
    path("table/<slug:ref>/orders/<slug:number>/", orders.change, name="change_order"),
    path("table/<slug:ref>/say/", talk.say, name="say"),
    path("table/<slug:ref>/talk/<slug:comment>/hide/", talk.hide, name="hide_comment"),
    path("table/<slug:ref>/note/", talk.note, name="note"),
    path("table/<slug:ref>/resign/", seats.resign, name="resign"),
    path("table/<slug:ref>/end/", seats.end, name="end"),
    path("table/<slug:ref>/care/", care.care, name="care"),
    path("table/<slug:ref>/pause/", timing.pause, name="pause"),
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
    path("act/<slug:ref>/<slug:token>/", act.act, name="act"),
    path("back/<slug:ref>/<int:number>/<slug:token>/", act.back, name="back"),
    path("reply/<slug:ref>/<slug:token>/", reply.confirm, name="confirm_reply"),
    path("not-me/<slug:ref>/<slug:token>/", not_me.not_me, name="not_me"),
    path("mails/<slug:ref>/<slug:game_ref>/<slug:topic>/<slug:token>/", mails.mails, name="mails"),
    # While one works on the mails
    path("mailbox/samples/", samples.samples, name="samples"),
    # Account
    path("sign-in/", account.sign_in_link, name="sign_in_link"),
    path("accounts/email/", account.to_settings),  # before the page allauth has there
    path("settings/", account.settings_page, name="settings"),
    path("calendar/<slug:ref>/<slug:token>/deadlines.ics", calendar.calendar, name="calendar"),
    path("table/<slug:ref>/mail/", mail_settings.table_mail, name="table_mail"),
    path("settings/mail/told/", mail_settings.told, name="told"),
    path("settings/mail/", mail_settings.mail_settings, name="mail_settings"),
    path("settings/hours/", account.change_hours, name="change_hours"),
    path("settings/vacations/", vacations.plan, name="plan_vacation"),
    path("settings/vacations/<slug:ref>/end/", vacations.end, name="end_vacation"),
    path("settings/address/", account.change_address, name="change_address"),
    path("settings/address/<str:token>/", account.confirm_address, name="confirm_address"),
    path("settings/webhooks/", webhooks.own_webhooks, name="webhooks"),
    path("settings/webhooks/<slug:ref>/", webhooks.webhook, name="webhook"),
    path("table/<slug:ref>/webhooks/", webhooks.table_webhooks, name="table_webhooks"),
    path("settings/tokens/", account.tokens_page, name="tokens"),
    # For programs that watch the service
    path("healthz", health.live, name="live"),
    path("readyz", health.ready, name="ready"),
    path("metrics", health.figures, name="metrics"),
    # API
    path("api/", include("games.api.urls")),
]
