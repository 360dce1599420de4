"""Connections of commands to the stores of cells."""

from typing import Any

import psycopg
from psycopg.rows import dict_row

CONNECT_SECONDS = 5


def connected(url: str) -> psycopg.Connection[Any]:
    """Return a connection in autocommit mode for a command."""
    return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS, row_factory=dict_row)
