"""Verification: the pageviews of a source and of its import, by day and path, side by side."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from attrs import define, field, frozen

from footfall.application.imports.conversion import Conversion
from footfall.application.imports.importing import Advance
from footfall.application.ports.imports import (
    ImportNotFound,
    ImportRecord,
    Imports,
    LeftOut,
    Source,
    SourceRow,
)
from footfall.domain.tracking.hit import HitType
from footfall.domain.tracking.pathname import stored_path


@frozen(kw_only=True)
class PathComparison:
    """The pageviews of a path on a UTC day: in the source, left out of it by reason, and in the store."""

    day: date
    pathname: str
    source: int
    left_out: dict[str, int]
    stored: int

    @property
    def difference(self) -> int:
        """The pageviews that neither are stored nor have a reason; 0 when the import adds up."""
        return self.source - sum(self.left_out.values()) - self.stored


@define
class _Day:
    source: Counter[str] = field(factory=Counter)
    left_out: dict[str, Counter[str]] = field(factory=dict)

    def add(self, pathname: str, reason: str | None) -> None:
        self.source[pathname] += 1
        if reason is not None:
            self.left_out.setdefault(pathname, Counter())[reason] += 1


@frozen(kw_only=True)
class Verification:
    """Reads a source once more, and compares its pageviews with those that its import stored."""

    imports: Imports
    conversion: Conversion

    async def compare(self, site_id: int, source: Source, advance: Advance) -> list[PathComparison]:
        """Return a line for each day and path that either side has.

        Raises:
            ImportNotFound: the source has not been imported into the site.
            UnreadableSource: the source cannot be read.

        """
        record = await self.imports.find(site_id, source)
        if record is None:
            raise ImportNotFound
        days = self._days_of(source, advance)
        stored_days = {key.day for key in await self.imports.ledger(record.import_id) if not key.reason}
        for day in stored_days - {str(day) for day in days}:
            days[date.fromisoformat(day)] = _Day()
        return [line for day in sorted(days) for line in await self._lines(record, day, days[day])]

    def _days_of(self, source: Source, advance: Advance) -> dict[date, _Day]:
        days: dict[date, _Day] = {}
        for piece in source.pieces(None):
            for row in piece.rows:
                if isinstance(row, SourceRow) and row.type is HitType.PAGEVIEW:
                    result = self.conversion.convert(row)
                    reason = str(result) if isinstance(result, LeftOut) else None
                    day = days.setdefault(row.occurred_at.date(), _Day())
                    day.add(stored_path(row.pathname) or "", reason)
            advance(piece.done)
        return days

    async def _lines(self, record: ImportRecord, day: date, read: _Day) -> list[PathComparison]:
        stored = await self.imports.pageviews(record, day)
        return list(_compared(day, read, stored))


def _compared(day: date, read: _Day, stored: dict[str, int]) -> Iterator[PathComparison]:
    for pathname in sorted({*read.source, *stored}):
        yield PathComparison(
            day=day,
            pathname=pathname,
            source=read.source[pathname],
            left_out=dict(read.left_out.get(pathname, {})),
            stored=stored.get(pathname, 0),
        )
