"""The stand-alone verifier: one file, without Django, that checks the record of a game.

It is made of the sources of `engine/` as they are and of `program.py`. The same sources make the same file to the last
byte: whoever has them can make it himself and compare.
"""

import hashlib
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import engine

NAME = "caravanserai-verify.pyz"
FIRST_LINE = b"#!/usr/bin/env python3\n"
WANTED = {".py", ".json", ".mo"}
LONG_AGO = (1980, 1, 1, 0, 0, 0)


@cache
def bundle() -> bytes:
    """The file: a zip archive that Python runs. Stored, not packed: what packs differs from machine to machine."""
    archive = BytesIO()
    archive.write(FIRST_LINE)
    with ZipFile(archive, "a", ZIP_STORED) as zipped:
        for name, source in sorted(_sources()):
            entry = ZipInfo(name, LONG_AGO)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            zipped.writestr(entry, source.read_bytes())
    return archive.getvalue()


@cache
def digest() -> str:
    """The SHA-256 of the file, in hexadecimal."""
    return hashlib.sha256(bundle()).hexdigest()


def _sources() -> list[tuple[str, Path]]:
    root = Path(engine.__path__[0])
    found = [
        (f"engine/{path.relative_to(root).as_posix()}", path)
        for path in root.rglob("*")
        if path.is_file() and path.suffix in WANTED
    ]
    return [*found, ("__main__.py", Path(__file__).parent / "program.py")]
