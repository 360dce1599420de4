"""The copy of the journal in the store of a cell."""

from attrs import define, field
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.journal.stream_names import category, site_streams
from footfall.application.ports.cells import CellAway

AT_A_TIME = 500
# The kinds of the streams that a site always has.
_KINDS = [category(stream) for stream in site_streams(0)]


@define(eq=False)
class PostgresJournalCopy:
    """JournalCopy over the table `event` of a cell, whose rows keep the positions that they have in the journal.

    The trigger of the journal lets one writer at a time insert, and each piece begins after one that the cell holds: a
    reader of the copy sees no position before one that is still missing.
    """

    _cell: str
    _mark: str
    _journal: Connections
    _store: Connections
    _at_a_time: int = field(default=AT_A_TIME, kw_only=True)
    _reached: int = field(default=-1, init=False)

    @property
    def reached(self) -> int:
        """The position up to which this process knows the copy to be complete."""
        return self._reached

    async def bring(self, up_to: int) -> None:
        """Copy the events up to a position of the journal, each once."""
        # Others copy, too: one worker of each node all the time.
        reached = await self._begin()
        while reached < up_to:
            reached = await self._copy(reached, up_to)
        self._reached = max(self._reached, reached)

    async def _begin(self) -> int:
        row = await self._store.row("cells/places/reached", cell=self._cell)
        if row is None or row["mark"] != self._mark:
            raise CellAway(f"the store at the place of the cell {self._cell} is another one")
        return int(row["reached"])

    async def _copy(self, after: int, up_to: int) -> int:
        """Copy a piece, and return up to where the copy is complete then."""
        rows = await self._journal.rows(
            "cells/journal_copy/read_journal",
            cell=self._cell,
            kinds=_KINDS,
            after=after,
            up_to=up_to,
            limit=self._at_a_time,
        )
        events = [{**row, "recorded_at": row["recorded_at"].isoformat()} for row in rows]
        reached: int = rows[-1]["position"] if len(rows) == self._at_a_time else up_to
        # Most events concern no site of a cell: its journal is not locked for them.
        name = "cells/journal_copy/write_journal" if events else "cells/journal_copy/move_journal"
        await self._store.run(name, cell=self._cell, events=Jsonb(events), reached=reached)
        return reached
