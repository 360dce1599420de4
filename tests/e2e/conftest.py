"""Fixtures for tests of the whole service."""

import tempfile
from pathlib import Path

import pytest

from tests.e2e.service import running
from tests.stores.folders import folder_of_stores


@pytest.fixture
def data_dir():
    """A data directory that is not there yet; its path is short enough for a socket and open to any user."""
    with tempfile.TemporaryDirectory(
        dir=folder_of_stores(), prefix="footfall-e2e-", ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder) / "data"


@pytest.fixture(scope="module")
def service():
    """A service of its own for the tests of a module."""
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-e2e-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data") as service,
    ):
        yield service
