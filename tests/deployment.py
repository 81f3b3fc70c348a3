"""What lies in deploy/, read as the programs read it that run it: the image, the compose file, the units."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
INSTANCES = {"web": ("1",), "worker": ("1",), "failed": ("%n",)}
"""What README.md starts of the units whose names end in @."""


def services() -> dict[str, Any]:
    """The compose file's, by name."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return found


def ours() -> dict[str, list[str]]:
    """The commands of those services that run our image: their own, or the image's."""
    return {
        name: service.get("command", image_command())
        for name, service in services().items()
        if service["image"] == "caravanserai"
    }


def image_command() -> list[str]:
    """What the image runs unless it is told otherwise."""
    (words,) = re.findall(r"^CMD \[(.+)\]$", _instructions(), re.MULTILINE)
    return re.findall(r'"([^"]+)"', words)


def unit_commands() -> dict[str, list[str]]:
    """What the units run, by the names under which README.md starts them, such as "worker@play"."""
    found = {}
    for path in UNITS:
        (line,) = re.findall(r"^ExecStart=(.+)$", path.read_text(), re.MULTILINE)
        name = path.stem.removeprefix("caravanserai-")
        instances = INSTANCES[name[:-1]] if name.endswith("@") else ("",)
        for instance in instances:
            words = shlex.split(line.replace("%i", instance).replace("%%", "%"))
            found[name + instance] = [words[0].rsplit("/", 1)[-1], *words[1:]]
    return found


def copied() -> list[tuple[str, str]]:
    """What the image takes from this folder, and where it goes."""
    return re.findall(r"^COPY (?!--)(\S+) (\S+)$", _instructions(), re.MULTILINE)


def lay_out(folder: Path) -> None:
    """Make the folder what /app is in the image: what is not copied there is not there."""
    ignored = shutil.ignore_patterns("__pycache__")
    for source, target in copied():
        if target == "/":
            continue  # of the stage that installs the packages
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=ignored)
        else:
            shutil.copy(ROOT / source, folder / target)


def _instructions() -> str:
    return (DEPLOY / "Dockerfile").read_text().replace("\\\n", "")
