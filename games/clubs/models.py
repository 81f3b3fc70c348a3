"""A club, its members, and the invitations to it."""

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.ids import random_ref
from games.people import names
from games.people.models import AddressInvitation, User
from notifications.clock import present

LONGEST_NAME = 60
LONGEST_ABOUT = 600


class Club(models.Model):
    """People who play with each other. Only members see it. Changed by `games.clubs.clubs` only."""

    ref = models.CharField(max_length=12, unique=True, default=random_ref, editable=False)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    about = models.CharField(_("about the club"), max_length=LONGEST_ABOUT, blank=True, default="")
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="clubs_owned")
    link_generation = models.PositiveIntegerField(default=0)  # raised: the former join link leads nowhere
    created_at = models.DateTimeField(default=present.now)
    hidden_at = models.DateTimeField(null=True, blank=True)  # since when a moderator hides its name and description

    def __str__(self) -> str:
        return self.name

    @property
    def thread(self) -> str:
        """Returns the thread of the news of all its tables, to which its webhooks listen."""
        return f"club:{self.ref}"

    @property
    def display_name(self) -> str:
        """Its name as everybody sees it."""
        return gettext("Club %(ref)s") % {"ref": self.ref} if self.hidden_at else self.name

    @property
    def spoken_name(self) -> str:
        """The same inside a sentence, where its letters turn no others round."""
        return names.isolated(self.display_name)

    @property
    def display_about(self) -> str:
        """Returns the club's description as everybody sees it."""
        return "" if self.hidden_at else self.about


class Membership(models.Model):
    """A person is a member of a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    joined_at = models.DateTimeField(default=present.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_person"),)

    def __str__(self) -> str:
        return f"{self.user} ({self.club})"


class ClubInvitation(AddressInvitation):
    """An email address is invited to a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    inviter = models.ForeignKey(User, on_delete=models.CASCADE, related_name="club_invitations_sent")
    recipient = models.ForeignKey("notifications.Recipient", on_delete=models.PROTECT, related_name="club_invitations")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["club", "address"], name="one_club_invitation_per_address"),)
        indexes = (
            # how many a member has sent today
            models.Index(fields=["inviter", "created_at"], name="club_invitations_of_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.address} -> {self.club}"
