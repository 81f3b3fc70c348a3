"""Checks records of games: the commitment, the drawing of the seats, every shuffle, every move and the result.

Every move is played again by the rules that lie beside this file. What a record cannot prove by itself is that it is
the record of *your* game: for that, compare the commitment with the one in the mail that told you of the start, and the
last hash with the one that the table shows, or give them as --commitment and --hash.
"""

import argparse
import os
import sys
from pathlib import Path

NEEDED = "This program needs Python 3.11 or newer, and msgspec: python3 -m pip install msgspec"


def main(arguments: list[str]) -> int:
    """Says of each record whether all fits. Returns 0 if it does, 1 if not, 2 if one cannot be read."""
    parser = argparse.ArgumentParser(prog="caravanserai-verify.pyz", description=__doc__)
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record of a game; - for standard input")
    parser.add_argument("--commitment", default="", help="the one that you have from the start of the game")
    parser.add_argument("--hash", default="", help="the hash of the last move, as the table shows it")
    language = os.environ.get("LANG", "").partition(".")[0]
    parser.add_argument("--language", default=language, help="of what is said about a fault: en, es")
    options = parser.parse_args(arguments)
    return max(_verify(name, options) for name in options.records)


def _verify(name: str, options: argparse.Namespace) -> int:
    from engine.core import Text
    from engine.records import checking, model
    from engine.records import sentences as words
    from engine.records.replaying import Fault

    try:
        data = sys.stdin.buffer.read(model.MOST_BYTES + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        sys.stderr.write(f"{name}: {error.strerror}\n")
        return 2
    try:
        record = model.load(data)
        done = checking.check(record)
        if options.commitment.strip().lower() not in ("", record.commitment):
            raise Fault("record.other-commitment")
        if options.hash.strip().lower() not in ("", done.head):
            raise Fault("record.other-head")
    except Fault as fault:
        said = words.say(fault.text, options.language or "en")
        sys.stdout.write(_printable(f"{name}: it does not fit. {said}") + "\n")
        return 1
    lines = [
        f"{name}: all fits.",
        f"  table       {record.title} ({record.ref})",
        f"  rules       {record.rules}, version {record.rules_version}, {len(record.seats)} seats",
        f"  moves       {done.moves}, each played again from the seed to the same board, events and hash",
        f"  commitment  {record.commitment}",
        f"  last hash   {done.head}",
    ]
    missing = [f"--{name}" for name in ("commitment", "hash") if not getattr(options, name).strip()]
    if missing:
        unproven = Text("record.unproven", {"missing": ", ".join(missing)})
        lines.append(f"  {words.say(unproven, options.language or 'en')}")
    sys.stdout.write("".join(f"{_printable(line)}\n" for line in lines))
    return 0


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
