"""The last use of API keys, in PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from footfall.adapters.postgres.connections import Connections

# In the order of the keys, so that two workers that write the same ones never wait for each other in a circle.
_RECORD = """
    insert into key_use (key_id, used_at)
    select * from unnest(%s::bigint[], %s::timestamptz[])
    on conflict (key_id) do update set used_at = excluded.used_at where key_use.used_at < excluded.used_at
"""
_READ = "select key_id, used_at from key_use where key_id = any(%s::bigint[])"


class PostgresKeyUses:
    """KeyUses over the table `key_use`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Keep the later one, for each key, of this use and the one that is known."""
        key_ids = sorted(uses)
        async with self._connections.connection() as connection:
            await connection.execute(_RECORD, (key_ids, [uses[key_id] for key_id in key_ids]))

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys that was used."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(_READ, (list(key_ids),))
            return {row["key_id"]: row["used_at"] for row in await cursor.fetchall()}
