"""The store of a cell on Citus, emptied for each test: to make one takes seconds."""

import asyncio
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor

import psycopg
from attrs import define, field
from psycopg import sql

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.layout import layout_of
from tests.servers.citus import Cluster

CELL = "west"
_TABLES = """
    select relname
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'schema_migration'
    order by exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'f') desc, relname
"""
_MONTHS = "select inhrelid::regclass::text from pg_inherits where inhparent = 'hit'::regclass"
_SEQUENCES = "select sequencename, start_value from pg_sequences where schemaname = current_schema()"


def place_in(cluster: Cluster) -> str:
    """Return the place of cells in a cluster, as FOOTFALL_CELLS has it."""
    return f"citus+{cluster.url}"


def make_cell(cluster: Cluster, name: str, number: int = 1) -> str:
    """Make the store of a cell, and return its URL at the coordinator."""
    url = url_of_cell(name, place_in(cluster))
    claim(url, name, f"mark of {name}", number)
    return url


def home_of(url: str) -> str:
    """Return the URL of a store at the node that holds it, also while an event loop runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, layout_of(url).at_home(url)).result()


@define
class EmptiedStore:
    """A store that can be given back the rows that it had when it was new; `url` is that of its home node."""

    at_coordinator: str
    url: str = field(init=False)
    _rows: Mapping[str, bytes] = field(init=False)
    _months: AbstractSet[str] = field(init=False)

    @url.default
    def _find(self) -> str:
        return home_of(self.at_coordinator)

    @_rows.default
    def _read(self) -> Mapping[str, bytes]:
        with psycopg.connect(self.url) as connection:
            return {name: _copied(connection, name) for (name,) in connection.execute(_TABLES).fetchall()}

    @_months.default
    def _list_months(self) -> AbstractSet[str]:
        with psycopg.connect(self.at_coordinator) as connection:
            return {month for (month,) in connection.execute(_MONTHS)}

    def empty(self) -> None:
        """Forget everything that a test has put there; the cell may have moved in the meantime."""
        with psycopg.connect(self.at_coordinator, autocommit=True) as connection:
            for month in self._list_months() - self._months:
                connection.execute(sql.SQL("drop table {}").format(sql.Identifier(month)))
        self.url = home_of(self.at_coordinator)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("set footfall.erasing = 'on'")
            for name, rows in self._rows.items():
                connection.execute(sql.SQL("delete from {}").format(sql.Identifier(name)))
                if rows:
                    _put(connection, name, rows)
            for name, start in connection.execute(_SEQUENCES).fetchall():
                connection.execute("select setval(%s, %s, false)", (name, start))
        # What was put back names the first home: positions go on at this one.
        home_of(self.at_coordinator)


def _copied(connection: psycopg.Connection, table: str) -> bytes:
    copying = sql.SQL("copy (select * from {}) to stdout").format(sql.Identifier(table))
    with connection.cursor().copy(copying) as rows:
        return b"".join(map(bytes, rows))


def _put(connection: psycopg.Connection, table: str, rows: bytes) -> None:
    with connection.cursor().copy(sql.SQL("copy {} from stdin").format(sql.Identifier(table))) as copied:
        copied.write(rows)
