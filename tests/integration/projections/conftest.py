"""The time that reports may take."""

import pytest

from footfall.adapters.postgres.reports import snapshot


@pytest.fixture
def limit_reports(monkeypatch):
    """Let reports take as long as a text for PostgreSQL says from a call on."""
    return lambda limit: monkeypatch.setattr(snapshot, "_LIMIT", limit)
