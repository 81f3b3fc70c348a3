"""The pages behind the links in mails: no account, no session; the token in the address is the credential.

GET changes nothing and shows no more than the mail did, whoever opens it. Only a POST with a choice acts.
"""

from collections.abc import Mapping
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.errors import ServiceError
from games.people import sessions
from games.play import absences, decision_links, history, lists, queries
from games.play.models import Decision, Move
from games.play.queries import Access
from games.play.standing_orders import say_for
from games.tables import table_links
from games.tables.models import Game
from games.tables.seats import Seat, read_seats
from games.web.answers import order_rows
from games.web.answers.confirmation import CONFIRM
from games.web.answers.question_form import WAY
from games.web.play import answering
from games.web.play.timing import answer_hour, hour_context
from games.web.reader import as_reader, is_usable, link_not_found, private, signed_in
from notifications import confirming
from notifications.clock import present


# No CSRF token: whoever can forge this request knows the address, and who knows the address may act. Mail programs
# that keep no cookies must be able to post.
@csrf_exempt
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def act(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """Shows one decision to its player and takes his answer."""
    row = decision_links.find_decision(ref, token)
    if row is None or not is_usable(row.seat):
        return link_not_found(request)
    with as_reader(row.seat):
        if request.method == "POST":
            return _answer(request, row)
        move = answering.own_move(_access(row), request.GET.get(answering.DONE, ""), present.now())
        return _question_page(request, row) if move is None else _done_page(request, row, move)


def _answer(request: HttpRequest, row: Decision) -> HttpResponse:
    access = _access(row)
    posted = request.POST.dict()
    posted["decision"] = posted.get("decision") or row.code
    if posted["decision"] != row.code and not _is_extra(access, row, posted["decision"]):
        message = _("This form belongs to a different question. Nothing was changed.")
        return _question_page(request, row, answering.Refusal([message], 409, row.code, posted))
    player, now = row.seat.user, present.now()
    assert player is not None
    is_confirmed = confirming.is_confirmed(request)
    if _is_one_tap(posted) and not is_confirmed and not sessions.is_trusted(request, player):
        return confirming.choice_page(request, row.seat.spoken_name)
    try:
        move = answering.take_answer(
            access,
            posted,
            source=Move.Source.LINK,
            actor=player,
            received_at=now,
            due_at=row.due_at,
        )
    except answering.AnswerRefused as error:
        return _question_page(request, _reread(row), error.refusal)
    response = answering.redirect_to_result(request.path, move)
    if is_confirmed and confirming.REMEMBER in posted:
        sessions.trust_device(request, response, player, now)
    else:
        sessions.record_device_use(request, response, player, now)
    return response


def _is_one_tap(posted: Mapping[str, str]) -> bool:
    """Whether one button may have sent this, with nothing chosen or typed before it."""
    names = [name for name, value in posted.items() if value and (name == WAY or "-" in name)]
    return (len(names) < 2 and not posted.get(order_rows.LOOK)) or bool(posted.get(CONFIRM))


def _question_page(request: HttpRequest, row: Decision, refusal: answering.Refusal | None = None) -> HttpResponse:
    access = _access(row, is_shown=True)
    view = queries.view_of(access)
    items = answering.asked_items(access, view, refusal=refusal, hints=request.GET.dict())
    matches = [item for item in items if item.item.code == row.code]
    if not matches:
        return _spent_page(request, row, refusal)
    context = {
        "access": access,
        "game": row.game,
        "decision": row,
        "asked": matches[0],
        "suggested": answering.suggested(matches),
        "extras": [item for item in items if item.item.is_extra] if matches[0].item.is_prompted else [],
        "refusal": refusal,
        "is_confirmed": _is_confirmed(matches[0], refusal),
        "is_accepting": matches[0].proposal is not None and _is_accepting(request, refusal),
        "is_trusted": row.seat.user is not None and sessions.is_trusted(request, row.seat.user),
        "action_url": request.path,
        "since": history.since_last_answer(access)[::-1],
        **answering.board_context(access, view),
    }
    return render(request, "games/play/act.html", context, using="pages", status=refusal.status if refusal else 200)


def _is_confirmed(item: answering.Asked, refusal: answering.Refusal | None) -> bool:
    """Whether the page only asks to confirm the answer that its address names, or shows the whole form."""
    if item.confirmation is None:
        return False
    return refusal is None or CONFIRM in refusal.typed


def _is_accepting(request: HttpRequest, refusal: answering.Refusal | None) -> bool:
    """Whether the page only asks to accept what is proposed, as its address or the button that was refused says."""
    return answering.PROPOSAL in refusal.typed if refusal else request.GET.get(WAY) == answering.PROPOSAL


def _is_extra(access: Access, row: Decision, code: str) -> bool:
    """Whether this is something the seat may do unasked while the link's own question waits for it."""
    if not row.is_open:
        return False
    question = queries.question(access, code)
    return question is not None and not (question.decision.prompted or question.decision.sealed)


def _spent_page(request: HttpRequest, row: Decision, refusal: answering.Refusal | None = None) -> HttpResponse:
    """The page of a link whose decision is closed: what happened, as everybody may know it."""
    context = {
        "game": row.game,
        "seat": row.seat,
        "lines": answering.what_became_of(row),
        "refusal": refusal,
        "is_withdrawn": row.status == Decision.Status.WITHDRAWN and row.game.status == Game.Status.RUNNING,
        "back_url": table_links.seat_url("back", row.seat) if row.seat.status == Seat.Status.ABSENT else "",
        "game_url": table_links.game_url(row.game),
        **_elsewhere(request, row),
    }
    return render(request, "games/play/spent.html", context, using="pages", status=refusal.status if refusal else 200)


def _done_page(request: HttpRequest, row: Decision, move: Move) -> HttpResponse:
    access = _access(row, is_shown=True)
    view = queries.view_of(access)
    waiting = [other for other in queries.waiting_for(row.seat.pk) if other.pk != row.pk]
    following = min(waiting, key=lambda other: other.pk, default=None)
    if following:
        following.seat = row.seat
    replaceable = queries.question(access, row.code)
    items = answering.asked_items(access, view) if following else []
    matches = [item for item in items if following and item.item.code == following.code]
    context = {
        "access": access,
        "game": row.game,
        "is_trusted": row.seat.user is not None and sessions.is_trusted(request, row.seat.user),
        "done": answering.result_lines(access, move) or [_("Your answer is saved.")],
        "replaceable": say_for(row.game)(replaceable.hint or replaceable.title) if replaceable else "",
        "again_url": request.path,
        "asked": matches[0] if matches else None,
        "action_url": decision_links.act_url(following) if following else "",
        "result": queries.result(row.game, row.seat.number),
        "game_url": table_links.game_url(row.game),
        "is_signed_in": signed_in(request) == row.seat.user,
        **_elsewhere(request, row),
        **answering.board_context(access, view),
    }
    return render(request, "games/play/acted.html", context, using="pages")


def _elsewhere(request: HttpRequest, row: Decision) -> dict[str, object]:
    """The next game that waits for the player.

    Its name, and a link to answer, only where the player has shown that the device is his: whoever was sent this link
    by him may act in this game, and learns of no other.
    """
    player = row.seat.user
    is_his = player is not None and (request.user == player or sessions.is_trusted(request, player))
    following = next(iter(lists.waiting_elsewhere(player, row.game)), None) if is_his else None
    return {"following": following, "following_url": decision_links.act_url(following) if following else ""}


@csrf_exempt  # as above
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def back(request: HttpRequest, ref: str, number: int, token: str) -> HttpResponse:
    """Brings an absent player back; opening the page does not."""
    seat = table_links.find_seat("back", ref, number, token)
    if seat is None or not is_usable(seat):
        return link_not_found(request)
    with as_reader(seat):
        is_posted, is_trusted = (
            request.method == "POST",
            seat.user is not None and sessions.is_trusted(request, seat.user),
        )
        if is_posted and seat.status == Seat.Status.ABSENT and not is_trusted and not confirming.is_confirmed(request):
            return confirming.choice_page(request, seat.spoken_name)
        error = _come_back(seat) if is_posted else None
        seat.refresh_from_db()
        is_absent = seat.status == Seat.Status.ABSENT
        is_done = is_posted and not is_absent and error is None
        waiting = seat.decisions.filter(status=Decision.Status.OPEN, is_automatic=False).first()
        context = {
            "game": seat.game,
            "seat": seat,
            "is_absent": is_absent,
            "is_done": is_done,
            "is_trusted": is_trusted,
            "error": error,
            "next_url": decision_links.act_url(waiting) if is_done and waiting else "",
            "game_url": table_links.game_url(seat.game),
        }
        return render(
            request, "games/play/back.html", context, using="pages", status=error.status if error else HTTPStatus.OK
        )


def _come_back(seat: Seat) -> ServiceError | None:
    try:
        absences.come_back(seat_id=seat.pk, now=present.now())
    except ServiceError as error:
        return error
    return None


@csrf_exempt  # as above
@private
@require_http_methods(["GET", "HEAD", "OPTIONS", "POST"])
def agree_to_hour(request: HttpRequest, ref: str, number: int, token: str) -> HttpResponse:
    """Agrees to the hour together that is proposed, or declines it; opening the page does neither."""
    seat = table_links.find_seat("agree_to_hour", ref, number, token)
    if seat is None or not is_usable(seat):
        return link_not_found(request)
    with as_reader(seat):
        is_trusted, wish, error = seat.user is not None and sessions.is_trusted(request, seat.user), "", None
        if request.method == "POST":
            if not is_trusted and not confirming.is_confirmed(request):
                return confirming.choice_page(request, seat.spoken_name)
            wish = request.POST.get("wish", "")
            error = _answer_hour(seat, wish, request.POST.get("at", ""))
        seat = Seat.objects.select_related("game", "user__recipient").get(pk=seat.pk)
        context = {
            "game": seat.game,
            "seat": seat,
            "is_trusted": is_trusted,
            "wish": "" if error else wish,
            "error": error,
            "game_url": table_links.game_url(seat.game),
            **hour_context(Access(seat.game, seat)),
        }
        return render(
            request, "games/play/hour.html", context, using="pages", status=error.status if error else HTTPStatus.OK
        )


def _answer_hour(seat: Seat, wish: str, at: str) -> ServiceError | None:
    try:
        answer_hour(seat, wish, at, present.now())
    except ServiceError as error:
        return error
    return None


def _access(row: Decision, *, is_shown: bool = False) -> Access:
    """From the seat that is asked; for a page also with all the others, whose names are on it."""
    row.seat.game = row.game
    if is_shown:
        read_seats(row.game)
    return Access(row.game, row.seat)


def _reread(row: Decision) -> Decision:
    return Decision.objects.select_related("game", "seat__user__recipient").get(pk=row.pk)
