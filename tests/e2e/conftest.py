"""A machine on which the service was made ready: its tables and static files take longer to make than to copy."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.launcher.service import Service
from tests.e2e.programs import running_service, surroundings


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, made once in a run by whichever process needs it first; to be copied, not used."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "prepared"
    with (shared / "prepared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = shared / "begun"
            Service(surroundings(begun), report=print).prepare()
            begun.rename(folder)
    return folder


@pytest.fixture
def environment(prepared: Path, tmp_path: Path) -> dict[str, str]:
    """What is set on a machine on which the service was made ready once, and has not run yet."""
    return surroundings(shutil.copytree(prepared, tmp_path / "var"))


@pytest.fixture(scope="module")
def service(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service in processes of its own."""
    with running_service(shutil.copytree(prepared, tmp_path_factory.mktemp("service") / "var")) as made:
        yield made
