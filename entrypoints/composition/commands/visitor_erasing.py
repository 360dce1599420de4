"""The erasure of visitors: what the jobs of all stores share."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from footfall.adapters.erasure_list import FILE, ErasureListFile
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.postgres.visitors.visitor_data import PostgresVisitorData
from footfall.adapters.sources.reading.temporary_folder import remove_leftovers
from footfall.adapters.system import SystemClock
from footfall.application.cells.routing import routed
from footfall.application.commands.sites.visitor_erasures import VisitorErasureCommands
from footfall.application.maintenance.erasure_listing import ErasureListing
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.erasure_list import StoredErasures
from footfall.application.ports.mail import Outbox
from footfall.application.ports.visitor_data import VisitorData
from footfall.application.ports.visitor_erasures import VisitorErasures
from footfall.application.visitors.erasing import VisitorEraser
from footfall.application.visitors.selectors import Selectors
from footfall.entrypoints.composition.projectors import rebuilding


@frozen(kw_only=True)
class VisitorErasing:
    """What erases visitors in any store: the queue of mail and the history of sites are those of the main one.

    `url` is that of the main store; `data_dir` has the list of erasures.
    """

    url: str = field(repr=False)
    outbox: Outbox
    history: VisitorErasureCommands
    secret: bytes = field(repr=False)
    data_dir: Path

    def listing(self, erasures: StoredErasures) -> ErasureListing:
        """Return what brings the list of erasures of this host to those of a store."""
        return ErasureListing(erasures, erasure_list(self.data_dir, self.secret))

    def of(self, url: str, connections: Connections, pulse: Pulse | None = None) -> VisitorEraser:
        """Return what erases visitors of the sites of a store."""
        erasures = PostgresVisitorErasures(connections, url)
        return VisitorEraser(
            erasures=erasures,
            outbox=self.outbox,
            reports=lambda: holding_lock(AdvisoryLock.REPORTS, self.url),
            history=self.history,
            replay=partial(replayed, url),
            tidy=remove_leftovers,
            secret=self.secret,
            listed=self.listing(erasures).work,
            clock=SystemClock(),
            pulse=pulse or Pulse.of_main(),
        )


def erasure_list(data_dir: Path, secret: bytes) -> ErasureListFile:
    """Return the list of erasures of a host."""
    return ErasureListFile(data_dir / FILE, Selectors(secret).check)


async def replayed(url: str) -> Mapping[str, int]:
    """Make the read models anew beside those in use, and return the rows in which both differ, by table.

    Raises:
        EventsErased: another process takes long to erase events.
        RebuildUnderWay: another process is rebuilding.
        StoreUnavailable: the store does not answer.

    """
    async with rebuilding(url) as rebuilt:
        await rebuilt.replay(lambda _position, _target: None)
        return await rebuilt.differences()


class _Store(Protocol):
    """What is asked of the store of a site."""

    @property
    def visitor_data(self) -> PostgresVisitorData: ...

    @property
    def visitor_erasures(self) -> PostgresVisitorErasures: ...


def data_of_visitors(store_of: Callable[[int], _Store]) -> VisitorData:
    """Return the hits of the visitors of all sites."""
    return routed(VisitorData, lambda site_id: store_of(site_id).visitor_data)  # type: ignore[type-abstract]


def erasures_of_visitors(store_of: Callable[[int], _Store]) -> VisitorErasures:
    """Return the erasures of the visitors of all sites."""
    return routed(VisitorErasures, lambda site_id: store_of(site_id).visitor_erasures)  # type: ignore[type-abstract]
