"""What holds a cell that is to move, in words for an operator."""

from collections.abc import Sequence

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock
from footfall.adapters.postgres.database.connections import connect
from footfall.domain.cells.cell import CellRefused

_NAMES = {
    AdvisoryLock.ERASURE: "the erasure of a site",
    AdvisoryLock.RETENTION: "retention",
    AdvisoryLock.REBUILD: "a rebuild of the projections",
    AdvisoryLock.COLUMNS: "the closing of days",
    AdvisoryLock.UNDO: "the taking back of an import",
    AdvisoryLock.VISITORS: "the erasure of a visitor",
    AdvisoryLock.NOTES: "a writer",
    AdvisoryLock.MOVE: "a writer",
    AdvisoryLock.DEPARTURE: "another move",
}


class CellHeld(CellRefused):
    """Something holds the store of a cell for longer than a move waits."""


# Modes of locks of tables: those in the way of a vacuum, and those that writers and readers for an update have.
OF_VACUUMS = (
    "ShareUpdateExclusiveLock",
    "ShareLock",
    "ShareRowExclusiveLock",
    "ExclusiveLock",
    "AccessExclusiveLock",
)
OF_WRITERS = ("RowShareLock", "RowExclusiveLock", *OF_VACUUMS)


async def held(
    url: str, *locks: AdvisoryLock, modes: Sequence[str] = (), table: str | None = None
) -> CellHeld:
    """Return the refusal of a move that names what holds one of these locks.

    With `modes` it names also what holds such a lock of a table, of any unless one is given.
    """
    async with await connect(url) as connection:
        values = {"numbers": list(locks), "modes": list(modes), "table": table}
        rows = await connection.rows("cells/move/holders", **values)
    names = [
        f"{_NAMES.get(row['number'], 'another connection')} (process {row['pid']} of the server"
        f"{', from ' + row['host'] if row['host'] else ''}, for {row['seconds']} s)"
        for row in rows
    ]
    holders = " and ".join(names) or "something that has just ended"
    return CellHeld(f"the store of the cell is in use by {holders}: try again later")
