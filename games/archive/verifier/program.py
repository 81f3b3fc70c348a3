"""Checks records of games with the rules that lie beside this file.

All that it prints, help and faults included, is in one language: that of --language, of LANG, or English.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

NEEDED = "This program needs Python 3.11 or newer, and msgspec: python3 -m pip install msgspec"
PROGRAM = "caravanserai-verify.pyz"
PASSED, FAILED, UNREADABLE = 0, 1, 2
UNCHECKED = ("record.rules", "record.version", "record.former")  # this program lacks what the record needs


class Sentences:
    """The sentences that the verifier prints, in one language."""

    def __init__(self, language: str) -> None:
        self.language = language or "en"

    def say(self, code: str, **params: object) -> str:
        """Returns a sentence by its code."""
        from engine.core import Text
        from engine.records import checking as sentences

        return sentences.say(Text(code, params), self.language)


class Parser(argparse.ArgumentParser):
    """Reads the arguments; what is wrong with them is said in the language of the rest."""

    said = Sentences("en")

    def error(self, message: str) -> NoReturn:
        """Ends the program with status 2."""
        self.exit(UNREADABLE, f"{self.said.say('verifier.wrong')}\n")


def main(arguments: list[str]) -> int:
    """Says of each record whether it is correct.

    Returns 0 if all are, 1 if one is not, else 2: one can't be read, or not be checked here.
    """
    parser = Parser(prog=PROGRAM, add_help=False)
    parser.add_argument("--language", default=os.environ.get("LANG", "").partition(".")[0])
    parser.said = Sentences(parser.parse_known_args(arguments)[0].language)
    parser.add_argument("records", nargs="*")
    parser.add_argument("--commitment", default="")
    parser.add_argument("--hash", default="")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        sys.stdout.write("".join(f"{line}\n" for line in _help(parser.said)))
        return PASSED
    if not options.records:
        parser.error("")
    statuses = {_verify(name, options, parser.said) for name in options.records}
    return FAILED if FAILED in statuses else max(statuses)


def _help(said: Sentences) -> Iterator[str]:
    from engine.records import checking as sentences

    yield f"{said.say('verifier.usage')} {PROGRAM} [--commitment ...] [--hash ...] [--language ...] RECORD ..."
    yield ""
    yield said.say("verifier.about")
    yield ""
    languages = ", ".join(sentences.languages())
    yield f"  RECORD        {said.say('verifier.record')}"
    yield f"  --commitment  {said.say('verifier.commitment')}"
    yield f"  --hash        {said.say('verifier.hash')}"
    yield f"  --language    {said.say('verifier.language', languages=languages)}"
    yield f"  -h, --help    {said.say('verifier.help')}"


def _verify(name: str, options: argparse.Namespace, said: Sentences) -> int:
    from engine.records import checking, model
    from engine.records.model import Fault

    try:
        data = sys.stdin.buffer.read(model.MOST_BYTES + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        code = "verifier.absent" if isinstance(error, FileNotFoundError) else "verifier.unreadable"
        sys.stderr.write(_printable(f"{name}: {said.say(code)}") + "\n")
        return UNREADABLE
    try:
        record = model.load(data)
        done = checking.check(record)
        if options.commitment.strip().lower() not in ("", record.commitment):
            raise Fault("record.other-commitment")
        if options.hash.strip().lower() not in ("", done.head):
            raise Fault("record.other-head")
    except Fault as fault:
        why = said.say(fault.text.code, **fault.text.params)
        is_unchecked = fault.text.code in UNCHECKED
        verdict = said.say("verifier.unchecked" if is_unchecked else "verifier.failed", why=why)
        sys.stdout.write(_printable(f"{name}: {verdict}") + "\n")
        return UNREADABLE if is_unchecked else FAILED
    rules = {"rules": record.rules, "version": record.rules_version, "seats": len(record.seats)}
    lines = [
        f"{name}: {said.say('verifier.passed')}",
        "  " + said.say("verifier.table", title=record.title, ref=record.ref),
        "  " + said.say("verifier.rules", **rules),
        "  " + said.say("verifier.moves", moves=done.moves),
        "  " + said.say("verifier.seed", commitment=record.commitment),
        "  " + said.say("verifier.head", head=done.head),
    ]
    missing = [f"--{name}" for name in ("commitment", "hash") if not getattr(options, name).strip()]
    if missing:
        lines.append("  " + said.say("record.unproven", missing=", ".join(missing)))
    sys.stdout.write("".join(f"{_printable(line)}\n" for line in lines))
    return PASSED


def _printable(line: str) -> str:
    """Names come from others: nothing in them steers a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in line)


if __name__ == "__main__":
    try:
        import msgspec  # noqa: F401  # said in words here, not in a traceback from deep inside

        assert sys.version_info >= (3, 11)
    except (ImportError, AssertionError):
        sys.exit(NEEDED)
    sys.exit(main(sys.argv[1:]))
