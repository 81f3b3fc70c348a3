"""The form of a bot account."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.lobby.lifecycle import LONGEST_BOT_NAME
from games.people.models import ApiToken, User
from games.web.forms import NameField


class BotForm(forms.Form):
    """The name of a bot, and who may seat it."""

    name = NameField(
        label=_("Name"),
        max_length=LONGEST_BOT_NAME,
        help_text=_("Hosts seat it by this name, which must be unique. At the table it's shown with “Bot” in front."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_for_all = forms.BooleanField(
        label=_("Any host can seat it"),
        required=False,
        help_text=_("Otherwise only you can, at tables you host."),
    )

    @staticmethod
    def initial_of(bot: User) -> dict[str, object]:
        """The form as it is filled in now."""
        return {"name": bot.name, "is_for_all": bot.is_for_all}


class BotTokenForm(forms.Form):
    """The scopes of a bot's new token."""

    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=[
            (ApiToken.Scope.READ.value, _("read its games")),
            (ApiToken.Scope.PLAY.value, _("read its games, play and talk")),
            (ApiToken.Scope.ACCOUNT.value, _("have its own webhooks")),
        ],
        initial=[ApiToken.Scope.PLAY.value, ApiToken.Scope.ACCOUNT.value],
        widget=forms.CheckboxSelectMultiple,
    )
