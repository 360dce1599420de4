"""A PostgreSQL of our own: the default store, run below the data directory, reached by a Unix socket only."""

from footfall.adapters.embedded.errors import DataDirectoryInUse, EmbeddedPostgresError
from footfall.adapters.embedded.serve_lock import ServeLock
from footfall.adapters.embedded.server import EmbeddedPostgres

__all__ = ["DataDirectoryInUse", "EmbeddedPostgres", "EmbeddedPostgresError", "ServeLock"]
