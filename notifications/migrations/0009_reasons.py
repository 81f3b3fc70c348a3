"""Reasons that were stored as sentences are stored as codes (`notifications.reasons`).

Each statement converts a few thousand rows and is a transaction of its own, so that nobody who
sends waits for it. Done twice it changes nothing more.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db import migrations
from django.db.models import Case, Value, When
from django.db.models.functions import Replace

STEP = 5000  # rows
COLUMNS = (("Delivery", "reason"), ("Attempt", "detail"), ("Endpoint", "disabled_reason"), ("Suppression", "reason"))
CODES = {  # by the sentence that was stored
    "you are looking at it": "reader_is_looking",
    "you wanted no mail for a while": "email_paused",
    "you wanted no mail about this for a while": "thread_paused",
    "these are your quiet hours": "quiet_hours",
    "it comes with your daily mail": "daily_email",
    "you have switched mail of this kind off": "topic_off",
    "nothing to say on this channel": "nothing_to_say",
    "every try was cut off": "cut_off",
    "it no longer knows us": "not_authorized",
    "there is nothing there": "not_found",
    "it is gone for good": "gone",
    "it sends us elsewhere, and redirects are not followed": "redirected",
    "it refused the message": "rejected",
    "it cannot take the message now": "unavailable",
    "the webhook is switched off": "webhook_off",
    "your webhook tells you instead": "told_by_webhook",
    "it took nothing for three days": "failing_for_days",
    "it refused ten messages in a row": "too_many_refusals",
    "you switched it off": "by_owner",
    "a moderator switched it off": "by_moderator",
    "its owner asked for no more mail": "unsubscribed",
    "mail to it came back": "bounced",
    "our mail was marked there as unwanted": "marked_as_spam",
    "the account with it was deleted": "account_deleted",
    "you are told by mail instead": "told_by_email",
    "there is no address": "no_address",
    "there is no such mailbox": "no_mailbox",
    "the mailbox cannot take the mail": "mailbox_unavailable",
    "the mail was refused": "email_refused",
    "the mail or its address cannot be written down": "unsendable",
    "the mail server of the reader does not take our mails": "not_from_us",
    "our settings for mail are wrong": "mail_settings",
    "our mail server does not take our mails: it does not know us, or not our sender address": "no_relay",
    "our mail server takes no mails now": "mail_server_unavailable",
    "our mail provider does not know our key": "mail_provider_key",
    "our mail provider takes no mails now": "mail_provider_unavailable",
    "no connection to our mail server was made, or it broke off": "mail_server_connection",
    "our mail server does not take our name and password": "mail_server_password",
    "our mail server offers no TLS or no sign-in at this port": "mail_server_features",
    "our mail server does not take mails from our sender address": "mail_server_sender",
    "our mail server hung up, or did not answer in time": "mail_server_hung_up",
    "the certificate of our mail server is not good for its name or time": "mail_server_certificate",
    "our mail server speaks another TLS at this port, or none": "mail_server_tls",
    "the name of our mail server leads nowhere": "mail_server_name",
    "no mail server listens at this address and port": "mail_server_port",
    "our mail server could not be reached in time": "mail_server_timeout",
    "its push service sends us elsewhere, and redirects are not followed": "push_redirected",
    "its push service refused the message": "push_rejected",
    "its push service cannot take the message now": "push_unavailable",
    "your devices tell you instead": "told_by_device",
    "the device no longer takes notifications": "device_gone",
    "its key can't be used": "device_key",
    "it is too old to be worth a notification": "too_old",
    "no answer in time": "timeout",
    "the name of its host leads nowhere": "unknown_host",
    "no connection was made, or it broke off": "connection_failed",
    "its certificate is not good for its name, or it speaks no TLS": "certificate",
    "its address is none": "malformed_address",
    "its host is at no public address": "private_address",
    "its address holds a name or a password": "password_in_address",
    "its address does not begin with https": "not_https",
    "its port is neither 443 nor 8443": "port",
    "the words were taken back": "comment_removed",
    "the change is made or dropped": "change_settled",
    "the game is over": "game_over",
    "the game is not paused any more": "not_paused",
    "the game is paused again": "paused_again",
    "the deadline it is about has passed": "deadline_passed",
    "the deadline has moved again": "deadline_moved",
    "the table is not closed": "table_not_closed",
    "the game is not over": "game_not_over",
    "the report is settled": "report_settled",
    "what it was about is gone": "subject_gone",
    "the tournament is over": "tournament_over",
    "its reader is not in the tournament any more": "not_in_tournament",
    "the tournament has started": "tournament_started",
    "the seat is the player's again": "seat_returned",
    "there is nothing to say any more": "nothing_new",
    "the week is over": "week_over",
    "the player is back": "player_back",
    "the game was taken back again": "taken_back_again",
    "the webhook is gone": "webhook_gone",
    "the webhook works again, or is gone": "webhook_works",
    "the bot plays again": "bot_back",
    "a later email about this game says it": "told_later",
    "the invitation is no longer open": "invitation_closed",
    "the request is answered or taken back": "request_closed",
    "the table waits for nobody any more": "nobody_missing",
    "the player has agreed": "has_agreed",
    "the settings have changed once more": "settings_changed",
    "the table has another host by now": "host_changed",
    "the player has been asked, or has answered, since": "asked_since",
    "the seat is in other hands": "seat_changed_hands",
    "it has been answered, or is no longer asked": "answered",
    "nobody waits for this seat now": "seat_not_awaited",
    "you want no reminders": "no_reminders",
}


def convert(codes: Mapping[str, str], apps: Any, schema_editor: object) -> None:
    """Replaces the keys of `codes` by their values wherever a reason is stored."""
    for model, column in (*COLUMNS, ("Bounce", "detail")):
        found = Case(*(When(**{column: old}, then=Value(new)) for old, new in codes.items()))
        for rows in parts(apps.get_model("notifications", model)):
            rows.filter(**{f"{column}__in": list(codes)}).update(**{column: found})
    for rows in parts(apps.get_model("notifications", "Bounce")):
        for old, new in codes.items():  # with the status that was reported: "there is no such mailbox (5.1.1)"
            with_status = rows.filter(detail__startswith=f"{old} (")
            with_status.update(detail=Replace("detail", Value(f"{old} ("), Value(f"{new} (")))


def parts(model: Any) -> Iterator[Any]:
    """All rows of a table, some thousand at a time in the order of their primary keys."""
    last = 0
    while keys := model.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:STEP]:
        first, last = min(keys), max(keys)
        yield model.objects.filter(pk__gte=first, pk__lte=last)


class Migration(migrations.Migration):
    """Only data change."""

    atomic = False

    dependencies = [("notifications", "0008_push")]

    operations = [
        migrations.RunPython(
            partial(convert, CODES), partial(convert, {code: words for words, code in CODES.items()}), atomic=False
        ),
    ]
