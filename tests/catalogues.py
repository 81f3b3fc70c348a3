"""The message catalogues: looked up, compiled and checked by `python -m tests.catalogues [--extract] [--compile]`.

With a folder behind the options, those of the game packages below it alone.
"""

import gettext
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("engine", "games", "notifications", "docs/examples")
PACKAGES = ROOT / "docs" / "examples"
XGETTEXT = (
    "xgettext",
    "--language=Python",
    "--from-code=UTF-8",
    "--keyword=_",
    "--keyword=_n:1,2",
    "--no-wrap",
    "--omit-header",
)
MAKEMESSAGES = (
    "makemessages",
    "--all",
    "--no-obsolete",
    "--no-wrap",
    "--add-location=file",  # without line numbers: a moved line changes no catalogue
    *(f"--ignore={folder}" for folder in ("engine", "tests", "var", "docs", "deploy")),
)
LINE = re.compile(r'^(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) )?"(.*)"$')
ESCAPE = re.compile(r"\\(.)")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|(?<!%)%[sd]|\{\w*\}")


@dataclass
class Entry:
    """One message: what is said in English, and in the catalogue's language."""

    context: str = ""
    msgid: str = ""
    plural: str = ""
    said: list[str] = field(default_factory=list)
    is_fuzzy: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What the code looks it up by."""
        return self.context, self.msgid, self.plural

    def fault(self) -> str | None:
        """Why this entry is not fit for readers; None if it is."""
        if self.is_fuzzy:
            return "is fuzzy"
        if not self.said or not all(self.said):
            return "is not translated"
        if any(not self._placeholders_fit(said) for said in self.said):
            return "has other placeholders"
        return None

    def _placeholders_fit(self, said: str) -> bool:
        # The words for one may go without its number, those for many not.
        wanted = [sorted(PLACEHOLDER.findall(english)) for english in (self.msgid, self.plural) if english]
        return sorted(PLACEHOLDER.findall(said)) in wanted


def sources(*folders: Path) -> list[Path]:
    """Every catalogue people translate in; or those below some folders."""
    searched = folders or [ROOT / area for area in AREAS]
    return sorted(path for folder in searched for path in folder.glob("**/locale/*/LC_MESSAGES/*.po"))


def entries(source: Path) -> list[Entry]:
    """The messages of a .po file without its header. Raises ValueError for obsolete ones and lines that are none."""
    found: list[Entry] = []
    for block in re.split(r"\n\s*\n", source.read_text()):
        if "\n#~" in f"\n{block}":
            raise ValueError(f"{source} holds obsolete messages")
        entry = _entry(block)
        if entry.msgid:
            found.append(entry)
    return found


def _entry(block: str) -> Entry:
    parts: dict[str, str] = {}
    keyword = ""
    for line in block.strip().splitlines():
        if line.startswith("#"):
            continue
        match = LINE.match(line)
        if match is None:
            raise ValueError(f"no line of a catalogue: {line}")
        keyword = match[1] or keyword
        parts[keyword] = parts.get(keyword, "") + _unescaped(match[2])
    flags = [line for line in block.splitlines() if line.startswith("#,")]
    return Entry(
        context=parts.get("msgctxt", ""),
        msgid=parts.get("msgid", ""),
        plural=parts.get("msgid_plural", ""),
        said=[text for name, text in sorted(parts.items()) if name.startswith("msgstr")],
        is_fuzzy=any("fuzzy" in line for line in flags),
    )


def _unescaped(text: str) -> str:
    return ESCAPE.sub(lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def find_fault(source: Path) -> str | None:
    """What is wrong between one catalogue and its .mo; None if nothing is."""
    compiled = source.with_suffix(".mo")
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.mo"
        done = subprocess.run(
            ["msgfmt", "--check-format", "-o", str(fresh), str(source)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return done.stderr.strip()
        if not compiled.exists():
            return "was never compiled"
        if _messages(fresh) != _messages(compiled):
            return "was changed after it was compiled"
    return None


def _messages(path: Path) -> dict[object, str]:
    with path.open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    messages: dict[object, str] = dict(vars(catalogue)["_catalog"])
    messages.pop("", None)  # dates and tools
    return messages


def extract(root: Path) -> None:
    """Look up every marked string of the service below `root` and enter it in the catalogues there."""
    done = subprocess.run(
        [sys.executable, "manage.py", *MAKEMESSAGES], cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def extract_package(source: Path) -> None:
    """Look up every sentence that the modules of a game package mark, and enter it in one of its catalogues."""
    package = source.parents[3]
    modules = sorted(str(path.relative_to(package)) for path in package.rglob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "template.pot"
        command = [*XGETTEXT, "--no-location", "-o", str(template), *modules]
        subprocess.run(command, cwd=package, check=True)
        if template.exists():
            merge = ["msgmerge", "--quiet", "--no-wrap", "--no-fuzzy-matching", "--no-location", "--backup=none"]
            subprocess.run([*merge, "--update", str(source), str(template)], check=True)
            kept = ["msgattrib", "--no-obsolete", "--no-wrap", "-o", str(source), str(source)]
            subprocess.run(kept, check=True)


def main(arguments: list[str]) -> int:
    """Check; with --extract look up new strings first, with --compile write every .mo. Returns the exit status."""
    folders = [Path(name).resolve() for name in arguments if not name.startswith("--")]
    if "--extract" in arguments:
        if not folders:
            extract(ROOT)
        for source in sources(*(folders or [PACKAGES])):
            extract_package(source)
    faults = 0
    for source in sources(*folders):
        if "--compile" in arguments:
            subprocess.run(["msgfmt", "-o", str(source.with_suffix(".mo")), str(source)], check=True)
        for fault in _faults(source):
            faults += 1
            print(f"{os.path.relpath(source, ROOT)}: {fault}")
    if faults:
        print("Looked up and compiled by: script/messages")
    return 1 if faults else 0


def _faults(source: Path) -> list[str]:
    found = [f"“{entry.msgid}” {entry.fault()}" for entry in entries(source) if entry.fault()]
    stale = find_fault(source)
    return [*found, stale] if stale else found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
