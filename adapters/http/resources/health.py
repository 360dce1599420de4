"""The probes of the process: it answers, and it can serve."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.responses import JSON_TYPE, encode
from footfall.application.access.authorization import Access
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness, Lag

# Names the reasons why the process cannot serve.
Readiness = Callable[[], Awaitable[Sequence[str]]]
# Names the streams of the journal that are set aside.
SetAsideStreams = Callable[[], list[str]]
# Says whether files by column are `on` or `off`, or why they cannot be made.
ColumnsState = Callable[[], str]
# Names the reasons why each cell does not take or show traffic.
CellObstacles = Callable[[], Awaitable[Mapping[str, Sequence[str]]]]


class Liveness:
    """GET /livez: the process answers."""

    access_get = Access.OPEN

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer without the store."""
        resp.content_type = JSON_TYPE
        resp.data = encode({"status": "ok"})


@frozen
class Ready:
    """GET /readyz: the store answers and has the schema of this version; how far the reports are behind.

    Reports that are behind do not make a process unready: it stores events, and the reports of other workers are
    behind as much. Streams of the journal that are set aside do not either; the answer names them. Nor do files by
    column that cannot be made, without which reports are answered from rows.

    A cell that is away is named, and its own sites answer 503. While the store of the journal is away, a process with a
    cell that takes events stays ready, too.
    """

    access_get = Access.OPEN

    _readiness: Readiness
    _freshness: Freshness
    _set_aside: SetAsideStreams
    _columns: ColumnsState
    _cells: CellObstacles

    async def on_get(self, _req: Request, resp: Response) -> None:
        """Answer whether the process can serve, and with the obstacles if it cannot."""
        resp.content_type = JSON_TYPE
        obstacles, by_cell, lag = await asyncio.gather(self._readiness(), self._cells(), self._lag())
        cells = {"cells": by_cell} if by_cell else {}
        if obstacles or lag is None:
            obstacles = obstacles or ["the store does not answer"]
            serving = any(not of_cell for of_cell in by_cell.values())
            if not serving:
                resp.status = falcon.HTTP_503
            status = "degraded" if serving else "unavailable"
            resp.data = encode({"status": status, "obstacles": obstacles, **cells})
            return
        behind = {"events": lag.events, "seconds": round(lag.seconds, 3)}
        body = {
            "status": "ok",
            "obstacles": [],
            "projectionLag": behind,
            "streamsSetAside": self._set_aside(),
            "columns": self._columns(),
            **cells,
        }
        resp.data = encode(body)

    async def _lag(self) -> Lag | None:
        try:
            return await self._freshness.lag()
        except StoreUnavailable:
            return None
