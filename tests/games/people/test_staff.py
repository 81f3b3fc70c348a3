"""The first administrator and moderator, and the other commands that let people in."""

from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from games.models import Game, User
from games.people import sign_in, staff


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()


def user_behind(line):
    return sign_in.find_user_by_link(line.split("sesame=")[1].split("&")[0])


def test_an_administrator_may_do_everything(db):
    lines = run("make_staff", "Eva@Example.org", "--administrator")
    eva = User.objects.get(email="eva@example.org")
    assert eva.is_staff and eva.is_superuser
    assert user_behind(lines[-1]) == eva
    assert "next=%2Fadmin%2F" in lines[-1]


def test_a_moderator_may_look_and_moderate_and_touch_nothing_else(db):
    run("make_staff", "eva@example.org", "--moderator")
    eva = User.objects.get()
    assert eva.is_staff and not eva.is_superuser
    assert eva.has_perm("games.view_game") and eva.has_perm("notifications.view_notice")
    others = {perm for perm in eva.get_all_permissions() if ".view_" not in perm}
    assert others == {"games.moderate_game", "games.moderate_user"}


def test_making_staff_twice_changes_nothing(anna):
    for _ in range(2):
        run("make_staff", anna.email, "--moderator")
    assert User.objects.count() == 1 and Group.objects.count() == 1
    assert User.objects.get().name == "Anna"


def test_an_administrator_made_a_moderator_stays_one(anna):
    staff.make_administrator(anna.email)
    assert staff.make_moderator(anna.email).is_superuser


@pytest.mark.parametrize("arguments", [["nonsense", "--moderator"], ["eva@example.org"]])
def test_a_mistyped_command_makes_nobody_staff(db, arguments):
    with pytest.raises(CommandError):
        run("make_staff", *arguments)
    assert not User.objects.exists()


def test_a_sign_in_link_is_for_accounts_that_exist(anna):
    assert user_behind(run("sign_in_link", " Anna@example.org")[-1]) == anna
    with pytest.raises(CommandError):
        run("sign_in_link", "nobody@example.org")


def test_the_demo_is_a_running_table_and_is_made_once(db):
    first = user_behind(run("demo")[-1])
    second = user_behind(run("demo")[-1])
    assert first == second == User.objects.get()
    game = Game.objects.get()
    assert game.status == Game.Status.RUNNING
    assert game.seats.filter(user=first).count() == 1 and game.seats.exclude(bot="").count() == game.seat_count - 1


def test_there_is_no_demo_in_production(db, settings):
    settings.IS_PRODUCTION = True
    with pytest.raises(CommandError):
        run("demo")
    assert not User.objects.exists()
