"""DuckDB inside of a worker: one instance, one query at a time on the node, ended when its time is over."""

import asyncio
import fcntl
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Any

import duckdb
from attrs import frozen

# What the limit does not count, such as the threads' stacks and pages that are read, takes some megabytes more.
MEMORY_LIMIT = "224MB"
SPILL_LIMIT = "1GB"
THREADS = 2
QUERY_SECONDS = 10.0
WAIT_SECONDS = 2.0
IDLE_SECONDS = 600.0
_POLL_SECONDS = 0.004
_CHECK_SECONDS = 30.0
_INTERRUPT_SECONDS = 0.05
_LOCK = "query.lock"

_log = logging.getLogger(__name__)

Parameters = Mapping[str, Any]
Rows = Sequence[tuple[Any, ...]]


class Reason(StrEnum):
    """Why a report is answered from rows."""

    BUSY = "busy"
    EXPRESSION = "expression"
    FILE = "file"
    MEMORY = "memory"
    NO_FILES = "no_files"
    OTHER = "other"
    SHORT = "short"
    TIME = "time"

    @property
    def is_failure(self) -> bool:
        """Whether something is wrong, other than that rows are the better source."""
        return self not in (Reason.BUSY, Reason.EXPRESSION, Reason.NO_FILES, Reason.SHORT)


class ColumnsFailed(Exception):
    """DuckDB did not answer a query; the text is the name of its error and holds no value."""

    def __init__(self, reason: Reason, error: str = "") -> None:
        super().__init__(error or str(reason))
        self.reason = reason


@frozen(kw_only=True)
class Limits:
    """Limits of a query, and its patience with the queries of other workers; times are in seconds."""

    memory: str = MEMORY_LIMIT
    spill: str = SPILL_LIMIT
    query_seconds: float = QUERY_SECONDS
    wait_seconds: float = WAIT_SECONDS
    idle_seconds: float = IDLE_SECONDS


class Engine:
    """Answers queries about the Parquet files below one directory, in a thread of its own.

    The instance of DuckDB is made with the first query and ended after ten idle minutes. It reads nothing outside of
    the directory. Its settings cannot be changed, and values reach it only as parameters. Only one query runs on a
    node at a time, however many workers there are.
    """

    def __init__(
        self,
        directory: Path,
        limits: Limits | None = None,
        show_memory: Callable[[int], None] = lambda _bytes: None,
    ) -> None:
        self._directory = directory.resolve()
        self._show_memory = show_memory
        self._limits = limits or Limits()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="columns")
        self._instance: duckdb.DuckDBPyConnection | None = None
        self._used_at = monotonic()

    @property
    def spill(self) -> Path:
        """The directory for intermediate results that exceed the memory."""
        return self._directory / "spill"

    @property
    def is_open(self) -> bool:
        """Whether there is an instance of DuckDB, which holds memory."""
        return self._instance is not None

    async def query(self, text: str, parameters: Parameters, expressions: Sequence[str] = ()) -> Rows:
        """Return the rows of a query; `expressions` are the regular expressions among the parameters.

        Raises:
            ColumnsFailed: other queries run for too long, the time is over, a file cannot be read, the memory or the
                disk does not suffice, or DuckDB does not accept an expression.

        """
        async with self._turn():
            try:
                return await self._finish(self._executor.submit(self._fetch, text, parameters, expressions))
            finally:
                self._used_at = monotonic()

    async def run(self) -> None:
        """End the instance whenever it has been idle for long, and show its memory; a background job."""
        while True:
            await asyncio.sleep(min(_CHECK_SECONDS, self._limits.idle_seconds))
            if monotonic() - self._used_at >= self._limits.idle_seconds:
                await self.end_instance()
            self._show_memory(await self.memory_bytes())

    async def memory_bytes(self) -> int:
        """Return the memory that DuckDB has allocated for data and metadata; 0 without an instance."""
        return await asyncio.wrap_future(self._executor.submit(self._memory))

    async def end_instance(self) -> None:
        """End the instance of DuckDB, which gives its memory back; the next query makes another one."""
        await asyncio.wrap_future(self._executor.submit(self._end))

    async def close(self) -> None:
        """End the instance and its thread."""
        await self.end_instance()
        self._executor.shutdown()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait until no other query runs on this node."""
        with _opened(self._directory / _LOCK) as descriptor:
            until = monotonic() + self._limits.wait_seconds
            while not _locked(descriptor):
                if monotonic() > until:
                    raise ColumnsFailed(Reason.BUSY)
                await asyncio.sleep(_POLL_SECONDS)
            try:
                yield
            finally:
                # Released, not only closed: a process that was forked in the meantime has the same lock open.
                fcntl.flock(descriptor, fcntl.LOCK_UN)

    async def _finish(self, running: "Future[Rows]") -> Rows:
        """Wait for a query, and end it when its time is over or nothing waits for it any more."""
        future = asyncio.wrap_future(running)
        try:
            done, _ = await asyncio.wait([future], timeout=self._limits.query_seconds)
        finally:
            await self._interrupted(future)
        if not done:
            raise ColumnsFailed(Reason.TIME)
        return future.result()

    async def _interrupted(self, future: "asyncio.Future[Rows]") -> None:
        # An interruption has no effect before the query has begun: it is repeated until the query has ended.
        while not future.done():
            if self._instance is not None:
                self._instance.interrupt()
            await asyncio.wait([future], timeout=_INTERRUPT_SECONDS)
        # Read, so that asyncio does not report the failure of a query that was given up.
        future.exception()

    def _fetch(self, text: str, parameters: Parameters, expressions: Sequence[str]) -> Rows:
        try:
            instance = self._instance = self._instance or self._connected()
            _check(instance, expressions)
            return instance.execute(text, dict(parameters)).fetchall()
        except (duckdb.Error, OSError) as error:
            if isinstance(error, duckdb.FatalException | duckdb.InternalException):
                self._end()
            raise ColumnsFailed(_reason(error), type(error).__name__) from None

    def _memory(self) -> int:
        if self._instance is None:
            return 0
        [[memory]] = self._instance.execute(
            "select sum(memory_usage_bytes)::bigint from duckdb_memory()"
        ).fetchall()
        return int(memory)

    def _connected(self) -> duckdb.DuckDBPyConnection:
        self.spill.mkdir(mode=0o700, exist_ok=True)
        instance = duckdb.connect(":memory:")
        try:
            for name, value in self._settings.items():
                instance.execute(f"set {name} = {value}")
        except BaseException:
            instance.close()
            raise
        return instance

    @property
    def _settings(self) -> Mapping[str, str]:
        """The settings in the order in which DuckDB takes them: the last one makes all of them final."""
        return {
            "allowed_directories": f"[{_quoted(f'{self._directory}/')}]",
            "threads": str(THREADS),
            "memory_limit": _quoted(self._limits.memory),
            "temp_directory": _quoted(str(self.spill)),
            "max_temp_directory_size": _quoted(self._limits.spill),
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
            "enable_external_access": "false",
            "lock_configuration": "true",
        }

    def _end(self) -> None:
        instance, self._instance = self._instance, None
        if instance is not None:
            instance.close()


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ColumnsFailed(Reason.FILE, type(error).__name__) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _check(instance: duckdb.DuckDBPyConnection, expressions: Sequence[str]) -> None:
    for expression in expressions:
        try:
            instance.execute("select regexp_matches('', $expression)", {"expression": expression}).fetchall()
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
