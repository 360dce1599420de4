"""The erasure of visitors: what the jobs of all stores share."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from attrs import field, frozen

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.postgres.visitors.visitor_data import PostgresVisitorData
from footfall.adapters.sources.reading.temporary_folder import remove_leftovers
from footfall.adapters.system import SystemClock
from footfall.application.cells.routing import routed
from footfall.application.commands.sites.visitor_erasures import VisitorErasureCommands
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.mail import Outbox
from footfall.application.ports.visitor_data import VisitorData
from footfall.application.ports.visitor_erasures import VisitorErasures
from footfall.application.visitors.erasing import VisitorEraser
from footfall.entrypoints.composition.projectors import rebuilding


@frozen(kw_only=True)
class VisitorErasing:
    """What erases visitors in any store: the queue of mail and the history of sites are those of the main one.

    `url` is that of the main store.
    """

    url: str = field(repr=False)
    outbox: Outbox
    history: VisitorErasureCommands
    secret: bytes = field(repr=False)

    def of(self, url: str, connections: Connections, pulse: Pulse | None = None) -> VisitorEraser:
        """Return what erases visitors of the sites of a store."""
        return VisitorEraser(
            erasures=PostgresVisitorErasures(connections, url),
            outbox=self.outbox,
            reports=lambda: holding_lock(AdvisoryLock.REPORTS, self.url),
            history=self.history,
            replay=partial(replayed, url),
            tidy=remove_leftovers,
            secret=self.secret,
            clock=SystemClock(),
            pulse=pulse or Pulse.of_main(),
        )


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
