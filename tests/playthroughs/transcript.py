"""Writes a game of each rule set and number of seats as text: every answer, event and change of every view.

Regenerate all of them with `python -m tests.playthroughs.transcript`, and read what changed before keeping it.
A line that begins with seat numbers in brackets is what these viewers saw ("-" is a spectator).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.core import Choice, Question
from engine.registry import AnyRules, newest
from tests.engine.playing import Step, one_step, seed_of

FOLDER = Path(__file__).parent
NUMBER = 10  # the seeds of the games; chosen for short ones
BASIC = {"version": "basic"}  # of the rules that have versions
APART = ("questions", "asked")  # shown in a line of their own


def tables() -> Iterator[tuple[AnyRules, int]]:
    """Every rule set with every number of seats."""
    for rules in newest():
        for seats in rules.seat_counts:
            yield rules, seats


def path_of(rules: AnyRules, seats: int) -> Path:
    """Where the transcript is kept."""
    return FOLDER / f"{rules.name}-{seats}.txt"


def transcript(rules: AnyRules, seats: int) -> Iterator[str]:
    """The lines of one game played at random, but eager to do what can be done, so that it is short."""
    options = {name: value for name, value in BASIC.items() if name in {option.name for option in rules.options}}
    state, events = rules.new(seats, options, seed_of(NUMBER + seats))
    yield f"{rules.name} version {rules.version}, {seats} seats, seed {seed_of(NUMBER + seats)}"
    yield from played_on(rules, seats, state, events, Random(NUMBER + seats))


def played_on(rules: AnyRules, seats: int, state: Any, events: list[Any], random: Random) -> Iterator[str]:
    """The lines of a game from any state on, after the events that led there; `random` answers for every seat."""
    viewers = (None, *range(seats))
    seen: dict[int | None, dict[str, str]] = {viewer: {} for viewer in viewers}
    yield from _events(rules, events, viewers)
    yield from _changes(rules, state, seen)
    while rules.outcome(state) is None:
        step = one_step(rules, state, random, eager=True)
        yield from told(rules, seats, step)
        yield from _changes(rules, step.after, seen)
        state = step.after


def told(rules: AnyRules, seats: int, step: Step) -> Iterator[str]:
    """What was done, and what each viewer saw happen."""
    if step.decision is None:
        yield "advance"
    else:
        yield f"{step.decision.id} seat {step.decision.seat}: {_action(rules, step.action)}"
    yield from _events(rules, step.events, (None, *range(seats)))


def _events(rules: AnyRules, events: list[Any], viewers: tuple[int | None, ...]) -> Iterator[str]:
    for event in events:
        shown = {viewer: _short(msgspec.to_builtins(rules.redact(event, viewer))) for viewer in viewers}
        yield from _grouped(shown, len(viewers))


def _changes(rules: AnyRules, state: Any, seen: dict[int | None, dict[str, str]]) -> Iterator[str]:
    """What is new in each view, said once for all who see the same."""
    now = {viewer: _flat(msgspec.to_builtins(rules.view(state, viewer))) for viewer in seen}
    paths = dict.fromkeys(path for view in now.values() for path in view)
    for path in paths:
        changed = {
            viewer: f"  {path} = {view[path]}"
            for viewer, view in now.items()
            if path in view and seen[viewer].get(path) != view[path]
        }
        yield from _grouped(changed, len(seen))
    yield from _gone(now, seen)
    for viewer, view in now.items():
        seen[viewer] = {path: text for path, text in seen[viewer].items() if path.startswith("?")} | view
        for question in rules.questions(rules.view(state, viewer)):
            yield from _asked(question, seen[viewer])


def _gone(now: Mapping[int | None, dict[str, str]], seen: Mapping[int | None, dict[str, str]]) -> Iterator[str]:
    """Single entries that are no longer there; a row that is empty has been shown as empty."""
    shown = {
        viewer: " ".join(
            path
            for path in seen[viewer]
            if path[0] != "?" and not {path, f"{path}.0"} & view.keys() and view.get(path.rpartition(".")[0]) != "[]"
        )
        for viewer, view in now.items()
    }
    yield from _grouped({viewer: f"  gone: {paths}" for viewer, paths in shown.items() if paths}, len(now))


def _grouped(shown: Mapping[int | None, str], everybody: int) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for viewer, text in shown.items():
        groups.setdefault(text, []).append("-" if viewer is None else str(viewer))
    for text, group in groups.items():
        yield text if len(group) == everybody else f"[{' '.join(group)}] {text}"


def _flat(view: dict[str, Any]) -> dict[str, str]:
    """The view as lines: one for each field, and for each entry of a field that has names or places in a row."""
    lines: dict[str, str] = {}
    for name, value in view.items():
        if name == "agenda":
            lines[name] = _json(value[-1:])
        elif name not in APART:
            lines |= _flat_value(name, value)
    return lines


def _flat_value(path: str, value: Any) -> dict[str, str]:
    if isinstance(value, dict) and not all(isinstance(entry, int | str | bool | None) for entry in value.values()):
        entries = list(value.items())
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        entries = [(str(index), entry) for index, entry in enumerate(value)]
    else:
        return {path: _short(value)}
    lines: dict[str, str] = {}
    for key, entry in entries:
        lines |= _flat_value(f"{path}.{key}", entry)
    return lines


def _short(value: Any) -> str:
    """JSON without its quotes; of a thing with named parts only the parts, in their order."""
    if isinstance(value, dict):
        return " ".join(f"{key}:{_short(entry)}" for key, entry in value.items())
    return _json(value).replace('"', "")


def _asked(question: Question, seen: dict[str, str]) -> Iterator[str]:
    """The open question, with the values of those fields that have changed since the seat was last asked for them."""
    shown = []
    for form in question.actions:
        fields = {f"?{form.type}.{field.name}": _field(field) for field in form.fields}
        new = [text for key, text in fields.items() if seen.get(key) != text]
        seen |= fields
        shown.append(" ".join([form.type, *new]))
    mark = "" if question.decision.prompted else " (unasked)"
    yield f"  asks {question.decision.seat} {question.decision.id}{mark}: {' | '.join(shown)}"


def _field(field: Any) -> str:
    if isinstance(field, Choice):
        return f"{field.name}=({','.join(str(option.value) for option in field.options)})"
    options = ",".join(f"{option.value}<={option.limit}" for option in field.options)
    return f"{field.name}={field.total}of({options})"


def _action(rules: AnyRules, action: Any) -> str:
    return _short(msgspec.json.decode(rules.dump_action(action)))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def main() -> None:
    """Writes all transcripts anew."""
    for rules, seats in tables():
        path_of(rules, seats).write_text("".join(f"{line}\n" for line in transcript(rules, seats)))


if __name__ == "__main__":
    main()
