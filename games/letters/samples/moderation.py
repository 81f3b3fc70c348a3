"""Samples of what moderators do and answer."""

from games.letters.samples.game import KIND, LEFT, RUDE, WRONG, Sample, SampleGame, create_moderator
from games.letters.samples.tables import closed
from games.moderation import people, reports, tables
from notifications.models import Notice


def _cancelled(made: SampleGame) -> list[Notice]:
    made.play()
    moderator = create_moderator()
    tables.cancel(game=made.game, by=moderator, reason=LEFT, now=made.now)
    return closed(made)


def _moderated(made: SampleGame) -> list[Notice]:
    moderator = create_moderator()
    people.warn(user=made.ben, by=moderator, reason=KIND, now=made.now)
    return [made.notice("moderated", made.ben.moderation.get().subject)]


def _reported(made: SampleGame) -> list[Notice]:
    row = reports.file_report(game=made.game, by=made.users[0], text=RUDE, now=made.now)
    return [made.notice("reported", f"report:{row.ref}")]


def _report_settled(made: SampleGame) -> list[Notice]:
    moderator = create_moderator()
    row = reports.file_report(game=made.game, by=made.ben, text=RUDE, now=made.now)
    reports.settle_report(report=row, by=moderator, outcome="acted", reason=KIND, now=made.now)
    return [made.notice("report_settled", f"report:{row.ref}")]


def _appeal_received(made: SampleGame) -> list[Notice]:
    _moderated(made)
    row = reports.appeal(entry=made.ben.moderation.get(), text=WRONG, now=made.now)
    return [made.notice("appeal_received", f"report:{row.ref}")]


SAMPLES: dict[str, Sample] = {
    "cancelled": _cancelled,  # closed in the middle of its game
    "moderated": _moderated,
    "reported": _reported,
    "report_settled": _report_settled,
    "appeal_received": _appeal_received,
}
