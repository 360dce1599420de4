"""The last use of links, in memory."""

from collections.abc import Mapping
from datetime import date

from attrs import define, field


@define
class MemoryLinkUses:
    """LinkUses over a dict."""

    _uses: dict[tuple[int, str], date] = field(factory=dict, init=False)

    async def record(self, uses: Mapping[tuple[int, str], date]) -> None:
        """Keep, for each link, the later of this day and the stored one."""
        for link, day in uses.items():
            self._uses[link] = max(day, self._uses.get(link, day))

    async def of_site(self, site_id: int) -> dict[str, date]:
        """Return the day of the last use of each link of a site that was used."""
        return {link: day for (site, link), day in self._uses.items() if site == site_id}
