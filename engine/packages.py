"""The packages installed beside the service that offer games (docs/adding-a-game.md). Loads none of them."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "caravanserai.games"


@cache
def offers() -> tuple[EntryPoint, ...]:
    """The entry points: each leads to the rule sets of a game, one for each version. Looked up once in a process."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def folders(name: str) -> list[Path]:
    """The folders of this name in these packages: "templates" and "jinja2" for Django, "rules" for the rules' pages."""
    return [folder for point in offers() if (folder := home_of(point) / name).is_dir()]


def home_of(point: EntryPoint) -> Path:
    """The folder of a package, or the file of a module alone; a path that does not exist for one that is not there."""
    spec = find_spec(point.module.partition(".")[0])
    places = spec.submodule_search_locations if spec else None
    return Path(places[0] if places else (spec and spec.origin) or "/nonexistent")
