"""Runs `manage.py simulate` in a process and a place of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]


def simulate(place: Path, *arguments: str) -> Any:
    """The command's report as an object; a broken promise fails the test and says the seed."""
    command = [sys.executable, "manage.py", "simulate", *arguments, "--jobs", "2", "--json"]
    environment = {**os.environ, "DATABASE_URL": "", "VAR_DIR": str(place)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
