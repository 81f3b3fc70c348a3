"""A small soak: the real one takes an hour and is `python -m tests.soak`."""

import subprocess
import sys

import pytest

from config.launcher.children import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long, pytest.mark.redis]
SMALL = ["--notices", "140", "--kills", "6", "--flushes", "2", "--tables", "8", "--calm", "0", "--rate", "5"]
SMALL += ["--freezes", "1", "--frozen", "5", "--crashes", "1", "--silent", "2"]


def test_nothing_is_lost_while_workers_are_killed_and_redis_is_flushed():
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", *SMALL], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "lost 0," in done.stdout and "every promise held" in done.stdout
    assert "'worker': 2" in done.stdout and "'flush': 2" in done.stdout
