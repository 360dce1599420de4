"""Senders that repeat each event under its id until it is acknowledged, as clients do."""

import asyncio
import contextlib
import json
import threading
import time
from collections import Counter
from itertools import pairwise

from attrs import define, field

from tests.e2e.load import BROWSER, read_status
from tests.e2e.service import Service

SENDERS = 12


@define
class Sent:
    """The record of senders that repeat each event under its id until it is acknowledged."""

    acknowledged: dict[str, float] = field(factory=dict)
    statuses: Counter = field(factory=Counter)

    def longest_pause(self) -> float:
        moments = sorted(self.acknowledged.values())
        return max(later - earlier for earlier, later in pairwise(moments))


def event(name: str) -> bytes:
    return json.dumps(
        {
            "site_id": "1",
            "hostname": "localhost",
            "pathname": "/failover",
            "user_id": name,
            "user_agent": BROWSER,
            "event_id": name,
        }
    ).encode()


async def send_until(over: threading.Event, service: Service, key: str) -> Sent:
    """Send events with ids over several connections, and each one again until it is acknowledged."""
    sent, numbers = Sent(), iter(range(10**9))

    async def sender():
        while not over.is_set():
            name = f"event-{next(numbers)}"
            while name not in sent.acknowledged:
                status = await answer_to(name)
                sent.statuses[status] += 1
                if status == 200:
                    sent.acknowledged[name] = time.monotonic()
                else:
                    await asyncio.sleep(0.1)

    async def answer_to(name):
        body = event(name)
        head = (
            f"POST /api/track HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nAuthorization: Bearer {key}\r\n"
            f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
        try:
            writer.write(head.encode() + body)
            return (await read_status(reader))[0]
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    await asyncio.gather(*(sender() for _ in range(SENDERS)))
    return sent
