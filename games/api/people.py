"""The REST API of people: the account, its tokens and address, profiles, friends and blocks."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request

from engine.puzzles import PackedPuzzle
from games.api.access import Scope
from games.api.parsing import Body, Checked, ComputedField, DataSerializer
from games.api.resource import Cursor, Operations, PageQuery, page_of, person
from games.archive import player_profile
from games.archive.player_profile import Often
from games.clubs import clubs
from games.errors import Illegal, NotFound
from games.lobby import fellow_players, puzzles
from games.people import accounts, blocks, friends, names, tokens
from games.people.accounts import ProfileChange
from games.people.models import ApiToken, Friendship, User
from games.people.speech import current_language
from games.play import lists, queries
from games.privacy import personal_data
from notifications.clock import calendar, present

operation = Operations()

LONGEST_NAME = 40


class PersonShape(DataSerializer):
    """The person whose token it is."""

    ref = serializers.CharField()
    name = serializers.CharField()
    address = serializers.EmailField(allow_null=True, help_text="null for a bot account.")
    language = serializers.CharField(source="recipient.language")
    zone = serializers.CharField(source="recipient.zone")
    has_profile = serializers.BooleanField(help_text="Whether others may see a page with your name and finished games.")
    is_ranked = serializers.BooleanField(help_text="Whether others may see your ratings.")
    curve_shown = serializers.ChoiceField(User.Audience.choices, help_text="Who may see how your ratings have changed.")
    hours_shown = serializers.ChoiceField(User.Audience.choices, help_text="Who may see when you usually answer.")
    lends_positions = serializers.BooleanField(
        help_text="Whether positions of your finished games may become puzzles, if everyone there allows it."
    )
    proposals_shown = serializers.ChoiceField(
        User.ProposalsShown.choices, help_text="When the pages show you what the rules propose; empty: as usual."
    )
    discord_id = serializers.CharField(help_text="By which a Discord channel of your table mentions you; empty: none.")
    owner = serializers.CharField(
        source="owner.get_short_name",
        default=None,
        allow_null=True,
        help_text="Whose bot account it is; null for a person.",
    )
    events_url = ComputedField(
        lambda _person: settings.EVENTS_URL,
        serializers.CharField(help_text="Where the stream of all your games is."),
    )


class PersonBody(Body):
    """How you are called, spoken to and seen; what is left out stays."""

    name = serializers.CharField(
        required=False, max_length=LONGEST_NAME, help_text="What the other players see from now on."
    )
    language = serializers.ChoiceField(settings.LANGUAGES, required=False, help_text="Of emails and pages.")
    zone = serializers.CharField(required=False, max_length=64, help_text="An IANA name such as Europe/Madrid.")
    has_profile = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    is_ranked = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    curve_shown = serializers.ChoiceField(
        User.Audience.choices, required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    hours_shown = serializers.ChoiceField(
        User.Audience.choices, required=False, allow_null=True, default=None, help_text="null, or left out: as it is."
    )
    lends_positions = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="false deletes the puzzles made of your games; null, or left out: as it is.",
    )
    proposals_shown = serializers.ChoiceField(
        User.ProposalsShown.choices,
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="When pages and emails show you suggested moves; null, or left out: unchanged.",
    )
    discord_id = serializers.RegexField(
        r"^(\d{17,20})?$",
        required=False,
        allow_null=True,
        allow_blank=True,
        default=None,
        help_text="By which a Discord channel of your table mentions you; null, or left out: unchanged.",
    )

    def validate_name(self, name: str) -> str:
        """Returns the name on one line, without invisible characters."""
        try:
            return names.checked(name)
        except Illegal as error:
            raise serializers.ValidationError(error.message) from error

    def validate_zone(self, zone: str) -> str:
        """Refuses unknown time zones."""
        if zone not in calendar.known():
            raise serializers.ValidationError(_("There's no time zone called %(name)s.") % {"name": zone})
        return zone


class TokenShape(DataSerializer):
    """An API token. The key itself was shown once, when it was made."""

    ref = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    is_this = serializers.SerializerMethodField(help_text="Whether it is the one of this request.")

    def get_is_this(self, row: ApiToken) -> bool:
        """True for the token of this request."""
        return bool(self.context["request"].auth == row)


class AddressBody(Body):
    """Where you want your mail."""

    address = serializers.EmailField(max_length=254)


class AddressShape(DataSerializer):
    """A change of address that waits until both have said yes."""

    new_address = serializers.EmailField()
    created_at = serializers.DateTimeField()
    old_confirmed_at = serializers.DateTimeField(allow_null=True)
    new_confirmed_at = serializers.DateTimeField(allow_null=True)


@operation("GET me/", answer=PersonShape)
def read_me(request: Request) -> object:
    """Reads your account."""
    return person(request)


@operation("PATCH me/", body=PersonBody, answer=PersonShape, scope=Scope.ACCOUNT)
def change_me(request: Request, **facts: Any) -> object:
    """Changes how you are called, spoken to and seen. Seats already taken keep the name they had."""
    user = person(request)
    now = {"name": user.name, "language": user.recipient.language, "zone": user.recipient.zone}
    accounts.change_profile(user=user, wanted=ProfileChange(**(now | facts)))
    return user


@operation("GET me/tokens/", answer=[TokenShape], scope=Scope.ACCOUNT)
def list_tokens(request: Request) -> object:
    """Lists your tokens that are not revoked. New ones are made on the page of your settings, and nowhere else."""
    return person(request).api_tokens.filter(revoked_at=None).order_by("-pk")


@operation("DELETE me/tokens/<slug:ref>/", scope=Scope.ACCOUNT)
def revoke_token(request: Request, ref: str) -> None:
    """Makes a token void at once. Harmless when it is already."""
    tokens.revoke(user=person(request), ref=ref, now=present.now())


@operation("POST me/address/", body=AddressBody, answer=AddressShape, status=202, scope=Scope.ACCOUNT)
def change_address(request: Request, address: str) -> object:
    """Asks both addresses, by a link in a mail to each; the account moves when both have said yes."""
    return accounts.request_address_change(user=person(request), new_address=address, now=present.now())


COPY = OpenApiResponse(OpenApiTypes.OBJECT, "Each part of what is kept by its name; docs/privacy.md lists them.")


@operation("GET me/export/", also={200: COPY}, scope=Scope.ACCOUNT)
def export_me(request: Request) -> object:
    """A copy of everything that is kept of you, three times a day; you are told by mail that it was taken."""
    text = personal_data.give(user=person(request), now=present.now())
    return HttpResponse(text, content_type="application/json")


# Profiles: what others may see of a person


class SumShape(DataSerializer):
    """How often somebody has played and won a game."""

    rules = serializers.CharField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()


class PlayedShape(DataSerializer):
    """A finished game of a player."""

    ref = serializers.CharField(source="game.ref")
    title = serializers.CharField(source="game.title")
    rules = serializers.CharField(source="game.rules_name")
    finished_at = serializers.DateTimeField(source="game.finished_at")
    place = serializers.IntegerField()


class CurvePointShape(DataSerializer):
    """A rating after a game."""

    points = serializers.IntegerField()
    at = serializers.DateTimeField()
    game_ref = serializers.CharField(source="game.ref")
    tournament_ref = serializers.CharField(
        source="tournament.ref",
        default=None,
        allow_null=True,
        help_text="The tournament that the game was played in; null for other games.",
    )


class PlayerRatingShape(DataSerializer):
    """A rating, and how it has changed."""

    rules = serializers.CharField(source="rules_name")
    points = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    curve = ComputedField(
        player_profile.shown_curve,
        CurvePointShape(many=True, help_text="Oldest first; empty where it is not yours to see."),
        for_reader=True,
    )


class ReliabilityShape(DataSerializer):
    """How reliably somebody answers, in the finished games of a year."""

    asked = serializers.IntegerField(help_text="Questions with a deadline.")
    in_time = serializers.IntegerField()


class PartOfDayShape(DataSerializer):
    """How often somebody answers in a part of the day."""

    begin = serializers.IntegerField(help_text="The first hour, in your zone.")
    end = serializers.IntegerField()
    often = serializers.ChoiceField([(choice.value, choice.value) for choice in Often])


class HeadToHeadShape(DataSerializer):
    """How you and the player have done against each other."""

    games = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="In how many you came out better.")
    behind = serializers.IntegerField()


class PlayerShape(DataSerializer):
    """The public facts of a person."""

    ref = serializers.CharField()
    name = serializers.CharField()
    owner = serializers.CharField(allow_null=True, help_text="Whose bot account it is; null for a person.")
    is_friend = serializers.BooleanField()
    ratings = PlayerRatingShape(many=True, help_text="Empty unless the player wants them to be seen.")
    reliability = ReliabilityShape(allow_null=True, help_text="null if too few questions were asked.")
    hours = PartOfDayShape(many=True, help_text="When the player usually answers, if that is yours to see.")
    head_to_head = HeadToHeadShape(allow_null=True, help_text="null if you have not finished a game together.")
    sums = SumShape(many=True)
    games = page_of(PlayedShape)(help_text="Finished ones that you may see, newest first.")


@operation("GET players/<slug:ref>/", query=PageQuery, answer=PlayerShape)
def read_player(request: Request, ref: str, **page: Any) -> object:
    """His name, how often he has played and won, and his finished games that you may see."""
    return _player(request, User.objects.filter(ref=ref).first(), page)


@operation("GET games/<slug:ref>/seats/<int:number>/player/", query=PageQuery, answer=PlayerShape)
def read_seat_player(request: Request, ref: str, number: int, **page: Any) -> object:
    """The same of the player of a seat, if he has a page that others may see."""
    game = queries.access_game(person(request), ref).game
    seat = game.seats.select_related("user").filter(number=number).first()
    return _player(request, seat.user if seat and not seat.hides_name else None, page)


def _player(request: Request, user: User | None, page: Checked) -> dict[str, object]:
    viewer = person(request)
    is_shown = user is not None and user.is_active and not user.is_guest and (user.has_profile or user == viewer)
    if user is None or not is_shown:
        raise NotFound(_("There's no such profile, or its owner has made it private."))
    games = lists.finished_games(user, viewer)
    played = Counter(game.game.rules_name for game in games)
    won = Counter(game.game.rules_name for game in games if game.place == 1)
    sums = [{"rules": name, "played": count, "won": won[name]} for name, count in played.most_common()]
    now, friendship = present.now(), friends.between(viewer, user)
    has_hours = not user.is_bot and clubs.may_see(viewer, user, user.hours_shown)
    return {
        "ref": user.ref,
        "name": user.name,
        "owner": user.owner_name,
        "is_friend": friendship is not None and friendship.status == Friendship.Status.FRIENDS,
        "ratings": user.ratings.order_by("rules_name") if user.is_ranked or user == viewer else [],
        "reliability": player_profile.reliability(user, now),
        "hours": player_profile.hours(user, viewer.recipient.zone_info, now) if has_hours else [],
        "head_to_head": player_profile.head_to_head(viewer, user) if user != viewer else None,
        "sums": sums,
        "games": Cursor.of_list(games, lists.finished_key, page, "finished games"),
    }


# Friends


class FriendshipShape(DataSerializer):
    """A friendship, or a request to be friends."""

    ref = serializers.CharField(help_text="Of the friendship.")
    player_ref = serializers.CharField(help_text="The other one's reference.")
    name = serializers.CharField()
    since = serializers.DateTimeField(help_text="When it was asked, or accepted.")


class FriendsShape(DataSerializer):
    """Your friends, and the requests that wait for an answer: the other one's, and yours."""

    friends = FriendshipShape(many=True)
    received = FriendshipShape(many=True)
    sent = FriendshipShape(many=True)


