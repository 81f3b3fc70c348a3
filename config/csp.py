"""What a page of ours may load: our own files and nothing else."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "style-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


class ContentSecurityPolicy:
    """Sends the policy with every answer.

    A page that shows a mail as its reader would see it sets `inline_styles_allowed = True` on its response: mails
    carry their style in attributes, and a frame filled from `srcdoc` inherits the policy of its page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        styles = " 'unsafe-inline'" if getattr(response, "inline_styles_allowed", False) else ""
        policy = POLICY | {"style-src": POLICY["style-src"] + styles}
        response.headers.setdefault("Content-Security-Policy", "; ".join(f"{k} {v}" for k, v in policy.items()))
        return response
