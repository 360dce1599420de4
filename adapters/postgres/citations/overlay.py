"""The connection of the past: the tables that reports read, as they were at the positions of a question.

Each statement of a report gets queries of the same names in front of it (`sql/overlay`), which PostgreSQL folds into
the statement as it does with views. Nothing is created, so that nothing is left to drop.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen
from psycopg import AsyncCursor, sql
from psycopg.abc import Params, Query
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose

# The tables that have a past. Sums of counted days have none: days that changed are not among the counted ones.
TABLES = (
    "session",
    "hit",
    "traffic_bucket",
    "conversion",
    "conversion_bucket",
    "conversion_day",
    "day_summary_state",
    "column_change",
    "error_occurrence",
    "error_sighting",
    "error_message",
    "event",
)

_WORD = re.compile(rb"[a-z_]+")
# The comments before a statement that reads, and whether it has queries of its own in front.
_READS = re.compile(rb"(?:\s|--[^\n]*\n)*(?:(?P<with>with)|select)\b")


@frozen
class Overlay:
    """The queries that stand for tables, by the names of these."""

    queries: Mapping[bytes, bytes]

    @classmethod
    def of(cls, connection: StoreConnection, pieces: Mapping[str, sql.Composable]) -> "Overlay":
        """Return the queries for some positions."""
        return cls(
            {
                name.encode(): compose(f"citations/overlay/{name}", **pieces).as_bytes(connection)
                for name in TABLES
            }
        )

    def over(self, text: bytes) -> bytes:
        """Return a statement that reads the past; statements that read nothing stay as they are."""
        words = set(_WORD.findall(text))
        named = [name for name in self.queries if name in words]
        reads = _READS.match(text)
        if not named or reads is None:
            return text
        parts = (b"%s as not materialized (\n%s\n)" % (name, self.queries[name]) for name in named)
        rest = b",\n" + text[reads.end() :] if reads["with"] else b"\n" + text
        return b"with " + b",\n".join(parts) + rest


PRESENT = Overlay(MappingProxyType({}))


class PastConnection(StoreConnection):
    """A connection whose statements read the past, as soon as it has an overlay."""

    overlay = PRESENT
    # Of the tables that it reads.
    schema = sql.Identifier("public")

    async def execute(
        self,
        query: Query,
        params: Params | None = None,
        *,
        prepare: bool | None = None,
        binary: bool = False,
    ) -> AsyncCursor[DictRow]:
        """Execute a statement, over the past if it reads."""
        # All statements of the service are files, as bytes, or composed of files.
        assert isinstance(query, bytes | sql.Composable)  # noqa: S101 - see above
        text = query if isinstance(query, bytes) else query.as_bytes(self)
        return await super().execute(self.overlay.over(text), params, prepare=prepare, binary=binary)
