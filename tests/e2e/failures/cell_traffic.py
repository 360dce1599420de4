"""Senders of events for sites in several cells, each event repeated under its id until its fate is known."""

import asyncio
import contextlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field

from tests.e2e.load import BROWSER
from tests.e2e.service import Service

SENDERS = 8
BATCH = 40
STORED = 200


@define
class Traffic:
    """What senders of events know: which are stored, and when a site of which cell was answered with 503.

    `sites` names the cell of each site; those of `limited` have a monthly limit.
    """

    service: Service
    key: str
    sites: Mapping[str, str]
    limited: Sequence[str]
    stored: dict[str, set[str]] = field(factory=lambda: defaultdict(set))
    over_limit: dict[str, set[str]] = field(factory=lambda: defaultdict(set))
    away: dict[str, list[float]] = field(factory=lambda: defaultdict(list))
    others: Counter = field(factory=Counter)
    # The longest time that the answer to a single event for a cell took.
    longest: dict[str, float] = field(factory=lambda: defaultdict(float))

    @property
    def acknowledged(self) -> int:
        return sum(map(len, self.stored.values()))

    def stored_in(self, cell: str) -> int:
        """Return how many events of sites of a cell are stored."""
        return sum(len(self.stored[site]) for site, its in self.sites.items() if its == cell)

    async def send(self, over: Callable[[], bool]) -> None:
        """Send until it is over; every event that was begun is sent to its end."""
        senders = [self._singles(number, over) for number in range(SENDERS)]
        await asyncio.gather(*senders, self._batches(over))

    async def _singles(self, sender: int, over: Callable[[], bool]) -> None:
        """Send event after event, to one site all the time: a cell that is away holds up nothing else."""
        site, number = sorted(self.sites)[sender % len(self.sites)], 0
        while not over():
            number += 1
            name = f"single-{sender}-{number}"
            while not self._known(site, name):
                began = time.monotonic()
                status, _ = await self._answer("/api/track", event(site, name))
                cell = self.sites[site]
                self.longest[cell] = max(self.longest[cell], time.monotonic() - began)
                self._note(site, name, status)
                await _rest(status)

    async def _batches(self, over: Callable[[], bool]) -> None:
        """Send batches over all cells, and again what is not known yet."""
        number = 0
        while not over():
            number += 1
            sites = sorted(self.sites)
            waiting = [(sites[one % len(sites)], f"batch-{number}-{one}") for one in range(BATCH)]
            while waiting:
                await self._send_batch(waiting)
                waiting = [(site, name) for site, name in waiting if not self._known(site, name)]

    async def _send_batch(self, waiting: Sequence[tuple[str, str]]) -> None:
        body = {"events": [event(site, name) for site, name in waiting]}
        status, answer = await self._answer("/api/track/batch", body)
        if status == STORED:
            statuses = [result.get("status", STORED) for result in answer["results"]]
        else:
            statuses = [status] * len(waiting)
        for (site, name), one in zip(waiting, statuses, strict=True):
            self._note(site, name, one)
        await _rest(max(statuses))

    def _known(self, site: str, name: str) -> bool:
        return name in self.stored[site] or name in self.over_limit[site]

    def _note(self, site: str, name: str, status: int) -> None:
        match status:
            case 200:
                self.stored[site].add(name)
            case 403 if site in self.limited:
                self.over_limit[site].add(name)
            case 503:
                self.away[self.sites[site]].append(time.monotonic())
            case _:
                self.others[status] += 1

    async def _answer(self, path: str, document: object) -> tuple[int, dict]:
        """Return status and document of an answer; 0 when the worker has gone meanwhile."""
        body = json.dumps(document).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.service.port}\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer = None
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.service.port)
            writer.write(head.encode() + body)
            answer = await reader.read()
            first, _, content = answer.partition(b"\r\n\r\n")
            return int(first.split(b" ")[1]), json.loads(content)
        except (OSError, ValueError, IndexError):
            return 0, {}
        finally:
            if writer is not None:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()


def event(site: str, name: str) -> dict[str, str]:
    return {
        "site_id": site,
        "hostname": "localhost",
        "pathname": "/cells",
        "user_id": name,
        "user_agent": BROWSER,
        "event_id": name,
    }


async def _rest(status: int) -> None:
    if status != STORED:
        await asyncio.sleep(0.05)
