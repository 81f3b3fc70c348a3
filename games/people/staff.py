"""People who look after the service: administrators, and moderators who may look at everything public."""

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from games.people import sign_in_links
from games.people.models import User, normal_address

MODERATORS = "moderators"
APPS = ("games", "notifications")
MODERATION = ("moderate_game", "moderate_user")


@transaction.atomic
def make_administrator(address: str) -> User:
    """Gives this address an account that may do everything on the admin site. The second time changes nothing."""
    user = _account(address)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    return user


@transaction.atomic
def make_moderator(address: str) -> User:
    """Gives this address an account that may look at everything on the admin site, and moderate games and people.

    Not at what players hide: that right an administrator gives by hand. An administrator stays one.
    """
    user = _account(address)
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    user.groups.add(_moderators())
    return user


def _account(address: str) -> User:
    user = User.objects.filter(email=normal_address(address)).first() or User.objects.create_user(address)
    sign_in_links.confirm(user)
    return user


def _moderators() -> Group:
    group, _is_new = Group.objects.get_or_create(name=MODERATORS)
    ours = Permission.objects.filter(content_type__app_label__in=APPS)
    group.permissions.set(ours.filter(Q(codename__startswith="view_") | Q(codename__in=MODERATION)))
    return group
