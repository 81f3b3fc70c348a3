"""Opening a table, and inviting people to it by name."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from engine.registry import newest
from games.clubs import clubs
from games.errors import ServiceError, TooMany
from games.lobby import fellow_players, hosting, invitations, lifecycle
from games.lobby.fellow_players import Fellow
from games.people import friends
from games.people.models import User
from games.tables.models import Game
from games.web.forms import refusals_in, sent, status_of
from games.web.reader import require_user
from games.web.tables.forms import Around, NewTableForm
from games.web.tables.game_form import find_rules, in_words
from notifications.clock import present

CLUB, WITH, AGAIN = "club", "with", "again"  # in the address: the club that is chosen at first, and who is ticked
MOST_TICKED = 10


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Opens a table. Another game than the first is chosen by `?game=`, people to invite by `?with=`, and one of the
    host's own presets by `?preset=`."""
    user = require_user(request)
    known = hosting.presets_of(user)
    preset = next((one for one in known if one.ref == request.GET.get("preset")), None)
    rules = find_rules(preset.rules_name if preset else request.GET.get("game"))
    values = hosting.preset_values(preset) if preset else None
    form = NewTableForm(rules, sent(request), _around(request, user), values)
    if form.is_valid():
        with refusals_in(form):
            game = lifecycle.open_table(host=user, plan=form.plan(), now=present.now())
            _say_open(request, game, form.chosen_people())
            return redirect("table", ref=game.ref)
    context = {
        "form": form,
        "games": [(known.name, in_words(known, known.title), _query(request, known.name)) for known in newest()],
        "chosen": rules.name,
        "query": _query(request, rules.name),
        "rules_title": in_words(rules, rules.title),
        "presets": known,
        "preset": preset,
    }
    return render(request, "games/tables/new_table.html", context, status=status_of(form))


def _around(request: HttpRequest, user: User) -> Around:
    """The clubs of a person, his friends, and who is named in the address, if he may be invited by name.

    `?again=` names all who have played a game with him.
    """
    refs = [ref.replace("\0", "") for ref in request.GET.getlist(WITH)[:MOST_TICKED]]  # PostgreSQL takes no NUL
    again = fellow_players.of_game(user, request.GET.get(AGAIN, "").replace("\0", ""))
    named = [*again, *(Fellow(one, one.name) for one in fellow_players.invitable(user, refs))]
    known = [*(Fellow(one, one.name) for one in friends.friends_of(user)), *reversed(named)]
    people = {one.user.pk: one for one in known}
    ticked = [one.user.ref for one in named]
    return Around(
        clubs=clubs.clubs_of(user),
        people=sorted(people.values(), key=lambda one: (one.user.ref not in ticked, one.name.casefold())),
        club=request.GET.get(CLUB, ""),
        ticked=ticked,
    )


def _query(request: HttpRequest, name: str) -> str:
    """The address of the form for a game, with the same people and club."""
    query = QueryDict(mutable=True)
    query["game"] = name
    query.setlist(WITH, request.GET.getlist(WITH)[:MOST_TICKED])
    for kept in (CLUB, AGAIN):
        if value := request.GET.get(kept):
            query[kept] = value
    return query.urlencode()


def _say_open(request: HttpRequest, game: Game, people: list[Fellow]) -> None:
    """Invites these people, and says what came of it."""
    sent = 0
    for person in people:
        try:
            invitations.invite(
                game_id=game.pk, host=game.host, address=person.user.email, name=person.name, now=present.now()
            )
            sent += 1
        except ServiceError as error:
            messages.warning(request, f"{person.name}: {error.message}")
            if isinstance(error, TooMany):
                break
    if sent:
        words = ngettext(
            "Your table is open, and %(count)s invitation is on its way.",
            "Your table is open, and %(count)s invitations are on their way.",
            sent,
        )
        messages.success(request, words % {"count": sent})
    else:
        messages.success(request, _("Your table is open. Invite your friends, or fill it with bots."))
