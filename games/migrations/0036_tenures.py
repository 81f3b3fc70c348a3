from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

PEOPLE = ("web", "link", "mail", "api")
AT_ONCE = 1000


def fill(apps: Any, schema_editor: object) -> None:
    """One tenure for each account that sits, and one for each that a move, a packed log or an entry says has sat there.

    A seat that changed hands before did so from an absent player, unless a moderator's entry says that he was replaced.
    Of a packed log only the seats that changed hands are asked about, as it names no seat without being unpacked.
    """
    seats, tenures = apps.get_model("games", "Seat"), apps.get_model("games", "SeatTenure")
    rows: list[Any] = []
    for seat in seats.objects.filter(user__isnull=False).order_by("pk").iterator(chunk_size=AT_ONCE):
        if seat.played_since:
            rows += _former(apps, tenures, seat)
        rows.append(tenures(
            seat=seat, user_id=seat.user_id, since_seq=seat.played_since, began_at=_handed_over(apps, seat)
        ))  # fmt: skip
        if len(rows) >= AT_ONCE:
            tenures.objects.bulk_create(rows)
            rows = []
    tenures.objects.bulk_create(rows)


def _handed_over(apps: Any, seat: Any) -> Any:
    """When its present player sat down; that he took the seat from somebody is known by the move before."""
    if not seat.played_since:
        return seat.joined_at
    move = apps.get_model("games", "Move").objects.filter(game_id=seat.game_id, seq=seat.played_since).first()
    entries = _replaced(apps, seat).order_by("-pk").values_list("created_at", flat=True)
    return entries.first() or (move.made_at if move else seat.joined_at)


def _replaced(apps: Any, seat: Any) -> Any:
    entries = apps.get_model("games", "ModerationEntry").objects
    return entries.filter(game_id=seat.game_id, action="replace", seat=seat.number, user__isnull=False)


def _former(apps: Any, tenures: Any, seat: Any) -> list[Any]:
    """The tenures that ended: the first of them began with the game."""
    moves = apps.get_model("games", "Move").objects.filter(game_id=seat.game_id, actor__isnull=False)
    people = list(moves.filter(seat=seat.number, source__in=PEOPLE).order_by("seq").values_list("actor", flat=True))
    people += _replaced(apps, seat).order_by("pk").values_list("user", flat=True)
    sitting = apps.get_model("games", "Seat").objects.filter(game_id=seat.game_id, user__isnull=False)
    packed = apps.get_model("games", "PackedActor").objects.filter(log=seat.game_id, is_player=True)
    packed = packed.filter(user__isnull=False).exclude(user__in=sitting.values("user"))
    people += packed.order_by("number").values_list("user", flat=True)
    former = [user for user in dict.fromkeys(people) if user != seat.user_id]
    ended_at, offered = _handed_over(apps, seat), _offered(apps, seat)
    by_moderator = set() if offered else set(_replaced(apps, seat).values_list("user", flat=True))
    return [
        tenures(
            seat=seat, user_id=user, since_seq=0 if number == 0 else 1, began_at=seat.joined_at, ended_at=ended_at,
            is_by_absence=user not in by_moderator,
        )
        for number, user in enumerate(former)
    ]  # fmt: skip


def _offered(apps: Any, seat: Any) -> bool:
    """Whether its host has offered it, as hosts do with seats of absent players alone."""
    entries = apps.get_model("games", "ModerationEntry").objects
    return bool(entries.filter(game_id=seat.game_id, action="offer", seat=seat.number).exists())


class Migration(migrations.Migration):
    """Who held a seat, from when to when."""

    dependencies = [("games", "0035_games_of_few_clubs")]

    operations = [
        migrations.CreateModel(
            name="SeatTenure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since_seq", models.PositiveIntegerField(default=0)),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("is_by_absence", models.BooleanField(default=False)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tenures", to="games.seat"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tenures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": (
                    models.UniqueConstraint(
                        condition=Q(ended_at__isnull=True), fields=("seat",), name="one_tenure_at_a_time"
                    ),
                )
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
