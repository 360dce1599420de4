"""Fixtures for tests of the whole service."""

import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def data_dir():
    """A data directory that is not there yet; its path is short enough for a socket and open to any user."""
    with tempfile.TemporaryDirectory(prefix="footfall-e2e-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "data"
