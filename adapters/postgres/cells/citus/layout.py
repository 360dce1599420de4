"""The layout of a store in a cluster of Citus: a distributed schema, whole at one node, its home."""

import re
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import cache
from types import MappingProxyType
from typing import Any, Self

import psycopg
from psycopg import AsyncCursor, errors, sql
from psycopg.abc import Params
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow, scalar_row

from footfall.adapters.postgres.cells.citus.moving import move_to_node
from footfall.adapters.postgres.cells.citus.nodes import (
    ClusterHome,
    at_home,
    at_node,
    connect_to_coordinator,
    find_home,
)
from footfall.adapters.postgres.cells.citus.shards import hide_shards, schema_of_shards, show_shards
from footfall.adapters.postgres.cells.connecting import connected
from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import Layout
from footfall.adapters.postgres.database.migration import Migration, migrate, run_in_store
from footfall.adapters.postgres.database.schemas import in_schema, options_of, schema_of, with_option
from footfall.adapters.postgres.database.sql_files import Assembled, compose, statement

_FOLDER = "cells/citus/schema"
_ROLE = re.compile(r"-c role=\w+ ?")
# Statements that Citus refuses or runs at other nodes, with those that are run instead.
REPLACED: Mapping[str, str] = MappingProxyType(
    {
        "cells/places/size": "cells/citus/replacements/size",
        "intake/admission/make_quotas": "cells/citus/replacements/make_quotas",
        "projections/column_days/mark_column_days": "cells/citus/replacements/mark_column_days",
        "database/tables/create_schema": "cells/citus/replacements/create_copy_schema",
        "database/tables/drop_schema": "cells/citus/replacements/drop_copy_schema",
        "projections/rebuild/replace_table": "cells/citus/replacements/replace_table",
    }
)


class _Cursor(AsyncCursor[DictRow]):
    """Runs replacements, and tells failures by what they mean."""

    # The driver declares one signature for each kind of query.
    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        if isinstance(query, bytes):
            query = _texts().get(query, query)
        elif isinstance(query, Assembled) and query.name in REPLACED:
            query = compose(REPLACED[query.name], **query.pieces)
        try:
            return await super().execute(query, params, **options)
        except errors.InternalError as failure:
            raise LAYOUT.translate(failure) from failure


class CitusLayout(Layout):
    """A store that is made at the coordinator as a plain schema, and distributed then.

    Its URL is that at the coordinator, or that at its home. Connections act as the role that owns the schema.
    """

    # Only the coordinator makes them, and it may be away when one is needed.
    months_ahead = 3
    # Positions of rows are drawn before the trigger that guards their order: its lock comes in this message, too.
    announcement = b"select guard_traffic(); "

    @property
    def move(self) -> Callable[[str, str], Coroutine[Any, Any, None]]:
        """What moves the store to another node of its cluster."""
        return move_to_node

    def url(self, database: str, schema: str) -> str:
        """Return the URL of the store at the coordinator."""
        url = with_option(in_schema(database, schema), "role", schema)
        # Other nodes take the settings of a transaction: else one would refuse an erasure, or wait without a limit.
        url = with_option(url, "citus.propagate_set_commands", "local")
        return with_option(url, "footfall.layout", "citus")

    def login(self, url: str) -> str:
        """Return the URL without the role of the store: its login alone can make that."""
        return make_conninfo(url, options=_ROLE.sub("", options_of(url)))

    def for_reports(self, url: str) -> str:
        """Return the URL by which shards are read as plain tables.

        Where these are not shown, or not any more, its connections find the distributed tables.
        """
        schema = str(schema_of(url))
        return in_schema(url, f"{schema_of_shards(schema)},{schema}")

    async def at_home(self, url: str) -> str:
        """Return the URL at the home, where the sequences of the store have been brought up to date."""
        return await at_home(url)

    def home(self, url: str) -> ClusterHome:
        """Return the home of the store at the coordinator."""
        return ClusterHome(url)

    def create_schema(self, login: psycopg.Connection[Any], schema: str) -> None:
        """Make the schema and the role of its name, at the coordinator.

        The login needs the rights to make roles, and schemas in the database.
        """
        name, database = sql.Identifier(schema), sql.Identifier(login.info.dbname)
        [role] = login.execute(statement(f"{_FOLDER}/role_exists"), {"role": schema}).fetchall()
        if not role["exists"]:
            login.execute(compose(f"{_FOLDER}/create_role", role=name))
        login.execute(compose(f"{_FOLDER}/create_schema", role=name, database=database))

    def begin(self, connection: psycopg.Connection[Any], first_import: int) -> None:
        """Distribute the schema; one that is distributed already stays where it is."""
        cursor = connection.cursor(row_factory=scalar_row).execute(statement(f"{_FOLDER}/is_distributed"))
        if not cursor.fetchone():
            with connection.transaction():
                connection.execute(statement(f"{_FOLDER}/prepare"))
                run_in_store(connection, statement(f"{_FOLDER}/adapt"))
                connection.execute(statement(f"{_FOLDER}/make_partitions"), {"ahead": self.months_ahead})
            connection.execute(statement(f"{_FOLDER}/distribute"))
        else:
            # A newer version has made functions again since.
            run_in_store(connection, statement(f"{_FOLDER}/adapt"))
        connection.execute(statement(f"{_FOLDER}/set_first_import"), {"first": first_import})

    async def migrate(self, url: str) -> list[Migration]:
        """Apply the missing migrations by the coordinator, and adapt the functions that they have made.

        At the home the shards are not shown meanwhile: views of them would keep tables from changing. A store that came
        there is settled later: what it is settled by may be among the missing ones.
        """
        async with await connect(url) as connection:
            with translated():
                node = await find_home(connection)
        async with await connect(at_node(url, node.host, node.port)) as home:
            with translated():
                await hide_shards(home)
            migrations = migrate(url)
            with translated(), connected(url) as coordinator:
                # Also without a missing one: the last command may have been interrupted here.
                run_in_store(coordinator, statement(f"{_FOLDER}/adapt"))
            with translated():
                await show_shards(home)
        return migrations

    def prepare(self, connection: StoreConnection) -> None:
        """Let the connection run replacements."""
        connection.cursor_factory = _Cursor

    def translate(self, failure: psycopg.Error) -> psycopg.Error:
        """Return what a failure without an SQLSTATE means, as other nodes pass on what their triggers refuse.

        It also stands for what cannot be found there any more while the store moves.
        """
        return errors.CannotConnectNow(str(failure)) if isinstance(failure, errors.InternalError) else failure

    @asynccontextmanager
    async def defining(self, connection: StoreConnection) -> AsyncIterator[StoreConnection]:
        """Lend a connection to the coordinator."""
        async with await connect_to_coordinator(connection) as coordinator:
            yield coordinator

    async def is_here(self, connection: StoreConnection) -> bool:
        """Whether the connection is one to the home of the store.

        From another node a slice of a projector takes seconds, in which it keeps those at the home from theirs.
        """
        return bool(await connection.value("cells/citus/nodes/is_here"))

    def reads_directly(self, _schema: sql.Identifier, _stored: sql.Identifier) -> bool:
        """Whether the views of the shards are read: they are not there yet just after a move."""
        return _schema != _stored


LAYOUT = CitusLayout()


@cache
def _texts() -> Mapping[bytes, bytes]:
    return {statement(name): statement(other) for name, other in REPLACED.items()}
