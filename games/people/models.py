"""Accounts, address changes, erasures, API tokens and sign-in marks."""

import secrets
from binascii import unhexlify
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.ids import random_ref
from notifications.clock import present
from notifications.database.compiled_query import compiled
from notifications.database.prefix import Folded
from notifications.database.sealed import seal, unseal
from notifications.models import Recipient

NOWHERE = "bots.invalid"  # no mail goes there (RFC 2606); nobody is told what stands before it
HOUSE = f"house@{NOWHERE}"
CHARACTER = "character-"  # so begins there what stands for an account of a character
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
        """Returns the accounts with their recipients."""
        return super().get_queryset().select_related("recipient")

    def get(self, *args: Any, **kwargs: Any) -> "User":
        """Gets an account; by key alone, as every request of a signed-in user does, by a statement compiled once."""
        if type(self) is not PeopleManager or args or kwargs.keys() != {"pk"}:  # a subclass knows some people only
            return super().get(*args, **kwargs)
        rows = _with_key(int(kwargs["pk"]))
        if not rows:
            raise self.model.DoesNotExist(kwargs["pk"])
        return rows[0]


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
    discord_id = models.CharField(
        max_length=20, blank=True, db_default=""
    )  # by which a channel of his table mentions him
    hears_bots = models.BooleanField(default=True, db_default=True)  # what the bots' characters say at tables
    lends_positions = models.BooleanField(
        default=False, db_default=False
    )  # positions of his finished games, and of his bots', may become puzzles if all others there lend theirs
    owner = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="bots", verbose_name=_("owner")
    )  # of a bot account; null for a person
    is_for_all = models.BooleanField(default=False)  # a bot account that every host may seat, not its owner alone
    is_guest = models.BooleanField(default=False, db_default=False)  # see `games.lobby.guests`
    paused_at = models.DateTimeField(null=True, blank=True)  # since when its owner lets a bot account rest
    is_active = models.BooleanField(default=True)
    closed_until = models.DateTimeField(null=True, blank=True)  # when a closed account opens again; never if null
    silent_until = models.DateTimeField(null=True, blank=True)  # until then he says nothing at tables
    desk_after = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # hours after which a moderator is told of what still waits on the desk; null for never
    desk_look_at = models.DateTimeField(null=True, blank=True)  # when the tick looks for him; null for never
    desk_seen = models.JSONField(null=True, blank=True)  # what waits: when the tick saw it first, "" once he is told
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=present.now, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)  # since then nobody's
    is_kept = models.BooleanField(
        default=False, db_default=False, editable=False
    )  # was seen to be used when it was old enough to be forgotten: nothing looks at it again

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
            # ticks: moderators for whom to look at the desk
            models.Index(fields=["desk_look_at"], name="user_desk_look", condition=Q(desk_look_at__isnull=False)),
            # the admin site and reports: who moderates
            models.Index(fields=["id"], name="user_staff", condition=Q(is_staff=True)),
            # how many guests there are, and which to delete
            models.Index(fields=["last_login"], name="user_guest", condition=Q(is_guest=True)),
            # leaderboards, where few want to be on one
            models.Index(fields=["id"], name="user_ranked", condition=Q(is_ranked=True)),
            # retention: the young, and the few old ones that wait for an answer to an invitation
            models.Index(fields=["date_joined"], name="user_not_kept", condition=Q(is_kept=False)),
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

    @classmethod
    def count_accounts(cls) -> int:
        """Counts the accounts of people and their bots, without those of the house."""
        return cls.objects.exclude(email=HOUSE).exclude(owner__email=HOUSE).count()

    @property
    def character(self) -> str:
        """The code of the rules' bot that plays for an account of the house's (`bot_accounts`); "" for any other."""
        name, _at, place = self.email.partition("@")
        is_ours = self.is_bot and place == NOWHERE and name.startswith(CHARACTER)
        return name.removeprefix(CHARACTER) if is_ours else ""

    @property
    def owner_name(self) -> str | None:
        """Returns the `public_name` of a bot account's owner; None for a person."""
        return self.owner.public_name if self.owner else None

    @property
    def public_name(self) -> str | None:
        """Returns the name by which strangers learn whose bots and matches there are; None without a profile."""
        return self.get_short_name() if self.has_profile else None

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


# Stored sessions and second-factor devices.

KEY_BYTES = 20


