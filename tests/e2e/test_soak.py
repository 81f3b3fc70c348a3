"""A small soak, with MARATHON=1: see docs/reliability.md for longer ones."""

import subprocess
import sys

import pytest

from config.launcher.children import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.long, pytest.mark.redis, pytest.mark.marathon]
SEED = "53873"  # draws few kinds of faults, and all from which the rare states come
SMALL = ["--notices", "60", "--faults", "0", "--tables", "4", "--guests", "24", "--silent", "3", "--frozen", "4.5"]
SMALL += ["--rate", "6", "--trouble", "4"]


def test_nothing_is_lost_in_a_storm_and_a_healed_core_does_all_that_is_due_while_the_rest_stays_broken():
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", "--seed", SEED, *SMALL],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "lost 0," in done.stdout and "every promise held" in done.stdout and "UNTESTED" not in done.stdout
