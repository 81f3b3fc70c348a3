"""For who writes to the operator: his copy, and the end of his account, by a command."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import User


def account(*words: str) -> str:
    out = StringIO()
    call_command("account", *words, stdout=out)
    return out.getvalue()


def test_it_prints_the_copy_and_tells_nobody(ben: User) -> None:
    assert json.loads(account("copy", "BEN@example.org"))["account"][0]["ref"] == ben.ref
    assert not ben.recipient.notices.exists()


def test_it_deletes_by_address_or_by_the_reference_of_the_log(anna: User, ben: User) -> None:
    account("erase", ben.email, "--sure")
    account("erase", anna.ref, "--sure", "--words")
    assert User.objects.filter(erased_at=None).count() == 0
    with pytest.raises(CommandError, match="no account"):
        account("erase", ben.ref, "--sure")


def test_not_without_being_sure_and_not_staff(ben: User) -> None:
    with pytest.raises(CommandError, match="--sure"):
        account("erase", ben.email)
    staff = User.objects.create_user("eve@example.org", is_staff=True)
    with pytest.raises(CommandError, match="staff"):
        account("erase", staff.email, "--sure")
    assert User.objects.filter(erased_at=None).count() == 2
