"""The job of a node that closes days, lets missing files be made, and sweeps."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from uuid import UUID

from attrs import define, field, frozen

from footfall.adapters.columns.files.manifest import Manifest
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.files.sweeper import Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.locks import holding
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.columns import ColumnNodes, ColumnStore
from footfall.application.ports.journal import StoreUnavailable

POLL_SECONDS = 5.0
REGISTER_SECONDS = 60.0
SWEEP_SECONDS = 3_600.0
# Between two looks at all files when no day was closed; files that could not be made are tried again then.
CHECK_SECONDS = 60.0
# The time after the making of files in which those that they replace are looked for.
REPLACED_SECONDS = 180.0
# Days are marked with the beginning of the transaction that closes them, which ends later.
OVERLAP = timedelta(minutes=5)
_UNKNOWN = datetime.min.replace(tzinfo=UTC)

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


@frozen(kw_only=True)
class _SiteFiles:
    """The files of one site."""

    directories: int
    days: int
    bytes: int


@define
class Keeper:
    """Keeps the files of a node; of its workers one at a time does so.

    `make` makes what is missing of some sites, or of all, in a process of its own; `show` takes the figures of the node
    for its metrics.
    """

    _layout: FilesLayout
    _store: ColumnStore
    _nodes: ColumnNodes
    _make: Callable[[Collection[int] | None], Awaitable[None]]
    _show: Callable[[NodeFigures], None]
    _sweeper: Sweeper
    _pulse: Pulse = field(factory=Pulse.of_main, kw_only=True)
    _overlap: timedelta = field(default=OVERLAP, kw_only=True)
    _clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)
    _registered_at: float = field(default=float("-inf"), init=False)
    _swept_at: float = field(default=float("-inf"), init=False)
    _checked_at: float = field(default=float("-inf"), init=False)
    _made_at: float = field(default=float("-inf"), init=False)
    _aside_changed_at: int = field(default=0, init=False)
    _listed_at: float = field(default=float("-inf"), init=False)
    # Up to when closed days are known, by the clock of the store.
    _known_until: datetime = field(default=_UNKNOWN, init=False)
    _set_id: UUID | None = field(default=None, init=False)
    # By site: the days that lack files, and what there is. All manifests of a node with many sites take seconds.
    _missing: dict[int, int] = field(factory=dict, init=False)
    _site_files: dict[int, _SiteFiles] = field(factory=dict, init=False)
    # Whether all sites have been looked at since files were made: with the next ones those of all are gathered.
    _is_whole: bool = field(default=True, init=False)
    # The sites that were looked at since nothing has been made for some time.
    _lately: set[int] = field(factory=set, init=False)

    async def run(self) -> None:
        """Keep the files until cancelled; an unreachable store is tried again."""
        self._layout.prepare()
        while True:
            async with holding(self._layout.keeper_lock, within=0.0) as mine:
                if mine:
                    await self._keep()
            await self._pulse.rest(POLL_SECONDS)

    async def _keep(self) -> None:
        """Keep the files while the store is in use; an idle one is left to the worker that looks next."""
        while True:
            try:
                await self.work()
            except (StoreUnavailable, OSError) as failure:
                _log.warning("files of columns cannot be kept now: %s", type(failure).__name__)
            await asyncio.sleep(POLL_SECONDS)
            if self._pulse.idle:
                return

    async def work(self) -> None:
        """Do all that is due now, and all that has been done before when the directories are gone.

        Raises:
            StoreUnavailable: the store does not answer; the rest stays due.
            OSError: the disk cannot be written.

        """
        if self._layout.prepare():
            self._registered_at = self._checked_at = self._listed_at = float("-inf")
        await self._register()
        closed = await self._store.close_due()
        failure: Exception | None = None
        try:
            await self._sweep()
        except (StoreUnavailable, OSError) as not_swept:
            # A sweep can wait for answers that take long because files are missing.
            failure = not_swept
        if closed or self._passed(self._checked_at, CHECK_SECONDS):
            await self._make_missing()
            self._checked_at = self._clock()
        if failure is not None:
            raise failure

    async def _make_missing(self) -> None:
        """Make what is missing of the sites whose days have changed; nothing is read while none has.

        A rebuild asks for the files of its days, too.
        """
        sites = await self._changed_sites()
        is_asked = await self._nodes.asked(self._layout.node_id()) is not None
        if not sites and not is_asked and self._passed(self._made_at, REPLACED_SECONDS):
            self._lately.clear()
            return
        self._lately |= sites
        await self._count(sites)
        if self._missing or is_asked:
            is_whole = self._is_whole or not self._missing
            await self._make(None if is_whole else set(self._missing))
            self._is_whole = False
            self._made_at = self._clock()
            await self._count(set(self._missing))
        async with holding(self._layout.making_lock):
            removed = await self._sweeper.sweep_replaced(self._lately)
        if removed:
            await self._count(self._lately)
        self._show(await asyncio.to_thread(self._figures))

    def _figures(self) -> NodeFigures:
        return _figures(self._layout, self._site_files.values(), sum(self._missing.values()))

    async def _changed_sites(self) -> set[int]:
        """Return sites with days closed since the last call, or with files missing or damaged; every hour all sites."""
        if not self._passed(self._listed_at, SWEEP_SECONDS):
            closed = await self._store.closed_sites(self._known_until - self._overlap)
            if closed.set_id == self._set_id:
                self._known_until = closed.at
                return {*closed.sites, *self._missing, *self._damaged_sites()}
        # A rebuild puts other days in the place of all: this node may lack the files of any.
        self._missing, self._site_files, self._listed_at, self._is_whole = {}, {}, self._clock(), True
        closed = await self._store.closed_sites(None)
        self._known_until, self._set_id = closed.at, closed.set_id
        return {*closed.sites, 0}

    def _damaged_sites(self) -> set[int]:
        """Return the sites of files that are set aside, when some have been since the last call."""
        changed_at = self._layout.aside.stat().st_mtime_ns
        if changed_at == self._aside_changed_at:
            return set()
        self._aside_changed_at = changed_at
        return self._layout.aside_sites()

    async def _count(self, sites: Collection[int]) -> None:
        """Count what each of these sites has and lacks; all days of a store would hold up other requests."""
        for site_id in sites:
            days = await self._store.closed_days(site_id)
            manifests = await asyncio.to_thread(usable_manifests, self._layout, site_id)
            lacking = len(missing(days, manifests))
            self._site_files[site_id] = _site_files(manifests)
            self._missing.pop(site_id, None)
            if lacking:
                self._missing[site_id] = lacking

    async def _register(self) -> None:
        if self._passed(self._registered_at, REGISTER_SECONDS):
            await self._nodes.register(self._layout.node_id())
            self._registered_at = self._clock()

    async def _sweep(self) -> None:
        """Sweep every hour, and at once when the erasure of a site or of a visitor waits for it."""
        hourly = self._passed(self._swept_at, SWEEP_SECONDS)
        node = self._layout.node_id()
        if not (hourly or await self._nodes.due_sweeps(node) or await self._nodes.due_removals(node)):
            return
        async with holding(self._layout.making_lock):
            if hourly:
                await self._sweeper.verify()
                self._swept_at = self._clock()
            await self._sweeper.sweep()

    def _passed(self, since: float, seconds: float) -> bool:
        return self._clock() - since >= seconds


async def figures(layout: FilesLayout, missing_days: int) -> NodeFigures:
    """Return what a node has on its disk."""
    return await asyncio.to_thread(
        lambda: _figures(layout, [_site_files(usable_manifests(layout))], missing_days)
    )


def _site_files(manifests: Collection[Manifest]) -> _SiteFiles:
    return _SiteFiles(
        directories=len(manifests),
        days=len({day for manifest in manifests for day in manifest.days}),
        bytes=sum(manifest.bytes for manifest in manifests),
    )


def _figures(layout: FilesLayout, of_sites: Collection[_SiteFiles], missing_days: int) -> NodeFigures:
    return NodeFigures(
        directories=sum(of_site.directories for of_site in of_sites),
        days=sum(of_site.days for of_site in of_sites),
        bytes=sum(of_site.bytes for of_site in of_sites),
        missing_days=missing_days,
        spill_bytes=layout.spilled_bytes(),
        trouble=layout.read_trouble(),
    )
