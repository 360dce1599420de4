"""The sign that a cell leaves at a place from which it has moved."""

from attrs import field, frozen

from footfall.adapters.postgres.database.connections import Connections, StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.application.ports.cells import MovedTo
from footfall.application.ports.journal import StoreUnavailable


@frozen
class PostgresMoveSigns:
    """MoveSigns over the store at the place of a cell.

    The connections of the pool have known the store before it moved; a new one of its own is made where there is none.
    """

    _connections: Connections
    _url: str = field(repr=False)
    _mark: str = field(repr=False)

    async def read(self) -> MovedTo | None:
        """Return where the cell is now; None when it has not moved."""
        try:
            async with self._connections.connection() as connection:
                return await read_sign(connection, self._mark)
        except StoreUnavailable:
            async with await connect(self._url) as connection:
                with translated():
                    return await read_sign(connection, self._mark)


async def read_sign(connection: StoreConnection, mark: str) -> MovedTo | None:
    """Return where the cell whose store had this mark is now; None when it has not moved."""
    if not await connection.value("cells/move/is_moved"):
        return None
    row = await connection.row("cells/move/read_sign", mark=mark)
    return None if row is None else MovedTo(row["place"], row["mark"])
