"""Imports in memory: hits at the end of a list, with the import that brought each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

from attrs import define, evolve, field

from footfall.application.ports.imports import ImportRecord, ImportUnderWay, LedgerKey, NamedSource, Projects
from footfall.application.ports.traffic_log import NO_BOTS
from footfall.domain.bots.refused_bot_counts import RefusedBot, count_apart
from footfall.domain.tracking.hit import Hit, HitType


@define
class MemoryImports:
    """Imports over lists; `hits` are those of all imports, in the order in which they were stored.

    `refused_bots` are counted by the number of their import.
    """

    hits: list[tuple[int, Hit]] = field(factory=list)
    refused_bots: dict[int, Mapping[RefusedBot, int]] = field(factory=dict)
    _records: dict[int, ImportRecord] = field(factory=dict, init=False)
    _ledgers: dict[int, Counter[LedgerKey]] = field(factory=dict, init=False)
    _begun: int = field(default=0, init=False)

    async def find(self, site_id: int, source: NamedSource) -> ImportRecord | None:
        """Return the import of a source into a site; None when it has never begun."""
        named = (site_id, source.format, source.key)
        return next(
            (
                record
                for record in self._records.values()
                if (record.site_id, record.format, record.source_key) == named
            ),
            None,
        )

    async def begin(self, site_id: int, source: NamedSource, *, now: datetime) -> ImportRecord:
        """Return the import of a source into a site, begun or continued."""
        record = await self.find(site_id, source)
        if record is None:
            self._begun += 1
            record = ImportRecord(
                import_id=self._begun,
                site_id=site_id,
                format=source.format,
                source_key=source.key,
                source=source.description,
                state="running",
                started_at=now,
                changed_at=now,
                mark=None,
                steps=0,
            )
        return self._keep(evolve(record, source=source.description, state="running", changed_at=now))

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
        """Store hits, add to the ledger and move the mark."""
        stored = self._records.get(record.import_id)
        if stored is None or (stored.steps, stored.state) not in (
            (record.steps, "running"),
            (record.steps, "stopped"),
        ):
            raise ImportUnderWay
        self.hits += [(record.import_id, hit) for hit in hits]
        self._ledgers.setdefault(record.import_id, Counter()).update(counts)
        of_import = self.refused_bots.get(record.import_id, {})
        self.refused_bots[record.import_id] = count_apart(of_import, bots)
        return self._keep(evolve(stored, mark=mark, steps=stored.steps + 1, state="running", changed_at=now))

    async def complete(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that the source has been read to its end."""
        self._keep(evolve(record, state="complete", changed_at=now))

    async def stop(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that a run has ended before the end of the source."""
        stored = self._records.get(record.import_id)
        if stored is not None and stored.state == "running":
            self._keep(evolve(stored, state="stopped", changed_at=now))

    async def all(self) -> list[ImportRecord]:
        """Return all imports of all sites, by number."""
        return [self._records[number] for number in sorted(self._records)]

    async def ledger(self, import_id: int) -> dict[LedgerKey, int]:
        """Return how many rows were stored or left out."""
        return dict(self._ledgers.get(import_id, {}))

    async def pageviews(self, record: ImportRecord, day: date) -> dict[str, int]:
        """Return the stored pageviews of an import on a UTC day by path; "" stands for none."""
        return Counter(
            hit.pathname or ""
            for import_id, hit in self.hits
            if import_id == record.import_id
            and hit.type is HitType.PAGEVIEW
            and hit.occurred_at.date() == day
        )

    async def undo(self, record: ImportRecord, *, project: Projects, advance: Callable[[int], None]) -> None:
        """Remove the hits of an import, and forget it."""
        while await project():
            continue
        days = {key.day for key in self._ledgers.pop(record.import_id, {}) if not key.reason}
        self.hits = [(import_id, hit) for import_id, hit in self.hits if import_id != record.import_id]
        self.refused_bots.pop(record.import_id, None)
        del self._records[record.import_id]
        advance(len(days))

    def _keep(self, record: ImportRecord) -> ImportRecord:
        self._records[record.import_id] = record
        return record
