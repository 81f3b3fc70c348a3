"""Rows outlive the modules that describe them: content types, permissions and foreign keys hold these names."""

from django.apps import apps

TABLES = {
    "games.addresschange": "games_addresschange",
    "games.apitoken": "games_apitoken",
    "games.comment": "games_comment",
    "games.decision": "games_decision",
    "games.erasure": "games_erasure",
    "games.extension": "games_extension",
    "games.game": "games_game",
    "games.heartbeat": "games_heartbeat",
    "games.gamereview": "games_gamereview",
    "games.import": "games_import",
    "games.invitation": "games_invitation",
    "games.keyed": "games_keyed",
    "games.look": "games_look",
    "games.moderationentry": "games_moderationentry",
    "games.move": "games_move",
    "games.note": "games_note",
    "games.orderdate": "games_orderdate",
    "games.outage": "games_outage",
    "games.rating": "games_rating",
    "games.receipt": "games_receipt",
    "games.report": "games_report",
    "games.requestcount": "games_requestcount",
    "games.sealedproposal": "games_sealedproposal",
    "games.sealedtotpdevice": "otp_totp_totpdevice",
    "games.seat": "games_seat",
    "games.session": "games_session",
    "games.signin": "games_signin",
    "games.snapshot": "games_snapshot",
    "games.trusteddevice": "games_trusteddevice",
    "games.user": "games_user",
    "games.user_groups": "games_user_groups",
    "games.user_user_permissions": "games_user_user_permissions",
    "games.vacation": "games_vacation",
    "notifications.attempt": "notifications_attempt",
    "notifications.bounce": "notifications_bounce",
    "notifications.channelhealth": "notifications_channelhealth",
    "notifications.conversation": "notifications_conversation",
    "notifications.delivery": "notifications_delivery",
    "notifications.endpoint": "notifications_endpoint",
    "notifications.inbound": "notifications_inbound",
    "notifications.notice": "notifications_notice",
    "notifications.recipient": "notifications_recipient",
    "notifications.storedmail": "notifications_storedmail",
    "notifications.suppression": "notifications_suppression",
}
"""Table by app label and model name. A name is added here with its migration, and never changed: docs/upgrading.md."""


def test_moving_a_model_to_another_module_changes_neither_its_label_nor_its_table():
    models = [model for app in ("games", "notifications") for model in apps.get_app_config(app).get_models(True)]
    assert {model._meta.label_lower: model._meta.db_table for model in models} == TABLES
