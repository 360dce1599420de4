"""Fresh rows that are kept: of each site in use the sessions that no file holds, as they were when last asked for."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import duckdb
from attrs import define, evolve, field, frozen

from footfall.adapters.columns.layout import FilesLayout, delete
from footfall.adapters.columns.queries import (
    ColumnsFailed,
    Copy,
    LeftOutSessions,
    Reason,
    SiteQuestion,
    unwritten,
)
from footfall.adapters.columns.reader.engine import Engine, ReadTransaction
from footfall.adapters.columns.reader.fresh_tables import EARLIER, FreshTables
from footfall.adapters.columns.reader.kept_rows import KeptRows
from footfall.adapters.columns.reader.left_out import MOST, LeftOutIds, drop_all
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports.fresh_rows import FORMER, Wanted

# A site that is not asked about for as long keeps no rows.
IDLE_SECONDS = 600.0
# Of the memory for queries, counted as CSV of the store: a row takes nearly twice as much in a table.
SHARE = 5 / 12
# Replaced rows of a table that is no larger are left in it; one thread reads it alone.
FEW_BYTES = 4_000_000
_PRIVATE = FreshTables("private")

Change = Callable[[duckdb.DuckDBPyConnection], Any]


@frozen
class Look:
    """A reading, the tables that it sees, and the question whose state it sees."""

    reading: ReadTransaction
    tables: FreshTables
    question: SiteQuestion
    left_out: LeftOutIds | None = None

    def complete(self, text: str, files: Sequence[ColumnFiles], *, leaving_out: bool = False) -> str:
        """Return a query in which the rows of the reading and of some files stand for `session` and `hit`.

        Raises:
            ColumnsFailed: it is to leave out sessions, and the question leaves out none.

        """
        if leaving_out and self.left_out is None:
            raise ColumnsFailed(Reason.OTHER, "NothingLeftOut")
        return self.tables.complete(text, files, self.question, self.left_out if leaving_out else None)


@define(eq=False)
class FreshSets:
    """Keeps the rows of sites, each in tables of its own, and brings them to the state that a question names.

    A question whose snapshot is older than the rows that are kept gets rows of its own, and one about the past gets
    those of sessions that were others then.
    """

    _engine: Engine
    _share: float = field(default=SHARE, kw_only=True)
    _kept: dict[int, KeptRows] = field(factory=dict, init=False)
    _instance: int = field(default=0, init=False)
    # The ends of the turns that have begun.
    _turns: set[asyncio.Event] = field(factory=set, init=False)
    # Where rows are being brought to.
    _lent: set[Path] = field(factory=set, init=False)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Let those that forget rows wait for a turn; its snapshots are taken after it has begun."""
        ended = asyncio.Event()
        self._turns.add(ended)
        try:
            yield
        finally:
            self._turns.remove(ended)
            ended.set()

    async def look(self, question: SiteQuestion, copy: Copy) -> Look:
        """Return a reading that sees the state of a question.

        Raises:
            ColumnsFailed: the rows do not fit into the memory, or cannot be read.
            StoreUnavailable: the store does not bring them.

        """
        look = await self._begin(question, copy)
        try:
            if look.tables is _PRIVATE:
                agree = not question.epoch.startswith(FORMER)
                await self._bring_into(look.reading, _PRIVATE, Wanted(), copy, agree=agree)
            if question.earlier is not None:
                await self._bring_into(look.reading, EARLIER, Wanted(earlier=True), copy, agree=True)
            if question.left_out is not None:
                await self._leave_out_fresh(look, question.left_out)
        except BaseException:
            look.reading.end()
            raise
        return look

    async def _begin(self, question: SiteQuestion, copy: Copy) -> Look:
        """Begin a reading of the rows that are kept, or of rows of its own that are still to be brought."""
        while True:
            kept = await self._of(question)
            async with kept.lock:
                # Rows that could not be brought to another turn are gone.
                if self._kept.get(question.site_id) is not kept or not kept.can_become(question):
                    continue
                is_behind = question.position < kept.position
                if not is_behind:
                    await self._advance(kept, question, copy)
                left_out = await self._left_out(kept, question)
                look = await self._look(_PRIVATE if is_behind else kept.tables, question, left_out)
                look.reading.few_rows = kept.bytes <= FEW_BYTES and not any(question.days.values())
                return look

    async def forget(self, site_id: int) -> None:
        """Remove the rows of a site as they were before the call.

        The turns that have begun are waited for: they have snapshots of before, and would bring the rows again. One
        that is given up has to be repeated.

        Raises:
            ColumnsFailed: they cannot be removed.
            OSError: what was brought for turns that have ended cannot be removed.

        """
        for ended in [*self._turns]:
            await ended.wait()
        if site_id in self._kept:
            await self._remove(self._kept[site_id], site_id)
        await asyncio.to_thread(self._clear_brought)

    async def _remove(self, kept: KeptRows, site_id: int) -> None:
        """Remove rows as soon as they are not being changed, also when nothing waits for it any more."""
        await asyncio.shield(self._remove_unused(kept, site_id))

    async def _remove_unused(self, kept: KeptRows, site_id: int) -> None:
        async with kept.lock:
            if self._kept.get(site_id) is kept:
                await self._drop(kept, site_id)

    def _clear_brought(self) -> None:
        # What is lent is listed last, so that nothing is removed that a turn needs.
        fresh = FilesLayout(self._engine.directory).fresh
        found = [*fresh.iterdir()] if fresh.is_dir() else []
        for directory in found:
            if directory not in self._lent:
                delete(directory)

    async def _of(self, question: SiteQuestion) -> KeptRows:
        while True:
            if self._instance != self._engine.instances:
                self._kept.clear()
                self._instance = self._engine.instances
            kept = self._kept.get(question.site_id)
            if kept is None:
                kept = KeptRows(FreshTables(f"fresh_{uuid4().hex}"), question.epoch)
                self._kept[question.site_id] = kept
            if kept.can_become(question):
                return kept
            await self._remove(kept, question.site_id)

    async def _advance(self, kept: KeptRows, question: SiteQuestion, copy: Copy) -> None:
        try:
            wanted = kept.wanted(question)
            if wanted is not None:
                await self._bring(kept, wanted, copy)
        except BaseException:
            await self._drop(kept, question.site_id)
            raise
        kept.take(question)
        if kept.replaced > max(FEW_BYTES, kept.bytes // 2):
            await self._run(kept.tables.compact)
            kept.bytes, kept.replaced = kept.bytes - kept.replaced, 0

    async def _bring(self, kept: KeptRows, wanted: Wanted, copy: Copy) -> None:
        async with self._brought(wanted, copy) as directory:
            size = _size(directory)
            await self._make_room(size, kept)
            change = kept.tables.add if kept.bytes else kept.tables.begin
            with self._engine.working(few_rows=size <= FEW_BYTES):
                await self._run(lambda connection: change(connection, directory, agree=kept.agrees))
            if kept.bytes:
                kept.replaced += size
            else:
                self._instance = self._engine.instances
            kept.bytes += size

    async def _make_room(self, size: int, wanted: KeptRows) -> None:
        """Let the rows go that were asked for longest ago, and those that have not been asked for lately.

        Raises:
            ColumnsFailed: they do not fit into the memory at all.

        """
        limit = self._limit
        if size + wanted.bytes > limit:
            raise ColumnsFailed(Reason.FRESH_ROWS)
        others = sorted(
            (kept for kept in self._kept.items() if kept[1] is not wanted), key=lambda kept: kept[1].used_at
        )
        total = size + wanted.all_bytes + sum(kept.all_bytes for _, kept in others)
        for site_id, kept in others:
            is_idle = kept.used_at < monotonic() - IDLE_SECONDS
            if (total > limit or is_idle) and not kept.lock.locked():
                total -= kept.all_bytes
                await self._remove(kept, site_id)

    @property
    def _limit(self) -> int:
        """The memory that fresh rows may take."""
        return int(self._engine.memory_bytes_limit * self._share)

    async def _left_out(self, kept: KeptRows, question: SiteQuestion) -> LeftOutIds | None:
        """Return the ids of the sessions in files that the question leaves out; those of new files are looked for.

        Raises:
            ColumnsFailed: they cannot be looked for, or do not fit into the memory.

        """
        asked = question.left_out
        if asked is None:
            return None
        ids = next((left_out for left_out in kept.left_out if left_out.rules == asked), None)
        if ids is None or await asyncio.to_thread(ids.is_outdated):
            ids = LeftOutIds(asked)
        others = [left_out for left_out in kept.left_out if left_out.rules != asked][1 - MOST :]
        await self._keep_left_out(kept, [*others, ids])
        missing = ids.missing(asked.files)
        try:
            for file in missing:
                await self._look_through(kept, ids, file)
        except BaseException:
            await self._keep_left_out(kept, [left_out for left_out in kept.left_out if left_out is not ids])
            raise
        if missing:
            await self._make_room(0, kept)
        return ids

    async def _keep_left_out(self, kept: KeptRows, left_out: Sequence[LeftOutIds]) -> None:
        """Keep some tables of ids, and remove all others."""
        gone = [ids for ids in kept.left_out if ids not in left_out]
        kept.left_out = [*left_out]
        if gone:
            await asyncio.shield(self._run(lambda connection: drop_all(connection, gone)))

    async def _look_through(self, kept: KeptRows, ids: LeftOutIds, file: ColumnFiles) -> None:
        """Look in a file for sessions that are left out."""
        await asyncio.to_thread(ids.note, file)
        await self._run(ids.begin)
        statement = kept.tables.left_out_of_file(ids, file)
        ids.take(file, await self._engine.keep(statement, ids.rules.parameters, ids.rules.expressions))
        if kept.all_bytes > self._limit:
            await self._keep_left_out(kept, [ids])
        if kept.all_bytes > self._limit:
            raise ColumnsFailed(Reason.MEMORY, "LeftOutSessions")

    async def _leave_out_fresh(self, look: Look, left_out: LeftOutSessions) -> None:
        """Find those of the sessions that no file holds."""
        statement = compose("fresh/temporary", table="left_out", rows=look.complete(left_out.text, ()))
        await self._engine.keep(statement, left_out.parameters, left_out.expressions, look.reading)

    async def _look(self, tables: FreshTables, question: SiteQuestion, left_out: LeftOutIds | None) -> Look:
        def begin(connection: duckdb.DuckDBPyConnection) -> None:
            connection.begin()
            tables.list_hidden(connection, question)

        reading, _ = await self._engine.work(begin)
        return Look(reading, tables, question, left_out)

    async def _bring_into(
        self, reading: ReadTransaction, tables: FreshTables, wanted: Wanted, copy: Copy, *, agree: bool
    ) -> None:
        """Bring the wanted rows into tables of a reading."""
        async with self._brought(wanted, copy) as directory:
            if _size(directory) > self._limit:
                raise ColumnsFailed(Reason.FRESH_ROWS)
            await self._engine.work_in(
                reading, lambda connection: tables.begin_temporary(connection, directory, agree=agree)
            )

    @asynccontextmanager
    async def _brought(self, wanted: Wanted, copy: Copy) -> AsyncIterator[Path]:
        """Lend a directory with the wanted rows."""
        directory = FilesLayout(self._engine.directory).fresh / uuid4().hex
        wanted = evolve(wanted, most_bytes=self._limit)
        self._lent.add(directory)
        try:
            await asyncio.to_thread(directory.mkdir, mode=0o700, parents=True)
            await copy(wanted, directory)
            yield directory
        except OSError as failure:
            raise unwritten(failure) from None
        finally:
            try:
                await asyncio.shield(asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True))
            finally:
                self._lent.remove(directory)

    async def _drop(self, kept: KeptRows, site_id: int) -> None:
        """Remove rows whose lock is held; those that cannot be removed now are not used, and tried again."""
        kept.is_leaving = True
        # Without an instance there are no tables, and one that is made for this might lack the memory itself.
        if self._engine.is_open and self._instance == self._engine.instances:
            await self._run(kept.drop)
        if self._kept.get(site_id) is kept:
            del self._kept[site_id]

    async def _run(self, change: Change) -> None:
        reading, _ = await self._engine.work(change)
        reading.end()


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.iterdir())
