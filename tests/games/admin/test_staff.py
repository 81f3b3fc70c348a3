"""Who may do what at the admin site."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.models import Game, User
from tests.games.admin.conftest import read, signed_in


@pytest.mark.parametrize("model", ["game", "seat", "decision", "move", "extension", "invitation", "user", "apitoken"])
def test_nothing_is_added_or_deleted_here(seeded: Game, administrator: Client, model: str) -> None:
    rows: Any = admin.site._registry
    (found,) = [known for known in rows if known._meta.label_lower == f"games.{model}"]
    row = found.objects.first()
    assert administrator.post(reverse(f"admin:games_{model}_add"), {}).status_code == 403
    assert administrator.post(reverse(f"admin:games_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    administrator.post(reverse(f"admin:games_{model}_changelist"), chosen)
    assert found.objects.filter(pk=row.pk).exists()


def test_no_single_move_has_a_page(seeded: Game, administrator: Client) -> None:
    moves = seeded.moves.values_list("pk", flat=True)[:5]
    assert {administrator.get(reverse("admin:games_move_change", args=[pk])).status_code for pk in moves} == {302}


def test_a_moderator_changes_nothing(seeded: Game, anna: User, moderator: Client) -> None:
    for model, pk in (("game", seeded.pk), ("user", anna.pk)):
        assert moderator.post(reverse(f"admin:games_{model}_change", args=[pk]), {"is_staff": "on"}).status_code == 403
    assert not User.objects.get(pk=anna.pk).is_staff


def test_an_administrator_appoints_staff(anna: User, administrator: Client) -> None:
    address = reverse("admin:games_user_change", args=[anna.pk])
    assert "password" not in read(administrator, address)[1].split('id="content"')[1]
    assert administrator.post(address, {"is_staff": "on", "email": "x@example.org"}).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_active, anna.is_staff, anna.email) == (True, True, "anna@example.org")


def test_who_may_change_accounts_cannot_make_himself_an_administrator(anna: User, david: User, ben: User) -> None:
    david.is_staff = True
    david.save()
    david.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    client = signed_in(david)
    address = reverse("admin:games_user_change", args=[anna.pk])
    assert client.post(address, {"is_staff": "on", "is_superuser": "on"}).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_active, anna.is_staff, anna.is_superuser) == (True, False, False)
    assert client.post(reverse("admin:games_user_change", args=[david.pk]), {"is_superuser": "on"}).status_code == 403


def test_players_have_no_way_in(seeded: Game, anna: User) -> None:
    assert signed_in(anna).get(reverse("admin:games_game_changelist")).status_code == 302
