"""The store as of one moment, for a program that dumps it; and whether a store is empty, to be restored to."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from attrs import frozen
from psycopg.rows import dict_row

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import statement

_FOLDER = "maintenance/snapshot"
# Tables whose rows are in no dump: a salt that is destroyed later would be there for good.
SALTS = ("visitor_salt", "visitor_span_salt")


@frozen(kw_only=True)
class ServerSchema:
    """A server and one of its schemas; `version` is the major one."""

    host: str
    port: int
    database: str
    schema: str
    version: int


@frozen(kw_only=True)
class Snapshot:
    """A moment of the store, which other connections can see by its name for as long as it is lent."""

    server: ServerSchema
    name: str
    migration: int
    journal_position: int
    hit_position: int


@contextmanager
def exported_snapshot(url: str) -> Iterator[Snapshot]:
    """Lend the present moment of the store: everything that was acknowledged before is in it.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated():
        connection = psycopg.connect(url, autocommit=True, connect_timeout=10, row_factory=dict_row)
    # Nothing is to be committed, also after the server has ended.
    with closing(connection):
        with translated():
            connection.execute(statement(f"{_FOLDER}/let_idle"))
            connection.execute(statement(f"{_FOLDER}/begin"))
            [row] = connection.execute(statement(f"{_FOLDER}/export")).fetchall()
            snapshot = Snapshot(server=_server(connection, row.pop("schema")), **row)
        yield snapshot


def empty_server(url: str) -> tuple[ServerSchema, bool]:
    """Return the server and the schema of a URL, and whether the schema holds nothing.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated(), psycopg.connect(url, connect_timeout=10, row_factory=dict_row) as connection:
        [row] = connection.execute(statement(f"{_FOLDER}/schema")).fetchall()
        return _server(connection, row["schema"]), row["is_empty"]


async def forget_nodes(connections: Connections) -> None:
    """Forget the nodes of the store that was dumped: they hold files of it, and none of the restored one.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    await connections.run(f"{_FOLDER}/forget_nodes")


async def reserve_sites(connections: Connections, highest: int) -> None:
    """Give no new site a number up to this one: it stands for a deleted one in lists of erasures.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    await connections.run(f"{_FOLDER}/reserve_sites", highest=highest)


def _server(connection: psycopg.Connection[Any], schema: str) -> ServerSchema:
    info = connection.info
    return ServerSchema(
        host=info.host,
        port=info.port,
        database=info.dbname,
        schema=schema,
        version=info.server_version // 10_000,
    )
