"""Clients that generators make of the OpenAPI description play a game against a real service."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from config.launcher.service import Service
from tests.e2e.programs import ROOT, tokens_of

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long]
CLIENTS = ROOT / "tests" / "clients"
GENERATOR = Path(sys.executable).parent / "openapi-python-client"
COMPILE = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node"]


@pytest.fixture
def description(service: Service, tmp_path: Path) -> Path:
    """The description as the service gives it."""
    path = tmp_path / "schema.json"
    with urllib.request.urlopen(f"{service.url}/api/schema/?format=json") as answer:  # noqa: S310  # ours
        path.write_bytes(answer.read())
    return path


def run(command: list[str | Path], folder: Path) -> str:
    """What a program says that ends well."""
    environment = {"PATH": f"{GENERATOR.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_client_in_python_lacks_nothing_and_plays_a_game(service: Service, description: Path, tmp_path: Path) -> None:
    said = run([GENERATOR, "generate", "--path", description, "--meta", "none", "--output-path", "caravanserai_client",
                "--fail-on-warning"], tmp_path)  # fmt: skip
    assert "WARNING" not in said, said
    operations = [one for methods in json.loads(description.read_text())["paths"].values() for one in methods.values()]
    made = [path for path in (tmp_path / "caravanserai_client" / "api").rglob("*.py") if path.stem != "__init__"]
    assert len(made) == len(operations)
    shutil.copy(CLIENTS / "play.py", tmp_path)
    (token,) = tokens_of(service, "Pia")
    assert run([sys.executable, "play.py", service.url, token], tmp_path).strip() == "complete"


def test_a_client_in_typescript_fits_its_types_and_plays_a_game(
    service: Service, npm_packages: Path, description: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(npm_packages)
    shutil.copy(CLIENTS / "play.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run(
        [
            npm_packages / ".bin" / "openapi-typescript",
            description,
            "-o",
            "schema.d.ts",
            "--default-non-nullable",
            "false",
        ],
        tmp_path,
    )
    run([npm_packages / ".bin" / "tsc", *COMPILE, "play.ts"], tmp_path)
    (token,) = tokens_of(service, "Tomas")
    assert run(["node", "play.js", service.url, token], tmp_path).strip() == "complete"
