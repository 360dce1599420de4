"""The standbys of a server, and where a commit is when the server has acknowledged it."""

import re
from typing import Any

import psycopg
from attrs import frozen
from psycopg.rows import dict_row

from footfall.adapters.postgres.database.sql_files import statement

_ASKED_FOR = re.compile(r"\s*(?:(?:first|any)\s+)?(\d+)\s*\(", re.IGNORECASE)


@frozen(kw_only=True)
class Replication:
    """The standbys that a server has, and those that have to confirm a commit (docs/internals/servers/cluster.md)."""

    server: str
    read_only: bool
    commit: str
    names: str
    visible: bool
    attached: int
    confirming: tuple[str, ...]

    @property
    def needed(self) -> int:
        """The number of standbys that have to confirm each commit."""
        if not self.names.strip():
            return 0
        asked_for = _ASKED_FOR.match(self.names)
        return 1 if asked_for is None else int(asked_for[1])


def read_replication(connection: psycopg.Connection[Any]) -> Replication:
    """Return the standbys of the server to which a connection leads."""
    [row] = connection.cursor(row_factory=dict_row).execute(statement("database/server_check/replication"))
    confirming = tuple(row.pop("confirming"))
    info = connection.info
    server = "this machine" if info.host.startswith("/") else f"{info.host}:{info.port}"
    return Replication(server=server, confirming=confirming, **row)
