"""A load generator that remembers what was acknowledged."""

import asyncio
import contextlib
import json
from collections.abc import Callable

from attrs import define, field

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@define
class Ledger:
    """The record of the client: which events were acknowledged, refused, or have an unknown fate."""

    acknowledged: set[str] = field(factory=set)
    refused: set[str] = field(factory=set)
    unknown: set[str] = field(factory=set)

    @property
    def sent(self) -> int:
        return len(self.acknowledged) + len(self.refused) + len(self.unknown)


async def send_events(
    port: int, *, connections: int, until: Callable[[Ledger], bool], site_id: str = "1"
) -> Ledger:
    """Send events, each once and each with a name of its own as its user, until told to stop."""
    ledger, numbers = Ledger(), iter(range(10**9))

    async def client():
        while not until(ledger):
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
                continue
            try:
                await converse(reader, writer)
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()

    async def converse(reader, writer):
        while not until(ledger):
            name = f"event-{next(numbers)}"
            try:
                writer.write(request(port, name, site_id))
                status, keep = await read_status(reader)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                ledger.unknown.add(name)
                return
            (ledger.acknowledged if status == 200 else ledger.refused).add(name)
            if status != 200:
                await asyncio.sleep(0.02)
            if not keep:
                return

    await asyncio.gather(*(client() for _ in range(connections)))
    return ledger


def request(port: int, name: str, site_id: str) -> bytes:
    body = json.dumps(
        {
            "site_id": site_id,
            "hostname": "localhost",
            "pathname": "/load",
            "user_id": name,
            "user_agent": BROWSER,
        }
    ).encode()
    head = f"POST /api/track HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def read_status(reader) -> tuple[int, bool]:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    await reader.readexactly(int(headers.get("content-length", 0)))
    return int(lines[0].split(" ")[1]), headers.get("connection") != "close"
