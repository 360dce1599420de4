"""Conversations over kept connections: requests of every length and framing behind each other, and their answers."""

import asyncio
import json
import random
from collections.abc import Callable, Iterator

from attrs import define, field, frozen

from footfall.adapters.http.wire.bodies import MAX_BODY
from tests.e2e.load import BROWSER, Ledger
from tests.waiting import LONG

LONGEST = 1_000_000
HOST = "Host: localhost"
PERMISSION = b"HTTP/1.1 100 Continue\r\n\r\n"
_MOST_TOGETHER = 5
_VISITORS = 16


@frozen
class Exchange:
    """One request and its answer; `name` is the id of the request and the user of its event."""

    kind: str
    name: str
    head: bytes
    body: bytes
    status: int
    closes: bool = False
    waits: bool = False
    half_closes: bool = False

    @property
    def ends(self) -> bool:
        """Whether no request can follow on its connection."""
        return self.closes or self.half_closes

    def __str__(self) -> str:
        return f"{self.kind} of {len(self.body)} bytes"


@define
class Outcome:
    """What the sender knows of its events, and each answer that was missing or another one."""

    ledger: Ledger = field(factory=Ledger)
    answered: int = 0
    faults: list[str] = field(factory=list)


class WrongAnswer(Exception):
    """The answer belongs to another request, or has another status."""


async def converse(
    port: int, key: str, *, requests: int, connections: int, kinds: tuple[str, ...] = ()
) -> Outcome:
    """Send that many requests in all over that many connections at a time; each one is answered or a fault."""
    outcome = Outcome()
    share = requests // connections
    each = [Requests(number, key, kinds or tuple(KINDS)) for number in range(connections)]
    await asyncio.gather(*(_Speaker(port, outcome).speak(one.turns(share)) for one in each))
    return outcome


