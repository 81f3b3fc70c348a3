"""Are the message catalogues fresh? Every .mo says what its .po says: `python -m tests.catalogues [--compile]`."""

import gettext
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("engine", "games", "notifications")


def sources() -> list[Path]:
    """Every catalogue people translate in."""
    return sorted(path for area in AREAS for path in (ROOT / area).glob("**/locale/*/LC_MESSAGES/*.po"))


def find_fault(source: Path) -> str | None:
    """What is wrong with one catalogue; None if nothing is."""
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


def main(arguments: list[str]) -> int:
    """Check or, with --compile, write every .mo; returns the exit status."""
    faults = 0
    for source in sources():
        if "--compile" in arguments:
            subprocess.run(["msgfmt", "-o", str(source.with_suffix(".mo")), str(source)], check=True)
        fault = find_fault(source)
        if fault:
            faults += 1
            print(f"{source.relative_to(ROOT)}: {fault}. Compile with: python -m tests.catalogues --compile")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
