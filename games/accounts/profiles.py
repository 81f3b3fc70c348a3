"""Changes of a user's own profile."""

from django.db import transaction

from games.models import User


@transaction.atomic
def change(
    *,
    user: User,
    name: str,
    language: str,
    zone: str,
    has_profile: bool | None = None,
    is_ranked: bool | None = None,
    proposals_shown: str | None = None,
) -> None:
    """Stores how a person is called and spoken to. Seats already taken keep the name they had.

    Arguments:
        has_profile: whether others may see a page about him; None for as it is.
        is_ranked: whether others may see his ratings; None for as it is.
        proposals_shown: when he sees what the rules propose to him; None for as it is.
    """
    user.name = name
    user.has_profile = user.has_profile if has_profile is None else has_profile
    user.is_ranked = user.is_ranked if is_ranked is None else is_ranked
    user.proposals_shown = user.proposals_shown if proposals_shown is None else proposals_shown
    user.save(update_fields=["name", "has_profile", "is_ranked", "proposals_shown"])
    recipient = user.recipient
    recipient.name, recipient.language, recipient.zone = name, language, zone
    recipient.save(update_fields=["name", "language", "zone"])
