"""The identity of the store of a cell, which each connection that stores something asks for."""

import logging

from attrs import field, frozen
from psycopg import OperationalError

from footfall.adapters.postgres.database.connections import StoreConnection

_log = logging.getLogger(__name__)


class AnotherStore(OperationalError):
    """The store at a place is not that of the cell, or not any more."""


@frozen
class CellIdentity:
    """A cell, and the mark by which the journal knows its store."""

    cell: str
    _mark: str = field(repr=False)

    async def require(self, connection: StoreConnection) -> None:
        """Refuse a connection to another store: a place may have been given the wrong URL, or the cell have moved.

        Raises:
            AnotherStore: it is.

        """
        row = await connection.row("cells/places/reached", cell=self.cell)
        if row is None or row["mark"] != self._mark:
            _log.error("the store at the place of a cell is another one", extra={"cell": self.cell})
            raise AnotherStore("the store at the place of the cell is another one")
