"""The erasure of visitors: what the jobs of all stores share."""

from collections.abc import Mapping
from functools import partial

from attrs import field, frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.sources.reading.temporary_folder import remove_leftovers
from footfall.adapters.system import SystemClock
from footfall.application.commands.sites.visitor_erasures import VisitorErasureCommands
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.mail import Outbox
from footfall.application.visitors.erasing import VisitorEraser
from footfall.entrypoints.composition.projectors import rebuilding


@frozen(kw_only=True)
class VisitorErasing:
    """What erases visitors in any store: the queue of mail and the history of sites are those of the main one."""

    outbox: Outbox
    history: VisitorErasureCommands
    secret: bytes = field(repr=False)

    def of(self, url: str, connections: Connections, pulse: Pulse | None = None) -> VisitorEraser:
        """Return what erases visitors of the sites of a store."""
        return VisitorEraser(
            erasures=PostgresVisitorErasures(connections, url),
            outbox=self.outbox,
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
