"""What a person may change about himself."""

from django.db import transaction

from games.models import User


@transaction.atomic
def change(*, user: User, name: str, language: str, zone: str) -> None:
    """Stores how a person is called and spoken to. Seats already taken keep the name they had."""
    user.name = name
    user.save(update_fields=["name"])
    recipient = user.recipient
    recipient.name, recipient.language, recipient.zone = name, language, zone
    recipient.save(update_fields=["name", "language", "zone"])
