"""The last uses of API keys and of links, in memory."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from attrs import define, field


@define
class MemoryKeyUses:
    """KeyUses over a dict."""

    _uses: dict[int, datetime] = field(factory=dict, init=False)

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Store the use of each key unless a later one is stored."""
        for key_id, at in uses.items():
            self._uses[key_id] = max(at, self._uses.get(key_id, at))

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys that was used."""
        return {key_id: self._uses[key_id] for key_id in key_ids if key_id in self._uses}


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
