"""The stand-alone verifier: one file, without Django, that checks the record of a game.

It is made of the sources of `engine/` as they are and of `program.py`; for a game of a package, of the package as well.
The same sources make the same file to the last byte: whoever has them can make it himself and compare.
"""

import hashlib
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import engine
from engine.packages import GROUP, home_of, offers
from engine.registry import INSTALLED

FIRST_LINE = b"#!/usr/bin/env python3\n"
WANTED = {".py", ".json", ".mo"}
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def package_of(rules_name: str) -> str:
    """The entry point of the package that offers a game; "" for a game of ours."""
    offered = (point for point, games in INSTALLED.items() if any(rules.name == rules_name for rules in games))
    return next(offered, "")


def name_of(package: str = "") -> str:
    """The name of the file."""
    return f"caravanserai-verify{f'-{package}' if package else ''}.pyz"


@cache
def bundle(package: str = "") -> bytes:
    """The file: a zip archive that Python runs. Stored, not packed: what packs differs from machine to machine.

    Arguments:
        package: the entry point of the package whose rules it also has.
    """
    archive = BytesIO()
    archive.write(FIRST_LINE)
    sources = {name: path.read_bytes() for name, path in _sources()} | (_packaged(package) if package else {})
    with ZipFile(archive, "a", ZIP_STORED) as zipped:
        for name, source in sorted(sources.items()):
            entry = ZipInfo(name, LONG_AGO)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            zipped.writestr(entry, source)
    return archive.getvalue()


@cache
def digest(package: str = "") -> str:
    """The SHA-256 of the file, in hexadecimal."""
    return hashlib.sha256(bundle(package)).hexdigest()


def _sources() -> list[tuple[str, Path]]:
    root = Path(engine.__path__[0])
    sources = [
        (f"engine/{path.relative_to(root).as_posix()}", path)
        for path in root.rglob("*")
        if path.is_file() and path.suffix in WANTED
    ]
    return [*sources, ("__main__.py", Path(__file__).parent / "program.py")]


def _packaged(package: str) -> dict[str, bytes]:
    """The files of a package, and the entry point by which the registry finds it in the archive as well."""
    point = next(point for point in offers() if point.name == package)
    home = home_of(point)
    paths = [home] if home.is_file() else [path for path in home.rglob("*") if path.is_file()]
    files = {path.relative_to(home.parent).as_posix(): path.read_bytes() for path in paths if path.suffix != ".pyc"}
    about = f"{package.replace('-', '_')}-0.dist-info"
    return files | {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 0\n".encode(),
        f"{about}/entry_points.txt": f"[{GROUP}]\n{package} = {point.value}\n".encode(),
    }
