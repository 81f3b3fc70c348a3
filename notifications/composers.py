"""The registry of composers: who puts a kind of notice into words. The product registers its own at start-up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeGuard, TypeVar, runtime_checkable

from notifications.messages import ALL_FORMS, Form, MailMessage, PushMessage, WebhookMessage
from notifications.models import Notice

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Composer(Protocol):
    """Puts one kind of notice into words, at the moment it is sent."""

    is_security: bool
    """Sent even to those who asked never to be written to again: sign-in codes and the like."""

    def is_current(self, notice: Notice) -> str:
        """Return the reason why this notice is stale, or "" if it should still be sent."""

    def compose(self, notice: Notice, language: str, form: Form) -> MailMessage | WebhookMessage | None:
        """Return the message in a form, or None if there is none."""


@runtime_checkable
class TimedComposer(Composer, Protocol):
    """One whose notices are of no use once a certain time has come."""

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Return why it is too late for this notice at `now`, or ""."""


@runtime_checkable
class UrgentComposer(Composer, Protocol):
    """One whose notices somebody must have by a certain time."""

    def latest(self, notice: Notice) -> datetime | None:
        """Return when it must go out, however much peace its recipient wants; None for no such time."""


@runtime_checkable
class PublicComposer(Composer, Protocol):
    """One that has more to say of webhooks, which are read by anybody."""

    event: str
    """What programs call the kind, such as "decision.due"."""

    def is_current_for_all(self, notice: Notice) -> str:
        """Return the reason why nobody needs to be told any more, or "": by what everybody may know."""

    def compose_for_all(self, notices: Sequence[Notice], language: str) -> WebhookMessage | None:
        """Return one message for notices of one kind, thread and moment, or None if there is none."""


