"""The columns of a node: its files, the jobs that keep them, and the reports that they answer."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from attrs import evolve, frozen

from footfall.adapters.columns.files.exporting import ExportedFiles, ExportRefused, export_files
from footfall.adapters.columns.files.keeper import Keeper, NodeFigures, figures
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.locks import holding
from footfall.adapters.columns.queries import NodeTurns
from footfall.adapters.columns.reader.client import ReaderTurns
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.prometheus.families import (
    COLUMN_BYTES,
    COLUMN_DIRECTORIES,
    COLUMN_MISSING_DAYS,
    COLUMN_SPILL_BYTES,
    COLUMN_TROUBLE,
)
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.system import SystemClock
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.setting_parsers import duckdb_is_there
from footfall.entrypoints.settings import Settings

if TYPE_CHECKING:
    from footfall.adapters.columns.files.missing_files import MissingFiles
    from footfall.adapters.columns.files.next_files import NextFiles

NICENESS = 19
# The most sites that a command is told by name; it looks at all otherwise.
MOST_SITES = 1_000

_log = logging.getLogger(__name__)


def layout_of(settings: Settings) -> FilesLayout:
    """Return where the files of this node are."""
    return FilesLayout(SocketPlace(settings.data_dir).columns)


def keeping_job(
    settings: Settings,
    connections: Connections,
    url: str,
    show: Callable[[NodeFigures], None],
    pulse: Pulse,
    turns: NodeTurns,
) -> Job:
    """Return the job that keeps the files of this node."""
    layout, nodes = layout_of(settings), PostgresColumnNodes(connections)
    store = PostgresColumnStore(connections, url)
    sweeper, make = Sweeper(layout, store, nodes, turns.forget), partial(make_in_a_process, settings, url)
    return Keeper(layout, store, nodes, make, show, sweeper, pulse=pulse).run


def show_columns(metrics: SharedMetrics, cell: str, figures: NodeFigures) -> None:
    """Show the figures of this node for a cell; only the worker that keeps its files knows them."""
    metrics.gauge(COLUMN_DIRECTORIES, figures.directories, cell)
    metrics.gauge(COLUMN_BYTES, figures.bytes, cell)
    metrics.gauge(COLUMN_MISSING_DAYS, figures.missing_days, cell)
    metrics.gauge(COLUMN_SPILL_BYTES, figures.spill_bytes, cell)
    metrics.gauge(COLUMN_TROUBLE, figures.trouble is not None, cell)


def columns_state(settings: Settings) -> Callable[[], str]:
    """Return what says whether files are made, or why they cannot be."""
    layout = layout_of(settings)
    return lambda: layout.read_trouble() or "on"


@frozen
class NodeColumns:
    """The use of the files of this node by commands."""

    url: str
    layout: FilesLayout
    store: PostgresColumnStore
    nodes: PostgresColumnNodes
    sweeper: Sweeper

    async def figures(self) -> NodeFigures:
        """Return what this node has on its disk, and what it lacks."""
        days = await self.store.closed_days()
        manifests = usable_manifests(self.layout)
        return await figures(self.layout, len(missing(days, manifests)))

    def own_node(self) -> UUID | None:
        """Return the node whose files are here; None where none are kept."""
        return self.layout.node_id() if self.layout.node.exists() and duckdb_is_there() else None

    async def make(self, sites: Collection[int] | None = None) -> int:
        """Make what is missing, of some sites or of all, and what a rebuild has asked for.

        Return the number of directories.
        """
        node = self.layout.node_id()
        asked_at = await self.nodes.asked(node)
        made = await self.missing_files.make(sites)
        if asked_at is not None:
            made += await self.next_files.make()
            await self.nodes.answer(node, asked_at)
        return made

    async def rebuild(self) -> int:
        """Remove all files and make them anew; return the number of directories."""
        async with holding(self.layout.making_lock):
            for directory in self.layout.directories():
                self.layout.remove(directory)
        return await self.missing_files.make()

    async def verify(self) -> int:
        """Compare all files with their digests, set damaged ones aside, and return the number of directories."""
        async with holding(self.layout.making_lock):
            return await self.sweeper.verify()

    async def export(self, site_id: int, target: Path) -> ExportedFiles:
        """Copy the files of all days of a site that have been over for an hour, as they are now.

        Raises:
            ExportRefused: the directory is not empty, files cannot be made, or days were closed meanwhile.
            StoreUnavailable: the store does not answer.

        """
        # Before the first file is there: a copy that is interrupted has hits, too.
        await self.nodes.note_export(site_id, socket.gethostname(), str(target))
        before = await self.store.reopen_changed_days(site_id)
        closing = evolve(self.store, small=0)
        # Each call closes some of the days that are due: those of other sites may come first.
        while await closing.close_due():
            pass
        await self.missing_files.make()
        async with holding(self.layout.making_lock):
            # A running service closes days, too; it leaves small ones without files.
            if await self.store.unclosed_days(site_id, before):
                raise ExportRefused("days of the site have changed meanwhile: try again in a minute")
            days = [day for day in await self.store.closed_days(site_id) if day.day < before]
            return await asyncio.to_thread(export_files, self.layout, days, target)

    @property
    def missing_files(self) -> "MissingFiles":
        """The making of what is missing, by DuckDB."""
        # Workers and other commands do without the time and the memory that DuckDB takes.
        from footfall.adapters.columns.files.maker import Maker  # noqa: PLC0415
        from footfall.adapters.columns.files.missing_files import MissingFiles  # noqa: PLC0415

        clock = SystemClock()
        return MissingFiles(self.layout, self.store, Maker(self.layout, self.store, clock), clock)

    @property
    def next_files(self) -> "NextFiles":
        """The making of the files of the set of read models that a rebuild is filling."""
        from footfall.adapters.columns.files.next_files import NextFiles  # noqa: PLC0415 - as above

        return NextFiles(self.layout, self.store, SystemClock())


@asynccontextmanager
async def open_columns(settings: Settings, url: str) -> AsyncIterator[NodeColumns]:
    """Lend the files of this node to one command.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    connections = Connections(url, most=2)
    await connections.open()
    try:
        layout, nodes = layout_of(settings), PostgresColumnNodes(connections)
        store = PostgresColumnStore(connections, url)
        forget = ReaderTurns(SocketPlace(settings.data_dir)).forget
        yield NodeColumns(url, layout, store, nodes, Sweeper(layout, store, nodes, forget))
    finally:
        await connections.close()


