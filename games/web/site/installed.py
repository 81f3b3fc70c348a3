"""The site on a home screen: its name and icons there, its service worker, and its page without a network.

Nothing here says anything about a person: a service worker and what it keeps are shared by all who use a browser.
"""

import hashlib
import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

NAVY, SAND = "#1b2f57", "#f6efe2"
ICONS = (
    ("games/app/icon-192.png", "192x192", "any"),
    ("games/app/icon-512.png", "512x512", "any"),
    ("games/app/maskable-512.png", "512x512", "maskable"),
)
SHOWN_OFFLINE = ("games/site.css", "games/icon.svg")
KEPT_BY_BROWSERS = "no-cache"  # kept, and asked about each time


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    made = {
        "id": "/",
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": NAVY,
        "background_color": SAND,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in ICONS
        ],
    }
    response = JsonResponse(made, content_type="application/manifest+json")
    response["Cache-Control"] = KEPT_BY_BROWSERS
    return response


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root of the site so that it serves all of it."""
    files = [reverse("offline"), *map(static, SHOWN_OFFLINE)]
    facts = {
        "files": json.dumps(files),
        "icon": json.dumps(static(ICONS[0][0])),
        "badge": json.dumps(static("games/app/badge-96.png")),
        "name": json.dumps(settings.SITE_NAME),
    }
    source = render_to_string("games/site/service_worker.js", facts)
    version = hashlib.sha256(source.encode()).hexdigest()[:12]
    response = HttpResponse(source.replace("VERSION", version), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = KEPT_BY_BROWSERS
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown where there is no network; the same for everybody."""
    return render(request, "games/site/offline.html")
