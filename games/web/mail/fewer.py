"""The page behind "Fewer mails like this one": no account, no session; the token in the address is the credential."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games import links
from games.people import notification_preferences
from games.people.models import User
from games.play.notify import thread_of
from games.tables.models import Game
from games.web.reader import with_private_address
from notifications import conversations, preferences
from notifications.channels.mail.unsubscribe import is_one_click


# Mail programs and providers post here without cookies (RFC 8058): the token alone says who asks.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def mails(request: HttpRequest, ref: str, game_ref: str, topic: str, token: str) -> HttpResponse:
    """Shows which mails can be stopped; GET changes nothing, POST does what the choice or the one click says."""
    user = links.find_reader(ref, game_ref, topic, token)
    if user is None:
        return with_private_address(render(request, "404.html", status=404))
    game = Game.objects.filter(ref=game_ref).first() if game_ref != links.NO_GAME else None
    is_missing = request.method == "POST" and not _act(request, user, topic, game)
    user.recipient.refresh_from_db()
    context = {**_context(user, topic, game), "is_missing": is_missing}
    with translation.override(user.recipient.language):
        return with_private_address(
            render(request, "games/mail/fewer.html", context, status=422 if is_missing else 200)
        )


def _act(request: HttpRequest, user: User, topic: str, game: Game | None) -> bool:
    """Do what was chosen. A form sent untouched, as programs that examine mails do, has chosen nothing."""
    answer = request.POST.get("answer", "")
    if answer == "here" or is_one_click(request):
        notification_preferences.mute_topic(user=user, topic=topic, game=game)
    elif answer == "everywhere":
        notification_preferences.mute_topic(user=user, topic=topic, game=None)
    elif answer == "again":
        notification_preferences.unmute_topic(user=user, topic=topic, game=game)
    else:
        return False
    return True


def _context(user: User, topic: str, game: Game | None) -> dict[str, object]:
    found = notification_preferences.optional_topics(topic, game)
    names = {one.name for one in found}
    side = conversations.find_conversation(user.recipient, thread_of(game)) if game else None
    return {
        "game": game,
        "labels": [one.label for one in found],
        "is_needed": not names,
        "is_off_everywhere": bool(names) and names <= set(preferences.switched_off(user.recipient)),
        "is_off_here": bool(names) and side is not None and names <= set(side.muted),
    }