@frozen(kw_only=True)
class ColumnsStatus:
    """Troubles with the files by column: days that this node lacks, why, and nodes not seen for a day."""

    closed_days: int
    missing_days: int
    trouble: str | None
    lost_nodes: Sequence[UUID]


async def read_columns_status(settings: Settings, url: str) -> ColumnsStatus:
    """Return the state of the files of this node, and of the nodes of the store.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with open_columns(settings, url) as opened:
        figures = await opened.figures()
        return ColumnsStatus(
            closed_days=len(await opened.store.closed_days()),
            missing_days=figures.missing_days,
            trouble=figures.trouble,
            lost_nodes=[node["node"] for node in await opened.nodes.nodes() if not node["seen_lately"]],
        )


def _environment(settings: Settings, url: str) -> Mapping[str, str]:
    variables = {"FOOTFALL_DATABASE_URL": url, "FOOTFALL_DATA_DIR": str(settings.data_dir)}
    return {**os.environ, **variables}


def give_way(process: int) -> None:
    """Let all others come before a process that leads a session of its own; on Linux they interrupt it, too.

    Where no control groups divide the processors, Linux divides them among sessions first: priorities then hold within
    a session only, and the session has one of its own.
    """
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, process, NICENESS)
        if sys.platform == "linux":
            os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))
            with suppress(OSError):
                Path(f"/proc/{process}/autogroup").write_text(str(NICENESS))


async def make_in_a_process(
    settings: Settings, url: str, sites: Collection[int] | None = None, *, gives_way: bool = True
) -> None:
    """Run `footfall columns make`, whose memory goes back with its end, and which ends with this job or its process.

    It looks at some sites only when these are few.
    """
    few = None if sites is None or len(sites) > MOST_SITES else ",".join(map(str, sorted(sites)))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "footfall.entrypoints",
        "columns",
        "make",
        "--with-parent",
        *([] if few is None else ["--sites", few]),
        env=_environment(settings, url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    if gives_way:
        give_way(process.pid)
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    if status:
        _log.warning("the making of files ended early", extra={"status": status})