class FriendBody(Body):
    """The person to ask."""

    example = {"player_ref": "m4x8wq2hzc6r"}
    player_ref = serializers.CharField(max_length=12, help_text="The reference of a public profile.")


def _friendship_data(row: Friendship, other: User) -> dict[str, Any]:
    return {"ref": row.ref, "player_ref": other.ref, "name": other.name, "since": row.answered_at or row.created_at}


def _shown_friends(user: User) -> dict[str, object]:
    return {
        "friends": [_friendship_data(row, friend) for row, friend in friends.friendships_of(user)],
        "received": [_friendship_data(row, row.asker) for row in friends.requests_received(user)],
        "sent": [_friendship_data(row, row.asked) | {"since": row.created_at} for row in friends.requests_sent(user)],
    }


@operation("GET me/friends/", answer=FriendsShape)
def list_friends(request: Request) -> object:
    """Your friends by name, and the open requests, newest first."""
    return _shown_friends(person(request))


@operation("POST me/friends/", body=FriendBody, answer=FriendsShape, errors=[404, 409])
def ask_friend(request: Request, player_ref: str) -> object:
    """Asks somebody to be friends, by email as well; who has asked you is your friend at once."""
    other = User.objects.filter(ref=player_ref).select_related("recipient").first()
    if other is None:
        raise NotFound(_("There's no such profile, or its owner has made it private."))
    friends.ask(user=person(request), other=other, now=present.now())
    return _shown_friends(person(request))


