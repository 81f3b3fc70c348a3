"""What a run came to, for the person at the screen."""

from collections import Counter
from collections.abc import Collection, Iterator

from games.lab.play_by_mail import audit
from games.lab.play_by_mail.ledger import TrialGame
from games.lab.play_by_mail.trial import Trial


def figures(trial: Trial, facts: TrialGame | None) -> Iterator[str]:
    """The lines of the report. Without `facts` (no access to the database) it is what people saw themselves."""
    record = trial.record
    if facts is not None:
        yield f"Winner: {' and '.join(facts.winners)} ({facts.ending})"
        sources = Counter(move.source for move in facts.moves)
        parts = ", ".join(f"{number} by {source}" for source, number in sources.most_common())
        yield f"Moves: {len(facts.moves)} ({parts})"
        extensions = ", ".join(f"{number} {reason}" for reason, number in facts.extensions.items() if number) or "none"
        yield f"Auto-passes: {audit.passes(facts)}; extensions: {extensions}; back after an absence: {record.returns}"
        yield f"Answers of people by kind: {_by_kind(facts, audit.PERSONAL)}"
        if any(move.source == "bot" for move in facts.moves):
            yield f"Answers of bots by kind: {_by_kind(facts, {'bot'})}"
        kinds = Counter(mail.kind for mail in facts.mails if mail.state == "accepted")
        yield f"Mails of the game: {', '.join(f'{number} {kind}' for kind, number in kinds.most_common())}"
    mails = ", ".join(f"{person.name} {person.letters}" for person in trial.people)
    yield f"Mails read: {len(record.letters)} ({mails})"
    yield (
        f"Answers: {record.answers}; let pass: {len(record.missed)}; too late: {len(record.late)}; "
        f"refused by the rules and corrected: {record.refusals}"
    )
    tried = ", ".join(f"{number} {trick}" for trick, number in sorted(record.mischief.items())) or "nothing"
    yield f"Tried in vain: {tried}"
    if record.unasked:
        yield f"Done unasked: {record.unasked}"
    pages = sum(person.browser.requests for person in trial.people)
    per_answer = trial.seconds / max(1, record.answers)
    yield f"Seconds: {trial.seconds:.0f} ({per_answer:.2f} for each answer), pages asked for: {pages}"


def _by_kind(facts: TrialGame, sources: Collection[str]) -> str:
    """How often each kind of answer was given: in a game with cards how often each card was played."""
    kinds = Counter(move.answer for move in facts.moves if move.answer and move.source in sources)
    return ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()) or "none"
