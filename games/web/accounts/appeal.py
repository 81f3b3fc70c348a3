"""The page behind "Appeal" in an email about a moderator's decision: no session, for the account may be closed."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.moderation import reports
from games.moderation.models import Report
from games.tables import audit
from games.tables.audit import ModerationEntry
from games.web.forms import refusals_in, sent, status_of
from games.web.reader import link_not_found, private
from notifications.clock import present


class AppealForm(forms.Form):
    """Why the decision is wrong."""

    text = forms.CharField(
        label=_("Why is it wrong?"), max_length=Report.TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 6})
    )


@csrf_exempt  # as the act links: who knows the address may act, and mail programs keep no cookies
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def appeal(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """GET shows the decision and the form; POST stores the appeal."""
    notice = reports.find_appealable(ref, token)
    if notice is None:
        return link_not_found(request)
    entry = ModerationEntry.objects.select_related("user__owner", "actor").get(
        pk=int(notice.subject.removeprefix(ModerationEntry.SUBJECT))
    )
    with translation.override(notice.recipient.language), timezone.override(notice.recipient.zone_info):
        form, is_done = AppealForm(sent(request)), False
        if form.is_valid():
            with refusals_in(form):
                reports.appeal(entry=entry, text=form.cleaned_data["text"], now=present.now())
                is_done = True
        context = {
            "form": form,
            "is_done": is_done,
            "is_open": reports.may_appeal(entry),
            "action": entry.get_action_display(),
            "reason": audit.in_words(entry.reason),
        }
        return render(request, "games/accounts/appeal.html", context, status=status_of(form))
