"""The last use of the links of sites, to the day, recorded without delaying requests."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from attrs import define, field

from footfall.application.access.unwritten_uses import Unwritten
from footfall.application.ports.journal import LinkUses

# As many characters of the digest of a key tell all links of a site apart.
HANDLE = 16


@define(eq=False)
class LinkTracker:
    """Notes the day of the last use of each link, and nothing of who used it; it remembers the links of the day."""

    _uses: LinkUses
    _day: date | None = field(default=None, init=False)
    _of_day: set[tuple[int, str]] = field(factory=set, init=False)
    unwritten: Unwritten[tuple[int, str], date] = field(init=False)

    @unwritten.default
    def _none_noted(self) -> Unwritten[tuple[int, str], date]:
        return Unwritten("links", self._uses.record)

    def note(self, site_id: int, digest: str, now: datetime) -> None:
        """Note the use of a link, by the digest of its key; the second one of a day costs no write."""
        day, link = now.astimezone(UTC).date(), (site_id, digest[:HANDLE])
        if self._day != day:
            self._day, self._of_day = day, set()
        if link not in self._of_day:
            self._of_day.add(link)
            self.unwritten.uses[link] = day

    async def of(self, site_id: int, digests: Iterable[str]) -> dict[str, date]:
        """Return the day of the last use, in UTC, by the digest of the key; links that were not used are not in it.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """
        stored, latest = await self._uses.of_site(site_id), {}
        for digest in digests:
            link = (site_id, digest[:HANDLE])
            days = [stored.get(link[1]), self.unwritten.uses.get(link)]
            if self._day is not None and link in self._of_day:
                days.append(self._day)
            if used := [day for day in days if day is not None]:
                latest[digest] = max(used)
        return latest
