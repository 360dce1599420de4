"""Renewal of the read models of an earlier version: they answer until those of today have been made beside them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.journal import StoreUnavailable

_AGAIN_SECONDS = 60.0

_log = logging.getLogger(__name__)


@frozen
class Renewal:
    """Rebuilds the read models whose sessions were formed by an earlier definition (docs/read/reports.md#sessions)."""

    _connections: Connections
    _rebuild: Callable[[], Awaitable[None]]

    async def is_due(self) -> bool:
        """Whether the sessions are those of an earlier definition.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        return bool(await self._connections.value("projections/checkpoint/renewal_is_due"))

    async def run(self) -> None:
        """Rebuild when it is due, and then wait until cancelled; another process may do it meanwhile."""
        while True:
            try:
                if not await self.is_due():
                    break
                _log.warning(
                    "sessions are formed anew by the times of hits; reports use the former ones until then"
                )
                await self._rebuild()
                _log.warning("sessions have been formed anew by the times of hits")
            except StoreUnavailable as reason:
                _log.info("the renewal of the read models waits: %s", reason)
                await asyncio.sleep(_AGAIN_SECONDS)
        await asyncio.Event().wait()