async def come_and_go(port: int, connections: int) -> None:
    """Open that many connections, one request each; every tenth one is cut in the middle of a long body."""
    head = _head("POST /api/track HTTP/1.1", "coming", HOST, f"Content-Length: {MAX_BODY}")
    numbers = iter(range(connections))

    async def visitor() -> None:
        for number in numbers:
            # Several addresses, so that their ports suffice.
            address = (f"127.0.0.{2 + number % 8}", 0)
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=address)
            if number % 10:
                writer.write(_head("GET /livez HTTP/1.1", "going", HOST))
                assert (await _answer(reader))[0] == 200
            else:
                writer.write(head + b" " * (MAX_BODY // 2))
                await writer.drain()
            writer.close()

    await asyncio.gather(*(visitor() for _ in range(_VISITORS)))


@define
class _Speaker:
    """Keeps one connection for as long as the service does."""

    _port: int
    _outcome: Outcome
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def speak(self, turns: Iterator[list[Exchange]]) -> None:
        for turn in turns:
            await self._take(turn)
        self._leave()

    async def _take(self, turn: list[Exchange]) -> None:
        waiting = list(turn)
        try:
            async with asyncio.timeout(LONG):
                reader, writer = self._streams = self._streams or await self._connected()
                await _send(turn, reader, writer)
                while waiting:
                    await self._hear(waiting[0], reader)
                    waiting.pop(0)
            if turn[-1].ends:
                self._leave()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, WrongAnswer) as fault:
            self._miss(waiting, turn, fault)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, limit=4 * LONGEST)

    async def _hear(self, exchange: Exchange, reader: asyncio.StreamReader) -> None:
        status, headers = await _answer(reader)
        if (status, headers.get("x-request-id")) != (exchange.status, exchange.name):
            raise WrongAnswer(f"{status} in the place of {exchange.status}")
        if (headers.get("connection") == "close") != exchange.closes:
            raise WrongAnswer(f"connection: {headers.get('connection')}")
        self._outcome.answered += 1
        if exchange.body:
            ledger = self._outcome.ledger
            (ledger.acknowledged if status == 200 else ledger.refused).add(exchange.name)

    def _miss(self, waiting: list[Exchange], turn: list[Exchange], fault: Exception) -> None:
        self._leave()
        self._outcome.ledger.unknown.update(exchange.name for exchange in waiting)
        if turn[-1].half_closes and isinstance(fault, OSError | asyncio.IncompleteReadError):
            # The server takes the end of one direction for the end of the connection (docs/operate/deployment.md).
            return
        together = ", ".join(map(str, turn))
        self._outcome.faults.append(f"{waiting[0]} among {together}: {type(fault).__name__} {fault}")

    def _leave(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


async def _send(turn: list[Exchange], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    exchange = turn[-1]
    if exchange.waits:
        writer.write(exchange.head)
        if await reader.readexactly(len(PERMISSION)) != PERMISSION:
            raise WrongAnswer("no permission")
        writer.write(exchange.body)
    else:
        # One write, so that requests arrive at any boundary of the pieces that the server reads.
        writer.write(b"".join(one.head + one.body for one in turn))
    if exchange.half_closes:
        writer.write_eof()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
    await reader.readexactly(int(headers.get("content-length", 0)))
    return int(lines[0].split(" ")[1]), headers


@define
class Requests:
    """Generates the requests of one connection, the same ones each time."""

    _number: int
    _key: str
    _kinds: tuple[str, ...]
    _chance: random.Random = field(init=False)

    @_chance.default
    def _seeded(self) -> random.Random:
        return random.Random(self._number)

    def turns(self, count: int) -> Iterator[list[Exchange]]:
        """Return requests in the order of sending, those together that follow without waiting for an answer."""
        turn: list[Exchange] = []
        together = 1
        for number in range(count):
            exchange = self._exchange(f"kept-{self._number}-{number}")
            if exchange.waits and turn:
                yield turn
                turn = []
            turn.append(exchange)
            if exchange.ends or exchange.waits or len(turn) >= together:
                yield turn
                turn, together = [], self._chance.choice((1, 1, 2, _MOST_TOGETHER))
        if turn:
            yield turn

    def _exchange(self, name: str) -> Exchange:
        kind = self._chance.choice(self._kinds)
        # Short and long ones are equally frequent on a scale of powers.
        length = min(round(10 ** self._chance.uniform(0, 6.05)), LONGEST)
        return KINDS[kind](name, length, self._key)


def announced(name: str, length: int, _key: str) -> Exchange:
    """A body whose length is announced."""
    body = _event(name, length)
    head = _head("POST /api/track HTTP/1.1", name, HOST, f"Content-Length: {length}")
    return Exchange("an announced body", name, head, body, _status(name, length), closes=length > MAX_BODY)


def chunked(name: str, length: int, _key: str) -> Exchange:
    """A body in chunks of any size."""
    body, size = _event(name, length), max(length // 7, 1)
    pieces = [body[begin : begin + size] for begin in range(0, length, size)]
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    head = _head("POST /api/track HTTP/1.1", name, HOST, "Transfer-Encoding: chunked")
    return Exchange("chunks", name, head, chunks, _status(name, length), closes=length > MAX_BODY)


def batch(name: str, length: int, key: str) -> Exchange:
    """A batch, which may be as long as any body here."""
    body = json.dumps({"events": [_fields(name)]}).encode().ljust(length)
    lines = (HOST, f"Authorization: Bearer {key}", f"Content-Length: {len(body)}")
    return Exchange("a batch", name, _head("POST /api/track/batch HTTP/1.1", name, *lines), body, 200)


def read(name: str, _length: int, _key: str) -> Exchange:
    """No body at all."""
    return Exchange("a reading", name, _head("GET /livez HTTP/1.1", name, HOST), b"", 200)


def permitted(name: str, length: int, _key: str) -> Exchange:
    """A body that is sent when the server has agreed; it refuses lengths over its limit at once."""
    lines = (HOST, "Expect: 100-Continue", f"Content-Length: {length}")
    head = _head("POST /api/track HTTP/1.1", name, *lines)
    if length > MAX_BODY:
        return Exchange("a body without permission", name, head, b"", 413, closes=True)
    status = _status(name, length)
    return Exchange("a permitted body", name, head, _event(name, length), status, waits=True)


def old(name: str, length: int, _key: str) -> Exchange:
    """HTTP/1.0, where connections end with the answer, and a host is not required."""
    head = _head("POST /api/track HTTP/1.0", name, f"Content-Length: {length}")
    return Exchange("HTTP/1.0", name, head, _event(name, length), _status(name, length), closes=True)


def hostless(name: str, length: int, _key: str) -> Exchange:
    """HTTP/1.1 without a host."""
    head = _head("POST /api/track HTTP/1.1", name, f"Content-Length: {length}")
    return Exchange("no host", name, head, _event(name, length), 400, closes=True)


def expecting(name: str, length: int, _key: str) -> Exchange:
    """An expectation that the server does not know."""
    head = _head("POST /api/track HTTP/1.1", name, HOST, "Expect: a-miracle", f"Content-Length: {length}")
    return Exchange("an unknown expectation", name, head, _event(name, length), 417, closes=True)


def half_closed(name: str, length: int, _key: str) -> Exchange:
    """A request whose sender says at once that nothing more comes."""
    length = min(length, MAX_BODY)
    head = _head("POST /api/track HTTP/1.1", name, HOST, f"Content-Length: {length}")
    body, status = _event(name, length), _status(name, length)
    return Exchange("a half-closed connection", name, head, body, status, half_closes=True)


KINDS: dict[str, Callable[[str, int, str], Exchange]] = {
    "announced": announced,
    "chunked": chunked,
    "batch": batch,
    "read": read,
    "permitted": permitted,
    "old": old,
    "hostless": hostless,
    "expecting": expecting,
    "half closed": half_closed,
}


def _head(line: str, name: str, *lines: str) -> bytes:
    return "\r\n".join([line, *lines, f"X-Request-Id: {name}", "", ""]).encode()


def _fields(name: str) -> dict[str, str]:
    fields = {"site_id": "1", "hostname": "localhost", "pathname": "/kept"}
    return {**fields, "user_id": name, "user_agent": BROWSER}


def _event(name: str, length: int) -> bytes:
    # Blanks behind a document are part of no value, so that an event may have any length; a part of it is no JSON.
    return json.dumps(_fields(name)).encode().ljust(length)[:length]


def _status(name: str, length: int) -> int:
    if length > MAX_BODY:
        return 413
    return 200 if length >= len(json.dumps(_fields(name))) else 400
