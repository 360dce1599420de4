"""DuckDB of a node: one instance, a thread for each query, and queries that are ended when their time is over."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import TypeVar

import duckdb
from attrs import define, field, frozen

from footfall.adapters.columns.functions import functions
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.queries import QUERY_SECONDS, ColumnsFailed, Parameters, Reason, Rows
from footfall.adapters.columns.reader.thread_share import THREADS, ThreadShare

Result = TypeVar("Result")

# As many as the slots of the queue, and the one of scheduled askers, on a node with many processors.
MOST_QUERIES = 64
# Queries whose parsed form is kept, of some 80 kB each: parsing takes two milliseconds.
PARSED = 32
_INTERRUPT_SECONDS = 0.05


@frozen(kw_only=True)
class Limits:
    """Limits of the instance, in megabytes, and of a query, in seconds.

    What the limit of memory does not count, such as the threads' stacks and pages that are read, takes some megabytes
    more.
    """

    memory: int = 224
    spill: int = 1024
    query_seconds: float = QUERY_SECONDS


@define
class _Run:
    """A query, and the connection that it can be interrupted at as soon as it has one."""

    text: str
    parameters: Parameters
    expressions: Sequence[str]
    reading: "ReadTransaction | None" = None
    types: Collection[duckdb.StatementType] = (duckdb.StatementType.SELECT,)
    connection: duckdb.DuckDBPyConnection | None = field(default=None, init=False)

    def interrupt(self) -> None:
        connection = self.connection
        if connection is not None:
            # It may have ended in this moment, and is closed then.
            with suppress(duckdb.ConnectionException):
                connection.interrupt()


@define(eq=False)
class ReadTransaction:
    """A connection with an open transaction, whose queries see one state of all tables; of `few_rows` or more."""

    connection: duckdb.DuckDBPyConnection
    few_rows: bool = False

    def end(self) -> None:
        """End the transaction and the connection."""
        with suppress(duckdb.Error):
            self.connection.close()


class Engine:
    """Answers queries about the Parquet files below some directories.

    The instance of DuckDB is made with the first query. It reads nothing outside of the directories. Queries are single
    statements that read, so that they change no setting, and values reach them only as parameters.
    """

    def __init__(self, directory: Path, limits: Limits | None = None, *, also: Sequence[Path] = ()) -> None:
        self._directory = directory.resolve()
        self._also = [directory.resolve() for directory in also]
        self._limits = limits or Limits()
        # The instance is used by several threads, and its settings by one.
        self._queries = ThreadPoolExecutor(max_workers=MOST_QUERIES, thread_name_prefix="query")
        self._settings_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="settings")
        self._instance: duckdb.DuckDBPyConnection | None = None
        self._threads = ThreadShare(self._give_threads)
        self._used_at = monotonic()
        self._instances = 0
        # Values are parameters, so that texts come again.
        self._parsed = lru_cache(PARSED)(self._parse)

    @property
    def instances(self) -> int:
        """How many instances there have been: tables go with theirs."""
        return self._instances

    @property
    def memory_bytes_limit(self) -> int:
        """The limit of the memory of an instance."""
        return self._limits.memory * 1_000_000

    @property
    def directory(self) -> Path:
        """The directory of the files."""
        return self._directory

    @property
    def spill(self) -> Path:
        """The directory for intermediate results that exceed the memory."""
        return FilesLayout(self._directory).spill

    @property
    def is_open(self) -> bool:
        """Whether there is an instance of DuckDB, which holds memory."""
        return self._instance is not None

    @property
    def idle_seconds(self) -> float:
        """How long no query has run."""
        return 0.0 if self._threads.is_used else monotonic() - self._used_at

    async def query(
        self,
        text: str,
        parameters: Parameters,
        expressions: Sequence[str] = (),
        reading: ReadTransaction | None = None,
    ) -> Rows:
        """Return the rows of a query; `expressions` are the regular expressions among the parameters.

        With a `reading` it is asked in its transaction.

        Raises:
            ColumnsFailed: the time is over, a file cannot be read, the memory or the disk does not suffice, or DuckDB
                does not accept an expression.

        """
        return await self._run(_Run(text, parameters, expressions, reading))

    async def keep(
        self,
        text: str,
        parameters: Parameters,
        expressions: Sequence[str] = (),
        reading: ReadTransaction | None = None,
    ) -> int:
        """Keep what a query selects in a table, in the time of a query, and return the number of rows.

        Raises:
            ColumnsFailed: as for `query`; nothing is kept.

        """
        types = (duckdb.StatementType.CREATE, duckdb.StatementType.INSERT)
        [(rows,)] = await self._run(_Run(text, parameters, expressions, reading, types))
        return int(rows)

    async def _run(self, run: _Run) -> Rows:
        await self._open()
        try:
            with self._threads.used(few_rows=run.reading is not None and run.reading.few_rows):
                return await self._finish(run, self._queries.submit(self._fetch, run))
        finally:
            self._used_at = monotonic()

    def working(self, *, few_rows: bool) -> AbstractContextManager[None]:
        """Let some work have its share of the threads; what takes less than to change their number needs none."""
        return self._threads.used(few_rows=few_rows)

    async def work(
        self, change: Callable[[duckdb.DuckDBPyConnection], Result]
    ) -> tuple[ReadTransaction, Result]:
        """Run some statements, of constants alone, in a new connection, and return it with what they return.

        Raises:
            ColumnsFailed: they failed.

        """
        await self._open()
        working = self._queries.submit(self._work, change)
        try:
            return await _whole(working)
        except asyncio.CancelledError:
            if working.exception() is None:
                working.result()[0].end()
            raise

    async def work_in(
        self, reading: ReadTransaction, change: Callable[[duckdb.DuckDBPyConnection], Result]
    ) -> Result:
        """Run some statements, of constants alone, in a connection.

        Raises:
            ColumnsFailed: they failed.

        """
        return await _whole(self._queries.submit(self._work_in, reading, change))

    async def memory_bytes(self) -> int:
        """Return the memory that DuckDB has allocated for data and metadata; 0 without an instance."""
        return await asyncio.wrap_future(self._settings_thread.submit(self._memory))

    async def close(self) -> None:
        """End the instance and all threads."""
        await asyncio.wrap_future(self._settings_thread.submit(self._end))
        self._settings_thread.shutdown()
        self._queries.shutdown()

    async def _open(self) -> None:
        if self._instance is None:
            await asyncio.wrap_future(self._settings_thread.submit(self._begin))

    async def _finish(self, run: _Run, running: "Future[Rows]") -> Rows:
        """Wait for a query, and end it when its time is over or nothing waits for it any more."""
        future = asyncio.wrap_future(running)
        try:
            done, _ = await asyncio.wait([future], timeout=self._limits.query_seconds)
        finally:
            await _interrupted(run, future)
        if not done:
            raise ColumnsFailed(Reason.TIME)
        return future.result()

    def _fetch(self, run: _Run) -> Rows:
        instance = self._instance
        try:
            if instance is None:
                raise ColumnsFailed(Reason.OTHER)
            connection = instance.cursor() if run.reading is None else run.reading.connection
            run.connection = connection
            try:
                statements = self._parsed(run.text)
                if len(statements) != 1 or statements[0].type not in run.types:
                    raise ColumnsFailed(Reason.OTHER, "OtherStatement")
                _check_expressions(connection, run.expressions)
                return connection.execute(statements[0], dict(run.parameters)).fetchall()
            finally:
                run.connection = None
                if run.reading is None:
                    connection.close()
        except (duckdb.Error, OSError) as error:
            raise self._failed(error) from None

    def _parse(self, text: str) -> Sequence[duckdb.Statement]:
        instance = self._instance
        if instance is None:
            raise ColumnsFailed(Reason.OTHER)
        with instance.cursor() as connection:
            return connection.extract_statements(text)

    def _work(self, change: Callable[[duckdb.DuckDBPyConnection], Result]) -> tuple[ReadTransaction, Result]:
        instance = self._instance
        if instance is None:
            raise ColumnsFailed(Reason.OTHER)
        reading = ReadTransaction(instance.cursor())
        try:
            return reading, self._work_in(reading, change)
        except BaseException:
            reading.end()
            raise

    def _work_in(
        self, reading: ReadTransaction, change: Callable[[duckdb.DuckDBPyConnection], Result]
    ) -> Result:
        try:
            return change(reading.connection)
        except (duckdb.Error, OSError) as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> ColumnsFailed:
        if isinstance(error, duckdb.FatalException | duckdb.InternalException):
            # It answers nothing any more; the next query makes another one.
            self._instance = None
        return ColumnsFailed(_reason(error), type(error).__name__)

    def _memory(self) -> int:
        if self._instance is None:
            return 0
        [[memory]] = self._instance.execute(
            "select sum(memory_usage_bytes)::bigint from duckdb_memory()"
        ).fetchall()
        return int(memory)

    def _give_threads(self, threads: int) -> None:
        self._settings_thread.submit(self._set_threads, threads)

    def _set_threads(self, threads: int) -> None:
        if self._instance is not None:
            self._instance.execute(f"set threads = {threads}")

    def _begin(self) -> None:
        try:
            self._instance = self._instance or self._connected()
        except (duckdb.Error, OSError) as error:
            raise ColumnsFailed(_reason(error), type(error).__name__) from None

    def _connected(self) -> duckdb.DuckDBPyConnection:
        self.spill.mkdir(mode=0o700, parents=True, exist_ok=True)
        instance = duckdb.connect(":memory:")
        try:
            for name, value in self._settings.items():
                instance.execute(f"set global {name} = {value}")
            for statements in functions():
                instance.execute(statements)
        except BaseException:
            instance.close()
            raise
        self._instances += 1
        return instance

    @property
    def _settings(self) -> Mapping[str, str]:
        """The settings in the order in which DuckDB takes them."""
        directories = ", ".join(_quoted(f"{directory}/") for directory in (self._directory, *self._also))
        return {
            "allowed_directories": f"[{directories}]",
            "threads": str(self._threads.threads),
            "memory_limit": _quoted(f"{self._limits.memory}MB"),
            "temp_directory": _quoted(str(self.spill)),
            "max_temp_directory_size": _quoted(f"{self._limits.spill}MB"),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "allow_persistent_secrets": "false",
            "python_enable_replacements": "false",
            "TimeZone": "'UTC'",
            "preserve_insertion_order": "false",
            "enable_external_file_cache": "false",
            "parquet_metadata_cache": "true",
            "async_threads": str(THREADS),
            # Threads give a long task back now and then: a change of their number waits for what they are doing.
            "scheduler_process_partial": "true",
            # A transaction sees the state of when it began, and not of its first statement.
            "immediate_transaction_mode": "true",
            "enable_external_access": "false",
        }

    def _end(self) -> None:
        instance, self._instance = self._instance, None
        if instance is not None:
            instance.close()


async def _whole(working: "Future[Result]") -> Result:
    """Wait for what a thread does, also when nothing waits for it any more: it is short, and ends as a whole."""
    future = asyncio.wrap_future(working)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        future.exception()
        raise


async def _interrupted(run: _Run, future: "asyncio.Future[Rows]") -> None:
    # An interruption has no effect before the query has begun: it is repeated until the query has ended.
    while not future.done():
        run.interrupt()
        await asyncio.wait([future], timeout=_INTERRUPT_SECONDS)
    # Read, so that asyncio does not report the failure of a query that was given up.
    future.exception()


def _check_expressions(connection: duckdb.DuckDBPyConnection, expressions: Sequence[str]) -> None:
    for expression in expressions:
        try:
            connection.execute(
                "select regexp_matches('', $expression)", {"expression": expression}
            ).fetchall()
        except duckdb.InvalidInputException as error:
            raise ColumnsFailed(Reason.EXPRESSION, type(error).__name__) from None


def _reason(error: Exception) -> Reason:
    match error:
        case duckdb.OutOfMemoryException():
            # DuckDB names a full disk, and a full directory for intermediate results, in the same way.
            return Reason.MEMORY
        case duckdb.InterruptException():
            return Reason.TIME
        case OSError() | duckdb.IOException() | duckdb.InvalidInputException() | duckdb.BinderException():
            return Reason.FILE
        case _:
            return Reason.OTHER


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