@runtime_checkable
class PushComposer(Composer, Protocol):
    """One that has a few words for the screen of a device."""

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Return the words of a letter in short, or None if there are none."""


class UnknownKind(LookupError):
    """No composer is registered for the kind: a newer version of the service wrote the notice."""


@dataclass(frozen=True)
class Topic:
    """Kinds of notices that people choose about together.

    Arguments:
        label: what people call it; lazily translated.
        is_needed: can be held for a while, but not switched off: somebody waits for an answer to it.
        is_alone: goes out in a mail of its own, for it is long and is kept.
        is_by_thread: can be switched off for one thread, too.
        is_weekly: comes once a week, and only to those who ask for it.
        is_listed: everybody chooses about it; otherwise only its readers do, at a place of its own.
    """

    name: str
    label: "StrOrPromise"
    is_needed: bool = False
    is_alone: bool = False
    is_by_thread: bool = True
    is_weekly: bool = False
    is_listed: bool = True


class Merger(Protocol):
    """Makes one mail of several notices for one recipient."""

    def __call__(self, notices: Sequence[Notice], language: str) -> MailMessage:
        """Return the mail; the notices are current, of registered topics, oldest first, and at least two."""


C = TypeVar("C", bound=Composer)
_composers: dict[str, Composer] = {}
_names: dict[str, "StrOrPromise"] = {}  # by kind
_declared: list[Topic] = []
_forms: dict[str, frozenset[Form]] = {}
_topics: dict[str, Topic] = {}  # by kind
_merger: list[Merger] = []
_fitting: dict[tuple[type, type], bool] = {}


def _is_timed(composer: Composer) -> TypeGuard[TimedComposer]:
    return _fits(composer, TimedComposer)


def _is_urgent(composer: Composer) -> TypeGuard[UrgentComposer]:
    return _fits(composer, UrgentComposer)


def _is_public(composer: Composer) -> TypeGuard[PublicComposer]:
    return _fits(composer, PublicComposer)


def _is_pushed(composer: Composer) -> TypeGuard[PushComposer]:
    return _fits(composer, PushComposer)


def _fits(composer: Composer, protocol: type) -> bool:
    """Caches `isinstance`, which looks at the whole protocol whenever it is asked; one class always fits alike."""
    key = type(composer), protocol
    if key not in _fitting:
        _fitting[key] = isinstance(composer, protocol)
    return _fitting[key]


def register(
    kind: str,
    composer: Composer,
    *,
    name: "StrOrPromise" = "",
    forms: Sequence[Form] = ALL_FORMS,
    topic: Topic | None = None,
) -> None:
    """Enter the composer of a kind; a second registration replaces the first.

    Arguments:
        name: what people call the kind; lazily translated.
        forms: those it has words for.
        topic: what its recipients choose about. A kind of none is sent at once, alone, whatever they chose.
    """
    _composers[kind] = composer
    _names[kind] = name or kind
    _forms[kind] = frozenset(forms)
    _topics.pop(kind, None)
    if topic is not None:
        _topics[kind] = topic


def composes(
    kind: str, name: "StrOrPromise", *, forms: Sequence[Form] = ALL_FORMS, topic: Topic | None = None
) -> Callable[[type[C]], type[C]]:
    """Class decorator: registers an instance as the composer of a kind, with the arguments of `register`."""

    def enter(composer: type[C]) -> type[C]:
        register(kind, composer(), name=name, forms=forms, topic=topic)
        return composer

    return enter


def name_of(kind: str) -> str:
    """Returns the name of a kind of notice, in the active language."""
    return str(_names.get(kind, kind))


def declare_topic(topic: Topic) -> Topic:
    """Enter a topic; people read them in the order of their declaration."""
    _declared.append(topic)
    return topic


def register_merger(merger: Merger) -> None:
    """Enter what makes one mail of several notices; without one each gets a mail of its own."""
    _merger[:] = [merger]


def merger() -> Merger | None:
    """Returns the function that makes one mail of several notices, or None."""
    return _merger[0] if _merger else None


def topic_of(kind: str) -> Topic | None:
    """The topic of a kind, or None for one about which there is nothing to choose."""
    return _topics.get(kind)


def topics() -> list[Topic]:
    """Returns the topics in order: those declared, then others as they were registered."""
    return list(dict.fromkeys([*_declared, *_topics.values()]))


def shares_mails(kind: str) -> bool:
    """Whether notices of a kind may go out in one mail with others."""
    topic = _topics.get(kind)
    return bool(_merger) and topic is not None and not topic.is_alone


def kinds_to_merge() -> tuple[str, ...]:
    """Returns the kinds that may share a mail; () if nothing makes one mail of several notices."""
    return tuple(filter(shares_mails, _topics))


def composer_for(kind: str) -> Composer:
    """Return the composer of a kind. Raises UnknownKind."""
    try:
        return _composers[kind]
    except KeyError:
        raise UnknownKind(kind) from None


def event_of(kind: str) -> str:
    """Returns the event of a kind for programs; its own name if its composer says nothing else."""
    composer = _composers.get(kind)
    return composer.event if composer is not None and _is_public(composer) else kind


def kinds() -> list[str]:
    """Returns the kinds that have a composer, by name."""
    return sorted(_composers)


def events() -> list[str]:
    """Returns the announced events, without those sent by hand, in the order of registration."""
    kinds = [kind for kind, forms in _forms.items() if Form.ANNOUNCEMENT in forms and kind in _topics]
    return list(dict.fromkeys(map(event_of, kinds)))


def why_stale(notice: Notice, form: Form, now: datetime) -> str:
    """Why a notice need not be sent in a form any more, or "". Raises UnknownKind.

    Arguments:
        now: when it would be sent.
    """
    composer = composer_for(notice.kind)
    if _is_timed(composer) and (over := composer.is_over(notice, now)):
        return over
    if form == Form.ANNOUNCEMENT and _is_public(composer):
        return composer.is_current_for_all(notice)
    return composer.is_current(notice)


def latest(notice: Notice) -> datetime | None:
    """When a notice must go out, however much peace its recipient wants; None for no such time. Raises UnknownKind."""
    composer = composer_for(notice.kind)
    return composer.latest(notice) if _is_urgent(composer) else None


def announce(notices: Sequence[Notice], language: str) -> MailMessage | WebhookMessage | None:
    """One announcement for notices of one kind, thread and moment, or None. Raises UnknownKind."""
    composer = composer_for(notices[0].kind)
    if _is_public(composer):
        return composer.compose_for_all(notices, language)
    return composer.compose(notices[0], language, Form.ANNOUNCEMENT)


def has_push(kind: str) -> bool:
    """Whether a kind of notice can be shown on the screen of a device: only what people choose about is."""
    composer = _composers.get(kind)
    return composer is not None and kind in _topics and _fits(composer, PushComposer)


def pushed_topics() -> list[Topic]:
    """The topics of which a device can show something or not, as its owner likes, in their order."""
    pushed = {topic for kind, topic in _topics.items() if topic.is_listed and has_push(kind)}
    return [topic for topic in topics() if topic in pushed]


def push(notice: Notice, language: str) -> PushMessage | None:
    """A notice in a few words for the screen of a device, or None. Raises UnknownKind."""
    composer = composer_for(notice.kind)
    return composer.compose_push(notice, language) if _is_pushed(composer) else None


def has_form(kind: str, form: Form) -> bool:
    """Whether a kind of notice has words in a form. Of an unknown kind there are letters alone."""
    return form in _forms.get(kind, frozenset({Form.LETTER}))
