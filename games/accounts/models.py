"""Accounts, address changes, erasures, API tokens and sign-in marks."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.ids import random_ref
from notifications.clock import present
from notifications.database.compiled_query import compiled
from notifications.database.prefix import Folded
from notifications.models import Recipient

FAR = datetime.max.replace(tzinfo=UTC)


class UserManager(BaseUserManager["User"]):
    """Makes accounts; the mail address is the login."""

    use_in_migrations = True  # those of other packages ask for `User.objects`

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        """An account for this address; without a password one signs in by mailed code or link."""
        user = self.model(email=normal_address(email), **fields)
        user.set_password(password) if password else user.set_unusable_password()
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        """An account that may do everything on the admin site."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """The account with this address, however it is capitalised."""
        return self.get(email=normal_address(username or ""))


class PeopleManager(UserManager):
    """Loads accounts with their recipients in one statement, as every request of a signed-in user needs them."""

    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet["User"]:
        """All accounts and their recipients."""
        return super().get_queryset().select_related("recipient")

    def get(self, *args: Any, **kwargs: Any) -> "User":
        """Gets an account; by key alone, as every request of a signed-in user does, by a statement compiled once."""
        if type(self) is not PeopleManager or args or kwargs.keys() != {"pk"}:  # a subclass knows some people only
            return super().get(*args, **kwargs)
        found = _with_key(int(kwargs["pk"]))
        if not found:
            raise self.model.DoesNotExist(kwargs["pk"])
        return found[0]


def normal_address(address: str) -> str:
    """The one spelling of a mail address that is stored and compared."""
    return address.strip().lower()


class User(AbstractBaseUser, PermissionsMixin):
    """An account of a person; with an `owner`, of his bot; or of a guest. Bots and guests get no mail.

    Language, time zone and channels belong to its `recipient`.
    """

    class ProposalsShown(models.TextChoices):
        USUAL = "", _("right away; in rated games, only when I ask")
        NOW = "now", _("right away")
        FOLDED = "folded", _("only when I ask")
        NEVER = "never", _("never")

    class Audience(models.TextChoices):
        NOBODY = "nobody", _("only me")
        FRIENDS = "friends", _("my friends and the members of my clubs")
        ALL = "all", _("everyone")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    email = models.EmailField(_("email address"), unique=True)
    name = models.CharField(_("name"), max_length=40)
    recipient = models.OneToOneField(Recipient, on_delete=models.PROTECT, related_name="user", editable=False)
    remind_before = models.JSONField(null=True, blank=True)  # minutes before deadlines; None: when little time is left
    has_profile = models.BooleanField(default=True)  # others may see a page with his name and finished games
    is_ranked = models.BooleanField(default=False)  # others may see his ratings, on his page and in the rankings
    hours_shown = models.CharField(
        max_length=8, choices=Audience, default=Audience.NOBODY, db_default="nobody"
    )  # who may see at which times of the day he usually answers
    curve_shown = models.CharField(
        max_length=8, choices=Audience, default=Audience.ALL, db_default="all"
    )  # who may see how his ratings have changed, where they may see the ratings
    proposals_shown = models.CharField(
        max_length=6, choices=ProposalsShown, default=ProposalsShown.USUAL, db_default="", blank=True
    )
    owner = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="bots", verbose_name=_("owner")
    )  # of a bot account; null for a person
    is_for_all = models.BooleanField(default=False)  # a bot account that every host may seat, not its owner alone
    is_guest = models.BooleanField(default=False, db_default=False)  # see `games.accounts.guests`
    paused_at = models.DateTimeField(null=True, blank=True)  # since when its owner lets a bot account rest
    is_active = models.BooleanField(default=True)
    closed_until = models.DateTimeField(null=True, blank=True)  # when a closed account opens again; never if null
    silent_until = models.DateTimeField(null=True, blank=True)  # until then he says nothing at tables
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=present.now, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)  # since then nobody's

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    people = PeopleManager()  # first, and so what signs people in goes by it
    objects = UserManager()

    class Meta:
        constraints = (
            # hosts seat a bot account by its name
            models.UniqueConstraint(
                Lower("name"), name="one_bot_per_name", condition=Q(owner__isnull=False) & ~Q(name="")
            ),
        )
        indexes = (
            # ticks: accounts to open again
            models.Index(fields=["closed_until"], name="user_to_open", condition=Q(closed_until__isnull=False)),
            # the admin site and moderators: accounts by how their name begins
            models.Index(Folded("name"), name="user_by_name"),
            # the admin site and reports: who moderates
            models.Index(fields=["id"], name="user_staff", condition=Q(is_staff=True)),
            # how many guests there are, and which to delete
            models.Index(fields=["last_login"], name="user_guest", condition=Q(is_guest=True)),
        )

    away_until: datetime | None = FAR  # when the last of his vacations ends or has ended, where that was read

    def __str__(self) -> str:
        return self.name or str(_("Former player"))

    def may_be_away(self, since: datetime) -> bool:
        """Whether it is worth to ask for his vacations that end after an instant."""
        return self.away_until is not None and self.away_until > since

    @property
    def is_bot(self) -> bool:
        """True for the account of a bot."""
        return self.owner_id is not None

    @property
    def owner_name(self) -> str | None:
        """Whose bot account it is; None for a person."""
        return self.owner.get_short_name() if self.owner else None

    @property
    def address(self) -> str | None:
        """Where mail goes; None for bots and guests, whose `email` only fills the column."""
        return None if self.is_bot or self.is_guest else self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Stores the account together with the recipient that carries its address."""
        self.email = normal_address(self.email)
        self.name = (self.name or self.email.split("@", 1)[0])[:40]
        if not self.recipient_id:
            self.recipient = Recipient.objects.create(address=self.email, name=self.name)
        super().save(*args, **kwargs)

    def one_at_a_time(self) -> None:
        """Locks the account until the end of the transaction, so that checks of its limits do not race."""
        type(self).objects.select_for_update(of=("self",), no_key=True).get(pk=self.pk)

    def get_session_auth_hash(self) -> str:
        """Returns the hash a session is bound to, of password and address: changing either ends all other sessions."""
        return self._session_hash(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yields that hash under the former secret keys."""
        return (self._session_hash(key) for key in settings.SECRET_KEY_FALLBACKS)

    def _session_hash(self, key: str | bytes) -> str:
        facts = f"{self.password}|{self.email}"
        return salted_hmac("games.User.session", facts, secret=key, algorithm="sha256").hexdigest()

    def get_short_name(self) -> str:
        """Returns the name other players see; "Former player" for a deleted account."""
        return str(self)


@compiled("recipient")
def _with_key(key: int) -> models.QuerySet[User]:
    return User.people.filter(pk=key)


class AddressChange(models.Model):
    """A wish to move an account to another mail address; done when both addresses have said yes."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="address_changes")
    new_address = models.EmailField()
    created_at = models.DateTimeField(default=present.now)
    old_confirmed_at = models.DateTimeField(null=True, blank=True)
    new_confirmed_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user} -> {self.new_address}"