@operation("POST me/friends/<slug:ref>/accept/", answer=FriendsShape)
def accept_friend(request: Request, ref: str) -> object:
    """Accepts a request that you have received."""
    friends.accept(user=person(request), ref=ref, now=present.now())
    return _shown_friends(person(request))


@operation("POST me/friends/<slug:ref>/decline/", answer=FriendsShape)
def decline_friend(request: Request, ref: str) -> object:
    """Declines a request that you have received. Who asked is not told."""
    friends.decline(user=person(request), ref=ref, now=present.now())
    return _shown_friends(person(request))


@operation("DELETE me/friends/<slug:ref>/", answer=FriendsShape)
def end_friendship(request: Request, ref: str) -> object:
    """Takes your request back, or ends a friendship. Nobody is told."""
    friends.take_back(user=person(request), ref=ref)
    return _shown_friends(person(request))


# Blocks


class BlockShape(DataSerializer):
    """Somebody you have blocked."""

    ref = serializers.CharField(help_text="Of the block.")
    player_ref = serializers.CharField(source="blocked.ref")
    name = serializers.CharField(help_text="As you knew them then.")
    since = serializers.DateTimeField(source="created_at")


class BlockBody(Body):
    """The person to block."""

    example = {"player_ref": "m4x8wq2hzc6r"}
    player_ref = serializers.CharField(
        max_length=12, help_text="The reference of somebody with a public profile, or from a table or club of yours."
    )


