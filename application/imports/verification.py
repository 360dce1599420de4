"""Verification: the pageviews of a source and of its import, by day and path, side by side."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date

from attrs import define, field, frozen

from footfall.application.imports.conversion import Conversion
from footfall.application.imports.importing import Advance
from footfall.application.ports.imports import (
    ImportNotFound,
    ImportRecord,
    Imports,
    LedgerKey,
    LeftOut,
    LeftOutRow,
    Source,
    SourceRow,
    UnreadableRow,
)
from footfall.domain.exceptions import existing
from footfall.domain.paths.pathname import stored_path
from footfall.domain.tracking.hit import HitType


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


@frozen
class Comparison:
    """Both sides of an import, a line a day and path, and the rows by day and type that the source has gained since.

    The day of a row that cannot be read is empty, and so is its type.
    """

    lines: list[PathComparison]
    not_imported: Counter[tuple[str, str]]


@define
class _DayOfSource:
    """The pageviews of a day: all and by today's reasons, by path, and those that the source itself leaves out."""

    source: Counter[str] = field(factory=Counter)
    reasons: Counter[tuple[str, str]] = field(factory=Counter)
    apart: Counter[str] = field(factory=Counter)

    def add(self, pathname: str, reason: str | None) -> None:
        self.source[pathname] += 1
        if reason is not None:
            self.reasons[pathname, reason] += 1


@define
class _Booking:
    """Shares out the reasons of a day's ledger among its paths: settings, and with them today's, may have changed."""

    _booked: Counter[str]
    _missing: Counter[str]
    left_out: dict[str, Counter[str]] = field(factory=dict, init=False)

    def share_out(self, reasons: Counter[tuple[str, str]]) -> None:
        """Book what is missing by today's reasons, then by any; then today's of rows that are stored all the same."""
        # Retention has erased since what the ledger calls stored.
        erased = sum(rows for (_, reason), rows in reasons.items() if reason == LeftOut.OLD)
        self._booked[LeftOut.OLD] = max(self._booked[LeftOut.OLD], erased)
        for (pathname, reason), rows in sorted(reasons.items()):
            self._book(pathname, reason, min(rows, self._missing[pathname]))
        for pathname in sorted(self._missing):
            for reason in sorted(self._booked):
                self._book(pathname, reason, self._missing[pathname])
        for (pathname, reason), rows in sorted(reasons.items()):
            if reason != LeftOut.OLD:
                self._book(pathname, reason, rows - self.left_out.get(pathname, Counter())[reason])

    def _book(self, pathname: str, reason: str, most: int) -> None:
        rows = min(most, self._booked[reason])
        if rows > 0:
            self._booked[reason] -= rows
            self._missing[pathname] -= rows
            self.left_out.setdefault(pathname, Counter())[str(reason)] += rows


@frozen(kw_only=True)
class Verification:
    """Reads a source once more, and compares its pageviews with those that were stored.

    See docs/track/imports/README.md.
    """

    imports: Imports
    conversion: Conversion

    async def compare(self, site_id: int, source: Source, advance: Advance) -> Comparison:
        """Compare what the import has read with what it stored; rows behind it are counted apart.

        Raises:
            ImportNotFound: the source has not been imported into the site.
            UnreadableSource: the source cannot be read.

        """
        record = existing(await self.imports.find(site_id, source), ImportNotFound)
        days, not_imported = self._read(source, record.mark, advance)
        ledger = await self.imports.ledger(record.import_id)
        stored_days = {key.day for key in ledger if not key.reason}
        for day in stored_days - {str(day) for day in days}:
            days[date.fromisoformat(day)] = _DayOfSource()
        lines = [line for day in sorted(days) for line in await self._lines(record, day, days[day], ledger)]
        return Comparison(lines, not_imported)

    def _read(
        self, source: Source, mark: str | None, advance: Advance
    ) -> tuple[dict[date, _DayOfSource], Counter[tuple[str, str]]]:
        """Return the pageviews of the source up to a mark by day, and how many rows are behind it."""
        days: dict[date, _DayOfSource] = {}
        not_imported: Counter[tuple[str, str]] = Counter()
        for halves in source.halves(mark):
            for row in halves.known:
                if isinstance(row, SourceRow) and row.type is HitType.PAGEVIEW:
                    result = self.conversion.convert(row)
                    reason = str(result) if isinstance(result, LeftOut) else None
                    day = days.setdefault(row.occurred_at.date(), _DayOfSource())
                    day.add(stored_path(row.pathname) or "", reason)
                elif isinstance(row, LeftOutRow) and row.type == HitType.PAGEVIEW:
                    days.setdefault(row.occurred_at.date(), _DayOfSource()).apart[row.reason] += 1
            not_imported.update(map(_day_and_type, halves.new))
            advance(halves.done)
        return days, not_imported

    async def _lines(
        self, record: ImportRecord, day: date, read: _DayOfSource, ledger: Mapping[LedgerKey, int]
    ) -> list[PathComparison]:
        booked = Counter(
            {
                key.reason: rows
                for key, rows in ledger.items()
                if (key.day, key.type) == (str(day), HitType.PAGEVIEW) and key.reason
            }
        )
        return list(_compared(day, read, await self.imports.pageviews(record, day), booked - read.apart))


def _day_and_type(row: SourceRow | LeftOutRow | UnreadableRow) -> tuple[str, str]:
    return ("", "") if isinstance(row, UnreadableRow) else (str(row.occurred_at.date()), str(row.type))


def _compared(
    day: date, read: _DayOfSource, stored: dict[str, int], booked: Counter[str]
) -> Iterator[PathComparison]:
    missing = Counter({pathname: rows - stored.get(pathname, 0) for pathname, rows in read.source.items()})
    booking = _Booking(booked, missing)
    booking.share_out(read.reasons)
    for pathname in sorted({*read.source, *stored}):
        yield PathComparison(
            day=day,
            pathname=pathname,
            source=read.source[pathname],
            left_out=dict(booking.left_out.get(pathname, {})),
            stored=stored.get(pathname, 0),
        )
