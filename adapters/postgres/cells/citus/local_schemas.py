"""Schemas that are at one node of a cluster alone: the second set of a rebuild, and views of the shards of a cell.

Reports read the shards at the home of their cell as plain tables. Through Citus each statement would be planned twice,
and one that joins temporary tables would send them to the node over another connection.
"""

from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.schemas import as_login, schema_of, schema_of_shards
from footfall.adapters.postgres.database.sql_files import compose, statement

# All views are made in one transaction, so that one of them stands for all.
_ONE_SHOWN = "cell_home"


async def make_local_schema(connection: AsyncConnection[DictRow], schema: str) -> None:
    """Make a schema at this node alone, which the role of the connection owns, unless it is there.

    Raises:
        StoreUnavailable: the node does not answer, or the login may not make schemas.

    """
    async with await connect(as_login(url_of(connection))) as login, login.transaction():
        await login.execute(statement("cells/citus/keep_to_node"))
        pieces = {"schema": sql.Identifier(schema), "role": sql.Identifier(_schema_of(connection))}
        await login.execute(compose("cells/citus/create_local_schema", **pieces))


async def drop_local_schema(connection: AsyncConnection[DictRow], schema: str) -> None:
    """Drop a schema that is at this node alone, with its tables."""
    async with connection.transaction():
        await connection.execute(statement("cells/citus/keep_to_node"))
        await connection.execute(compose("cells/citus/drop_local_schema", schema=sql.Identifier(schema)))


async def show_shards(connection: AsyncConnection[DictRow]) -> None:
    """Show the shards of the store at its home, by views that have the names of its tables.

    It is left out where they are shown, or just being shown, and during a migration. A shard that leaves the node takes
    its view with it: its readers find the distributed table then.

    Raises:
        StoreUnavailable: the node does not answer, or the login may not make schemas.

    """
    schema = _schema_of(connection)
    shards = schema_of_shards(schema)
    values = {"view": f"{shards}.{_ONE_SHOWN}"}
    [found] = await (await connection.execute(statement("cells/citus/are_shown"), values)).fetchall()
    if found["shown"]:
        return
    pieces = {"schema": sql.Literal(schema), "shards": sql.Identifier(shards)}
    async with connection.transaction():
        await connection.execute(statement("cells/citus/keep_to_node"))
        [locked] = await (await connection.execute(statement("cells/citus/try_lock_shards"))).fetchall()
        if locked["acquired"]:
            await make_local_schema(connection, shards)
            await connection.execute(compose("cells/citus/show_shards", **pieces))


async def hide_shards(connection: AsyncConnection[DictRow]) -> None:
    """Drop the views of the shards, which would keep migrations from changing tables.

    No other connection shows them until this one is closed.
    """
    await connection.execute(statement("cells/citus/lock_shards"))
    await drop_local_schema(connection, schema_of_shards(_schema_of(connection)))


def url_of(connection: AsyncConnection[DictRow]) -> str:
    """Return the URL by which a connection was made."""
    info = connection.info
    return make_conninfo(info.dsn, password=info.password) if info.password else info.dsn


def _schema_of(connection: AsyncConnection[DictRow]) -> str:
    return str(schema_of(url_of(connection)))
