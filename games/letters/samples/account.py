"""Samples about an account: its address, its safety, its webhooks."""

from functools import partial

from games.letters.samples.game import Sample, SampleGame
from games.people import accounts, webhooks
from games.people.models import AddressChange
from notifications.channels.webhook.webhooks import SILENT
from notifications.models import Notice

SECURITY: dict[str, dict[str, object]] = {  # with what they tell of
    "signed_in": {"browser": "Firefox", "system": "Linux", "network": "192.0.2."},
    "token_made": {"name": "My bot"},
    "password_changed": {"what": "password_changed"},
    "second_factor": {"what": "set"},
    "copy_taken": {},
    "erasure_asked": {"due_at": "2026-03-11T12:00:00+00:00"},
}


def _address(kind: str, made: SampleGame) -> list[Notice]:
    change = accounts.request_address_change(user=made.ben, new_address="ben@new.invalid", now=made.now)
    AddressChange.objects.filter(pk=change.pk).update(old_confirmed_at=made.now, new_confirmed_at=made.now)
    return [made.notice(kind, f"address:{change.pk}:{accounts.OLD}")]


def _security(kind: str, made: SampleGame) -> list[Notice]:
    return [made.notice(kind, f"user:{made.ben.ref}", SECURITY[kind])]


def _webhook(kind: str, made: SampleGame) -> list[Notice]:
    wanted = webhooks.WebhookSettings("https://hooks.sample.invalid/x", "our channel")
    row = webhooks.create(user=made.users[0], wanted=wanted, game=made.game, now=made.now)
    row.failing_since, row.is_enabled, row.disabled_reason = made.now, kind == "webhook_failing", SILENT
    row.save()
    return [made.notice(kind, f"endpoint:{row.pk}")]


def _mail_test(made: SampleGame) -> list[Notice]:
    return [made.notice("mail_test", f"user:{made.ben.ref}")]


SAMPLES: dict[str, Sample] = {
    **{kind: partial(_address, kind) for kind in ("address_asked", "address_changed")},
    **{kind: partial(_security, kind) for kind in SECURITY},
    "mail_test": _mail_test,
    **{kind: partial(_webhook, kind) for kind in ("webhook_failing", "webhook_off")},
}
