"""Imports of all cells: each is where its site is, and their numbers differ from cell to cell."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from attrs import frozen

from footfall.application.ports.imports import (
    ImportNotFound,
    ImportRecord,
    Imports,
    LedgerKey,
    NamedSource,
    Projects,
)
from footfall.application.ports.traffic_log import NO_BOTS
from footfall.domain.bots.refused import RefusedBot
from footfall.domain.tracking.hit import Hit


@frozen
class CellImports:
    """Imports over those of all stores."""

    _stores: Sequence[Imports]
    _of: Callable[[int], Imports]

    async def find(self, site_id: int, source: NamedSource) -> ImportRecord | None:
        """Return the import of a source into a site; None when it has never begun."""
        return await self._of(site_id).find(site_id, source)

    async def begin(self, site_id: int, source: NamedSource, *, now: datetime) -> ImportRecord:
        """Return the import of a source into a site, begun or continued."""
        return await self._of(site_id).begin(site_id, source, now=now)

    async def store(
        self,
        record: ImportRecord,
        hits: Sequence[Hit],
        *,
        mark: str,
        counts: Mapping[LedgerKey, int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        now: datetime,
    ) -> ImportRecord:
        """Store hits, add to the ledger and move the mark, all or nothing; return the import as it is then."""
        return await self._of(record.site_id).store(
            record, hits, mark=mark, counts=counts, bots=bots, now=now
        )

    async def complete(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that the source has been read to its end."""
        await self._of(record.site_id).complete(record, now=now)

    async def stop(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that a run has ended before the end of the source; the next one goes on."""
        await self._of(record.site_id).stop(record, now=now)

    async def all(self) -> list[ImportRecord]:
        """Return all imports of all sites, by number."""
        records = [record for store in self._stores for record in await store.all()]
        return sorted(records, key=lambda record: record.import_id)

    async def ledger(self, import_id: int) -> dict[LedgerKey, int]:
        """Return how many rows were stored or left out."""
        for record in await self.all():
            if record.import_id == import_id:
                return await self._of(record.site_id).ledger(import_id)
        raise ImportNotFound

    async def pageviews(self, record: ImportRecord, day: date) -> dict[str, int]:
        """Return the stored pageviews of an import on a UTC day by path; "" stands for none."""
        return await self._of(record.site_id).pageviews(record, day)

    async def undo(self, record: ImportRecord, *, project: Projects, advance: Callable[[int], None]) -> None:
        """Remove the hits of an import, count what they were part of again, and forget the import."""
        await self._of(record.site_id).undo(record, project=project, advance=advance)
