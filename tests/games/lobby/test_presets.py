"""A host keeps the settings of a table under a name."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.errors import Conflict, Illegal, LimitReached, NotFound
from games.lobby import hosting
from games.models import Game, TablePreset, User
from games.tables.settings import agreed_of
from tests.games.conftest import fresh, new_table
from tests.games.web.filling import soup_of, words


@pytest.fixture
def preset(table: Game, anna: User, now: dt.datetime) -> TablePreset:
    """What Anna has saved of a slow table."""
    Game.objects.filter(pk=table.pk).update(pace="brisk", absent_after=7, stops_on_weekends=True)
    return hosting.save_preset(owner=anna, name="  Club  evening ", game=fresh(table), now=now)


def test_a_table_opened_from_a_preset_has_its_settings(
    preset: TablePreset, table: Game, anna: User, client: Client
) -> None:
    client.force_login(anna)
    address = reverse("new_table") + f"?preset={preset.ref}"
    form = soup_of(client.get(address)).select_one("main form")
    sent = {field["name"]: field.get("value", "on") for field in form.select("input[checked], input[type=number]")}
    sent |= {field["name"]: field.select_one("option[selected]")["value"] for field in form.select("select")}
    client.post(address, sent | {"bots": "0"})
    made = Game.objects.exclude(pk=table.pk).get()
    assert agreed_of(made) == agreed_of(fresh(table))


def test_a_preset_is_saved_renamed_and_deleted_on_its_pages(table: Game, anna: User, client: Client) -> None:
    client.force_login(anna)
    page = client.post(reverse("care", args=[table.ref]), {"act": "preset", "preset-name": "Club"}, follow=True)
    assert "The preset “Club” is saved." in words(page)
    page = client.get(reverse("presets"))
    assert "Club" in words(page) and "Aladdin's Dragons, 3 seats, daily" in words(page)
    assert "Club" in words(client.get(reverse("new_table")))
    ref = TablePreset.objects.get().ref
    page = client.post(reverse("rename_preset", args=[ref]), {"name": "Evening"}, follow=True)
    assert "Evening" in words(page)
    page = client.post(reverse("rename_preset", args=[ref]), {"name": " "}, follow=True)
    assert "Give the preset a name." in words(page) and TablePreset.objects.get().name == "Evening"
    page = client.post(reverse("delete_preset", args=[ref]), follow=True)
    assert "You have no presets yet." in words(page)


def test_the_same_name_replaces_and_another_ones_name_is_refused(
    preset: TablePreset, table: Game, anna: User, now: dt.datetime
) -> None:
    assert preset.name == "Club evening"
    Game.objects.filter(pk=table.pk).update(pace="daily")
    again = hosting.save_preset(owner=anna, name="Club evening", game=fresh(table), now=now)
    assert (again.pk, again.values["pace"]) == (preset.pk, "daily")
    other = hosting.save_preset(owner=anna, name="Other", game=fresh(table), now=now)
    with pytest.raises(Conflict):
        hosting.rename_preset(owner=anna, ref=other.ref, name="Club evening")


def test_presets_belong_to_their_host_alone(
    preset: TablePreset, table: Game, ben: User, now: dt.datetime, client: Client
) -> None:
    with pytest.raises(NotFound):
        hosting.save_preset(owner=ben, name="Mine", game=fresh(table), now=now)
    for act in (lambda: hosting.rename_preset(owner=ben, ref=preset.ref, name="x"),
                lambda: hosting.delete_preset(owner=ben, ref=preset.ref)):  # fmt: skip
        with pytest.raises(NotFound):
            act()
    client.force_login(ben)
    page = client.get(reverse("new_table") + f"?preset={preset.ref}")
    assert page.status_code == 200 and "Club evening" not in words(page)


def test_there_are_twenty_at_most_and_each_has_a_name(table: Game, anna: User, now: dt.datetime) -> None:
    for number in range(hosting.MOST_PRESETS):
        hosting.save_preset(owner=anna, name=f"Table {number}", game=table, now=now)
    with pytest.raises(LimitReached):
        hosting.save_preset(owner=anna, name="One more", game=table, now=now)
    with pytest.raises(Illegal):
        hosting.save_preset(owner=anna, name="\u200b ", game=table, now=now)


def test_an_option_that_the_rules_have_no_more_is_left_out(preset: TablePreset, anna: User, now: dt.datetime) -> None:
    preset.values["options"] |= {"gone": "yes", "version": "unheard-of"}
    preset.values["unheard_of"] = 3
    values = hosting.preset_values(preset)
    assert "gone" not in values["options"] and "version" not in values["options"] and "unheard_of" not in values
    new_table(anna, now, **values)
