"""Keys of private links that the journal holds as they are, in PostgreSQL."""

from collections.abc import Callable

from attrs import frozen
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.session import allow_erasing
from footfall.adapters.postgres.database.sql_files import statement


@frozen
class PostgresPlainLinks:
    """PlainLinks over the table `event`: the content of the events is replaced, all else of them stays."""

    _connections: Connections

    async def replace(self, replacement: Callable[[str], dict[str, str]]) -> int:
        """Replace each key by what is kept of it, and return the number of events."""
        async with self._connections.connection() as connection, connection.transaction():
            rows = await (await connection.execute(statement("journal/plain_links/plain_links"))).fetchall()
            if rows:
                await allow_erasing(connection)
            for row in rows:
                values = {"position": row["position"], "data": Jsonb(replacement(row["key"]))}
                await connection.execute(statement("journal/plain_links/replace_plain_link"), values)
        return len(rows)
