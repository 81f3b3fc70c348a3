"""Changes of a user's own profile."""

from dataclasses import dataclass

from django.db import transaction

from games.people.models import User


@dataclass(frozen=True, kw_only=True)
class ProfileChange:
    """How a person wants to be called, spoken to and seen.

    Arguments:
        has_profile: whether others may see a page about him; None for as it is.
        is_ranked: whether others may see his ratings; None for as it is.
        curve_shown, hours_shown: who may see how his ratings have changed, and when he usually answers, each a
            `User.Audience`; None or "" for as it is.
        proposals_shown: when he sees what the rules propose to him; None for as it is.
    """

    name: str
    language: str
    zone: str
    has_profile: bool | None = None
    is_ranked: bool | None = None
    curve_shown: str | None = None
    hours_shown: str | None = None
    proposals_shown: str | None = None


@transaction.atomic
def change(*, user: User, wanted: ProfileChange) -> None:
    """Stores how a person is called and spoken to. Seats already taken keep the name they had."""
    user.name = wanted.name
    user.has_profile = user.has_profile if wanted.has_profile is None else wanted.has_profile
    user.is_ranked = user.is_ranked if wanted.is_ranked is None else wanted.is_ranked
    user.curve_shown = wanted.curve_shown or user.curve_shown
    user.hours_shown = wanted.hours_shown or user.hours_shown
    user.proposals_shown = user.proposals_shown if wanted.proposals_shown is None else wanted.proposals_shown
    shown = ["curve_shown", "hours_shown", "proposals_shown"]
    user.save(update_fields=["name", "has_profile", "is_ranked", *shown])
    recipient = user.recipient
    recipient.name, recipient.language, recipient.zone = wanted.name, wanted.language, wanted.zone
    recipient.save(update_fields=["name", "language", "zone"])
