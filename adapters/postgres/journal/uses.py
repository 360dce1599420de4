"""The last uses of API keys and of links, in PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections


@frozen
class PostgresKeyUses:
    """KeyUses over the table `key_use`."""

    _connections: Connections

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Keep, for each key, the later of this use and the stored one."""
        key_ids = sorted(uses)
        await self._connections.run(
            "journal/uses/record_key_uses", key_ids=key_ids, used_at=[uses[key_id] for key_id in key_ids]
        )

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys that was used."""
        rows = await self._connections.rows("journal/uses/read_key_uses", key_ids=list(key_ids))
        return {row["key_id"]: row["used_at"] for row in rows}


@frozen
class PostgresLinkUses:
    """LinkUses over the table `link_use`."""

    _connections: Connections

    async def record(self, uses: Mapping[tuple[int, str], date]) -> None:
        """Keep, for each link, the later of this day and the stored one."""
        links = sorted(uses)
        await self._connections.run(
            "journal/uses/record_link_uses",
            site_ids=[site_id for site_id, _ in links],
            links=[link for _, link in links],
            used_on=[uses[link] for link in links],
        )

    async def of_site(self, site_id: int) -> dict[str, date]:
        """Return the day of the last use of each link of a site that was used."""
        rows = await self._connections.rows("journal/uses/read_link_uses", site_id=site_id)
        return {row["link"]: row["used_on"] for row in rows}
