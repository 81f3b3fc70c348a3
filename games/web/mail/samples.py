"""Every kind of mail with sample data, beside the development mailbox: to look at while one works on them."""

import base64

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.registry import newest
from games.letters.samples.letters import KINDS, sample
from notifications.channels.mail.letter import INLINER
from notifications.channels.mail.mailbox_pages import framed
from notifications.messages import MailMessage


@require_safe
def samples(request: HttpRequest) -> HttpResponse:
    """One kind in one language, as HTML or as text. Raises Http404 unless the mailbox is on, and for unknown kinds."""
    if not settings.MAILBOX_ENABLED:
        raise Http404
    kind, language = request.GET.get("kind", "due"), request.GET.get("language", "en")
    rules, games = request.GET.get("rules", "aladdins-dragons"), [found.name for found in newest()]
    if kind not in KINDS or language not in dict(settings.LANGUAGES) or rules not in games:
        raise Http404
    message = sample(kind, language, rules)
    context = {
        "kinds": KINDS,
        "kind": kind,
        "languages": settings.LANGUAGES,
        "language": language,
        "games": games,
        "rules": rules,
        "message": message,
        "frame": framed(shown(message)),
    }
    if request.GET.get("only") == "html":
        response = HttpResponse(shown(message))
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return response
    response = render(request, "games/mail/samples.html", context)
    response.shows_mail = True  # type: ignore[attr-defined]  # read by the content security policy
    return response


def shown(message: MailMessage) -> str:
    """The HTML as a mail program shows it: styles in the tags, pictures in their places."""
    html: str = INLINER.inline(message.html)
    for picture in message.pictures:
        encoded = base64.b64encode(picture.png).decode()
        html = html.replace(f"cid:{picture.cid}", f"data:image/png;base64,{encoded}")
    return html
