"""The run of an import: pieces of a source are converted, stored with their mark, and counted in the ledger."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from attrs import define, field, frozen

from footfall.application.imports.conversion import Conversion
from footfall.application.ports.imports import (
    ImportRecord,
    Imports,
    ImportUnderWay,
    LedgerKey,
    LeftOut,
    LeftOutRow,
    Piece,
    Source,
    SourceRow,
    UnreadableRow,
    UnreadableSource,
)
from footfall.application.ports.system import Clock
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.hit import Hit

# Faults that a run remembers to be shown.
SHOWN_FAULTS = 10

Advance = Callable[[int], None]
Result = TypeVar("Result")


@define
class Outcome:
    """The result of one run or several: its ledger, the first unreadable rows, and the number of stored rows."""

    counts: Counter[LedgerKey] = field(factory=Counter)
    faults: list[UnreadableRow] = field(factory=list)
    import_id: int | None = None

    @property
    def read(self) -> int:
        """The number of rows that were read."""
        return self.counts.total()

    @property
    def stored(self) -> int:
        """The number of rows that were stored, or would be."""
        return sum(rows for key, rows in self.counts.items() if not key.reason)

    def add(self, converted: "_Converted") -> None:
        """Count the rows of a piece."""
        self.counts.update(converted.counts)
        self.faults += converted.faults[: SHOWN_FAULTS - len(self.faults)]


@frozen
class _Converted:
    hits: list[Hit]
    counts: Counter[LedgerKey]
    bots: Counter[RefusedBot]
    faults: list[UnreadableRow]


@frozen(kw_only=True)
class Importing:
    """Imports a source into a site, from where its last import ended."""

    imports: Imports
    conversion: Conversion
    clock: Clock
    skip_unreadable: bool = False

    async def run(
        self, site_id: int, source: Source, advance: Advance, outcome: Outcome | None = None
    ) -> Outcome:
        """Store the rows that have not been read yet; each piece is stored with its mark, or not at all.

        What is stored is added to `outcome`, also by a run that fails later.

        Raises:
            ImportUnderWay: another process imports the same source, or takes the import back.
            UnreadableSource: the source cannot be read, or has an unreadable row, and these are not skipped.

        """
        record = await self.imports.begin(site_id, source, now=self.clock.now())
        outcome = outcome or Outcome()
        outcome.import_id = record.import_id
        try:
            record = await self._stored(record, source, outcome, advance)
        except ImportUnderWay:
            raise
        except BaseException:
            await self.imports.stop(record, now=self.clock.now())
            raise
        await self.imports.complete(record, now=self.clock.now())
        return outcome

    async def _stored(
        self, record: ImportRecord, source: Source, outcome: Outcome, advance: Advance
    ) -> ImportRecord:
        pieces = source.pieces(record.mark)
        read = await asyncio.to_thread(self._next, pieces)
        while read is not None:
            piece, converted = read
            # The store writes one piece while the next one is read and converted.
            stored, following = await asyncio.gather(
                self._store(record, piece, converted),
                asyncio.to_thread(self._next, pieces),
                return_exceptions=True,
            )
            record = _result_of(stored)
            outcome.add(converted)
            advance(piece.done)
            read = _result_of(following)
        return record

    async def dry_run(self, site_id: int, source: Source, advance: Advance) -> Outcome:
        """Return what `run` would do, without storing anything; unreadable rows are counted.

        Raises:
            UnreadableSource: the source cannot be read.

        """
        record = await self.imports.find(site_id, source)
        outcome = Outcome(import_id=None if record is None else record.import_id)
        for piece in source.pieces(None if record is None else record.mark):
            outcome.add(self._converted(piece, skip=True))
            advance(piece.done)
        return outcome

    def _next(self, pieces: Iterator[Piece]) -> tuple[Piece, _Converted] | None:
        """Return the next piece with its hits; None behind the last one."""
        piece = next(pieces, None)
        return None if piece is None else (piece, self._converted(piece))

    async def _store(self, record: ImportRecord, piece: Piece, converted: _Converted) -> ImportRecord:
        return await self.imports.store(
            record,
            converted.hits,
            mark=piece.mark,
            counts=converted.counts,
            bots=converted.bots,
            now=self.clock.now(),
        )

    def _converted(self, piece: Piece, *, skip: bool = False) -> _Converted:
        converted = convert(self.conversion, piece.rows)
        if converted.faults and not (skip or self.skip_unreadable):
            first = converted.faults[0]
            raise UnreadableSource(
                f"{first.place}: {first.fault}; --skip-unreadable counts such rows and goes on"
            )
        return converted


def _result_of(result: Result | BaseException) -> Result:
    if isinstance(result, BaseException):
        raise result
    return result


def convert(conversion: Conversion, rows: Sequence[SourceRow | LeftOutRow | UnreadableRow]) -> _Converted:
    """Return the hits of rows, what they count in the ledger, and the unreadable ones."""
    hits: list[Hit] = []
    bots: Counter[RefusedBot] = Counter()
    faults: list[UnreadableRow] = []
    keys: Counter[tuple[object, str, str]] = Counter()
    for row in rows:
        if isinstance(row, SourceRow):
            result = conversion.convert(row)
            if isinstance(result, LeftOut):
                keys[row.occurred_at.date(), row.type, result] += 1
                if result is LeftOut.BOT:
                    bots[conversion.refused_bot(row)] += 1
            else:
                hits.append(result)
                keys[row.occurred_at.date(), row.type, ""] += 1
        elif isinstance(row, LeftOutRow):
            keys[row.occurred_at.date(), row.type, row.reason] += 1
        else:
            faults.append(row)
            keys["", "", LeftOut.UNREADABLE] += 1
    counts = Counter(
        {LedgerKey(str(day), str(kind), str(reason)): number for (day, kind, reason), number in keys.items()}
    )
    return _Converted(hits, counts, bots, faults)