class Erasure(models.Model):
    """A wish to delete an account; done when its day has come, unless it is taken back until then."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="erasure")
    takes_words = models.BooleanField(default=False)  # what he said at tables goes with him
    asked_at = models.DateTimeField(default=present.now)
    due_at = models.DateTimeField()

    class Meta:
        indexes = (
            # ticks: accounts to delete
            models.Index(fields=["due_at"], name="erasure_due"),
        )

    def __str__(self) -> str:
        return f"{self.user} {self.due_at:%Y-%m-%d}"


def everyday_scopes() -> list[str]:
    """Returns the default scopes of a token: all but moderating."""
    return [ApiToken.Scope.PLAY.value, ApiToken.Scope.ACCOUNT.value]


class ApiToken(models.Model):
    """A key for the REST API. Only its digest is kept; the key itself is shown once."""

    class Scope(models.TextChoices):
        READ = "read", _("read my games")
        PLAY = "play", _("read my games, and play, host and chat for me")
        ACCOUNT = "account", _("read and change my settings, email preferences, webhooks and tokens")
        MODERATE = "moderate", _("moderate, within my own permissions")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=everyday_scopes)  # what it may be used for
    created_at = models.DateTimeField(default=present.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.user})"

    @property
    def scopes_in_words(self) -> list[str]:
        """Returns the labels of its scopes, in the order of the choices."""
        return [str(label) for name, label in self.Scope.choices if name in self.scopes]


class SignIn(models.Model):
    """The network or browser of a recent sign-in, as a keyed hash. See `duplicate_accounts`."""

    class Kind(models.TextChoices):
        NETWORK = "network", _("network")
        BROWSER = "browser", _("browser")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    kind = models.CharField(max_length=10, choices=Kind)
    mark = models.CharField(max_length=64)
    at = models.DateTimeField()  # the last time

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "kind", "mark"], name="one_mark_per_person"),)
        indexes = (
            # who else has signed in from there
            models.Index(fields=["mark"], name="sign_ins_alike"),
            # what is old enough to be forgotten
            models.Index(fields=["at"], name="sign_ins_to_forget"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
