"""The last use of links, in PostgreSQL."""

from collections.abc import Mapping
from datetime import date

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement


@frozen
class PostgresLinkUses:
    """LinkUses over the table `link_use`."""

    _connections: Connections

    async def record(self, uses: Mapping[tuple[int, str], date]) -> None:
        """Keep, for each link, the later of this day and the stored one."""
        links = sorted(uses)
        await self._connections.run(
            statement("journal/uses/record_link_uses"),
            {
                "site_ids": [site_id for site_id, _ in links],
                "links": [link for _, link in links],
                "used_on": [uses[link] for link in links],
            },
        )

    async def of_site(self, site_id: int) -> dict[str, date]:
        """Return the day of the last use of each link of a site that was used."""
        rows = await self._connections.rows(statement("journal/uses/read_link_uses"), {"site_id": site_id})
        return {row["link"]: row["used_on"] for row in rows}