class Session(AbstractBaseSession):
    """A session as `games.people.sessions` keeps it: its key hashed, its data sealed.

    allauth's `usersessions` and Django's own table store the key as the cookie has it, and offer no way to change that.
    """

    session_key = models.CharField(max_length=64, primary_key=True)  # longer than Django's: a keyed hash
    # Null until sign-in is complete. No constraint: the end of a request may outlive the account.
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions", db_constraint=False)

    class Meta(AbstractBaseSession.Meta):
        abstract = False

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        """Returns the store that SESSION_ENGINE names."""
        store: type[SessionStore] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class AnonymousRequest(models.Model):
    """A letter or a check of a password that somebody without a session has asked for. See `limits`."""

    class Kind(models.TextChoices):
        LETTER = "letter", _("email")
        PASSWORD = "password", _("password")

    kind = models.CharField(max_length=10, choices=Kind)
    address = models.CharField(max_length=64)  # a keyed hash
    source = models.CharField(max_length=64)  # a keyed hash of the network; of the account, where the browser is known
    is_known = models.BooleanField()  # whether the account's owner has signed in in this browser before
    is_sent = models.BooleanField(default=True)  # False for one letter too many to an address without an account
    link = models.CharField(max_length=64, blank=True, default="")  # a keyed hash of the sign-in link in the letter
    good_until = models.DateTimeField(null=True, blank=True)  # how long the link works, if longer than others do
    at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=["address", "at"], name="anonymous_by_address"),
            models.Index(fields=["source", "at"], name="anonymous_by_source"),
            models.Index(fields=["link"], name="anonymous_by_link", condition=~models.Q(link="")),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"


class SealedTOTPDevice(TOTPDevice):  # type: ignore[misc]  # django-otp ships no types
    """django-otp's device for authenticator apps, with its key encrypted under SEALING_KEYS."""

    class Meta:
        proxy = True

    def save(
        self,
        *,
        force_insert: bool | tuple[type[models.Model], ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Stores the device; seals the key of a new one first."""
        if self._state.adding:
            self.key: str = seal(self.key)
        super().save(force_insert=force_insert, force_update=force_update, using=using, update_fields=update_fields)

    @property
    def bin_key(self) -> bytes:
        """The key; a random one if none of SEALING_KEYS opens it, so that no code is accepted."""
        opened = unseal(self.key)
        return unhexlify(opened) if opened else secrets.token_bytes(KEY_BYTES)


class TrustedDevice(models.Model):
    """A browser that a player trusts: links from emails act there with one tap.

    Its cookie holds a secret, of which only a keyed hash is stored; several people may trust the same browser.
    """

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="trusted_devices")
    digest = models.CharField(max_length=64)
    browser = models.CharField(max_length=40, blank=True, default="")
    system = models.CharField(max_length=40, blank=True, default="")
    trusted_at = models.DateTimeField()
    used_on = models.DateField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "digest"], name="one_trust_per_device"),)

    def __str__(self) -> str:
        return f"{self.browser} on {self.system}" if self.browser and self.system else self.browser or self.system


# Who has asked whom to be friends, and what became of it.


class AddressInvitation(models.Model):
    """The common part of invitations of an address to a table and to a club; each kind is a model of its room."""

    class Status(models.TextChoices):
        SENT = "sent", _("invited")
        JOINED = "joined", _("joined")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    address = models.EmailField()
    name = models.CharField(max_length=40, blank=True, default="")  # of whom the inviter knows, but not the address
    status = models.CharField(max_length=10, choices=Status, default=Status.SENT)
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        abstract = True

    @property
    def label(self) -> str:
        """Returns the name of the person that its sender, and in a club every member, sees."""
        return self.name or self.address


class Friendship(models.Model):
    """One person has asked another. Changed by `games.people.friends` only."""

    class Status(models.TextChoices):
        ASKED = "asked", _("asked")
        FRIENDS = "friends", _("friends")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    asker = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_asked")
    asked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_received")
    status = models.CharField(max_length=10, choices=Status, default=Status.ASKED)
    created_at = models.DateTimeField(default=present.now)  # when it was asked, the last time
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["asker", "asked"], name="one_friendship_per_pair"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="nobody_befriends_himself"),
        )
        indexes = (
            # how many people somebody has asked today
            models.Index(fields=["asker", "created_at"], name="friends_asked_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.asker} -> {self.asked}: {self.status}"


# Who has blocked whom.


class Block(models.Model):
    """Somebody has blocked an account. Changed by `games.people.blocks` only; the blocked person is never told.

    Who blocks is a recipient: people who were invited by email can block before they have an account.
    """

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    # the constraint's index begins with it
    recipient = models.ForeignKey(
        "notifications.Recipient", on_delete=models.CASCADE, related_name="blocks", db_index=False
    )
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    name = models.CharField(max_length=40)  # as the recipient knew it when he blocked: later names are not his to see
    created_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["recipient", "blocked"], name="one_block_per_pair"),)

    def __str__(self) -> str:
        return f"{self.recipient} -> {self.name}"