@operation("GET me/blocks/", answer=[BlockShape])
def list_blocks(request: Request) -> object:
    """Lists the people you have blocked, by name."""
    return blocks.blocks_of(person(request).recipient)


@operation("POST me/blocks/", body=BlockBody, answer=[BlockShape], errors=[404, 409])
def block_player(request: Request, player_ref: str) -> object:
    """Blocks somebody, who is not told. Twice changes nothing. It ends a friendship."""
    user = person(request)
    other, name = fellow_players.find_person(user, player_ref)
    blocks.block(by=user.recipient, other=other, name=name, now=present.now())
    return blocks.blocks_of(user.recipient)


@operation("DELETE me/blocks/<slug:ref>/", answer=[BlockShape])
def unblock_player(request: Request, ref: str) -> object:
    """Takes a block back. Nobody is told."""
    blocks.unblock(by=person(request).recipient, ref=ref)
    return blocks.blocks_of(person(request).recipient)


# Puzzles: the one of the day, and any other that is open

TODAY = "today"  # in the place of a puzzle's reference


class PuzzleAnswerShape(DataSerializer):
    """An answer that a puzzle offers."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the API's word


class SolvedPuzzleShape(DataSerializer):
    """Says what came of your first answer, which alone counts."""

    is_right = serializers.BooleanField(help_text="Whether it is the best one.")
    chosen = serializers.CharField(help_text="The value of your answer.")
    solution = serializers.CharField(help_text="The value of the best answer.")
    told = serializers.ListField(child=serializers.CharField(), help_text="What happened when it was played.")
    chances = serializers.ListField(
        child=serializers.IntegerField(), help_text="By answer your chance to win, in thousandths."
    )
    tried = serializers.IntegerField(help_text="How many have answered this puzzle.")
    share = serializers.IntegerField(help_text="How many percent of them solved it.")


class OpenPuzzleShape(DataSerializer):
    """A position in which one answer is clearly best. Which it is, nothing tells before you answer."""

    ref = serializers.CharField()
    rules = serializers.CharField()
    rules_version = serializers.IntegerField()
    kind = serializers.CharField(help_text="The kind of decision.")
    grade = serializers.IntegerField(help_text="From 1 to 5, by how many bots miss it.")
    seat = serializers.IntegerField(help_text="The seat you answer for.")
    ask = serializers.CharField(help_text="The question.")
    hint = serializers.CharField(help_text="The rule that helps.")
    view = serializers.DictField(help_text="Everything that seat may see, as the rules describe it.")
    board = serializers.CharField(help_text="The position in words.")
    choices = PuzzleAnswerShape(many=True, help_text="Send the value of one as `answer`.")
    solved = SolvedPuzzleShape(allow_null=True, help_text="null until you have answered.")


class SolvePuzzleBody(Body):
    """An answer."""

    answer = serializers.CharField(max_length=40, help_text="The value of a choice.")


@operation("GET puzzles/<slug:ref>/", answer=OpenPuzzleShape, errors=[404, 409])
def read_puzzle(request: Request, ref: str) -> object:
    """Reads a puzzle that is open: `today` for that of the day, the same for everybody until midnight UTC."""
    return _shown_puzzle(person(request), _puzzle(ref))


@operation("POST puzzles/<slug:ref>/", body=SolvePuzzleBody, answer=OpenPuzzleShape, errors=[404, 409])
def solve_puzzle(request: Request, ref: str, answer: str) -> object:
    """Answers a puzzle. Only your first answer counts; sent again, you read what came of that one."""
    user, packed = person(request), _puzzle(ref)
    puzzles.answer(recipient=user.recipient, packed=packed, value=answer, now=present.now())
    return _shown_puzzle(user, packed)


def _puzzle(ref: str) -> PackedPuzzle:
    now = present.now()
    return puzzles.of_day(puzzles.today(now)) if ref == TODAY else puzzles.find_open(ref, now)


def _shown_puzzle(user: User, packed: PackedPuzzle) -> dict[str, object]:
    puzzle, attempt = puzzles.opened(packed), puzzles.attempt_of(user.recipient, packed.ref)
    data, names = puzzle.puzzle, puzzles.names_of(puzzle, user.name)
    words = puzzles.words_of(puzzle, names)
    shown = puzzles.solved_of(puzzle, attempt, names) if attempt else None
    return {
        "ref": packed.ref,
        "rules": packed.rules,
        "rules_version": packed.version,
        "kind": packed.kind,
        "grade": packed.grade,
        "seat": data.seat,
        "ask": words.ask,
        "hint": words.hint,
        "view": to_builtins(puzzle.view),
        "board": puzzle.rules.describe(puzzle.view, current_language(), names),
        "choices": [{"value": value, "label": label} for value, label in words.choices],
        "solved": shown
        and {
            "is_right": shown.is_right,
            "chosen": shown.chosen,
            "solution": words.choices[data.solution][0],
            "told": shown.told,
            "chances": data.chances,
            "tried": shown.tried,
            "share": shown.share,
        },
    }
