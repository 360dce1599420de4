"""The job of a node that closes days, lets missing files be made, and sweeps."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from attrs import define, field, frozen

from footfall.adapters.columns.files.layout import Layout
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.locks import holding
from footfall.application.maintenance.pulse import Pulse
from footfall.application.ports.columns import ColumnNodes, ColumnStore
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import Clock

POLL_SECONDS = 5.0
REGISTER_SECONDS = 60.0
SWEEP_SECONDS = 3_600.0
# Between two looks at all files when no day was closed; files that could not be made are tried again then.
CHECK_SECONDS = 60.0

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class NodeFigures:
    """The files that a node has on its disk, and those it lacks."""

    directories: int
    days: int
    bytes: int
    missing_days: int
    spill_bytes: int
    trouble: str | None


@define
class Keeper:
    """Keeps the files of a node; of its workers one at a time does so.

    `make` makes what is missing in a process of its own; `show` takes the figures of the node for its metrics.
    """

    _layout: Layout
    _store: ColumnStore
    _nodes: ColumnNodes
    _clock: Clock
    _make: Callable[[], Awaitable[None]]
    _show: Callable[[NodeFigures], None]
    _pulse: Pulse = field(factory=Pulse.of_main, kw_only=True)
    _registered_at: float = field(default=float("-inf"), init=False)
    _swept_at: float = field(default=float("-inf"), init=False)
    _checked_at: float = field(default=float("-inf"), init=False)

    async def run(self) -> None:
        """Keep the files until cancelled; an unreachable store is tried again."""
        self._layout.prepare()
        while True:
            async with holding(self._layout.keeper_lock, within=0.0) as mine:
                while mine:
                    try:
                        await self.work()
                    except (StoreUnavailable, OSError) as failure:
                        _log.warning("files of columns cannot be kept now: %s", type(failure).__name__)
                    await self._pulse.rest(POLL_SECONDS)
            await self._pulse.rest(POLL_SECONDS)

    async def work(self) -> None:
        """Do all that is due now.

        Raises:
            StoreUnavailable: the store does not answer; the rest stays due.
            OSError: the disk cannot be written.

        """
        await self._register()
        closed = await self._store.close_due()
        await self._sweep()
        if closed or _passed(self._checked_at, CHECK_SECONDS):
            await self._make_missing()
            self._checked_at = time.monotonic()

    @property
    def _sweeper(self) -> Sweeper:
        return Sweeper(self._layout, self._store, self._nodes)

    async def _make_missing(self) -> None:
        missing_days = await self._count_missing()
        if missing_days:
            await self._make()
            missing_days = await self._count_missing()
        async with holding(self._layout.making_lock):
            await self._sweeper.sweep_replaced()
        self._show(await figures(self._layout, missing_days))

    async def _register(self) -> None:
        if _passed(self._registered_at, REGISTER_SECONDS):
            await self._nodes.register(self._layout.node_id())
            self._registered_at = time.monotonic()

    async def _sweep(self) -> None:
        """Sweep every hour, and at once when the erasure of a site waits for it."""
        hourly = _passed(self._swept_at, SWEEP_SECONDS)
        if not hourly and not await self._nodes.due_sweeps(self._layout.node_id()):
            return
        async with holding(self._layout.making_lock):
            if hourly:
                await self._sweeper.verify()
            await self._sweeper.sweep()
        self._swept_at = time.monotonic()

    async def _count_missing(self) -> int:
        days, goals = await self._store.closed_days(), await self._store.settled_goals()
        manifests = await asyncio.to_thread(usable_manifests, self._layout)
        return sum(map(len, missing(days, manifests, goals, self._clock.now())))


@frozen
class Leaver:
    """The job of a node that keeps no files: it removes those that are left of another time."""

    _layout: Layout
    _nodes: ColumnNodes

    async def run(self) -> None:
        """Remove what there is, and wait until cancelled."""
        while self._layout.root.exists():
            try:
                await self.leave()
            except (StoreUnavailable, OSError) as failure:
                _log.warning("files of columns cannot be removed now: %s", type(failure).__name__)
                await asyncio.sleep(POLL_SECONDS)
        await asyncio.Event().wait()

    async def leave(self) -> None:
        """Remove all files, and say that this node has none.

        Raises:
            StoreUnavailable: the store does not answer.
            OSError: the files cannot be removed.

        """
        self._layout.prepare()
        node = self._layout.node_id()
        async with holding(self._layout.making_lock):
            for directory in self._layout.directories():
                self._layout.remove(directory)
            await self._nodes.leave(node)
            self._layout.remove_root()


async def figures(layout: Layout, missing_days: int) -> NodeFigures:
    """Return what a node has on its disk."""
    return await asyncio.to_thread(_figures, layout, missing_days)


def _figures(layout: Layout, missing_days: int) -> NodeFigures:
    manifests = usable_manifests(layout)
    return NodeFigures(
        directories=len(manifests),
        days=len({one for manifest in manifests for one in manifest.days}),
        bytes=sum(one.bytes for one in manifests),
        missing_days=missing_days,
        spill_bytes=layout.spilled_bytes(),
        trouble=layout.read_trouble(),
    )


def _passed(since: float, seconds: float) -> bool:
    return time.monotonic() - since >= seconds
