"""The reading process: it listens on its socket, lends turns, and answers queries in them."""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, field

from footfall.adapters.columns.queries import ColumnsFailed, Reason
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reader.frames import Channel, Lost, Malformed, Message, encode
from footfall.adapters.columns.reader.place import SocketPlace
from footfall.application.ports.reports.askers import Asker, AskerKind, ReportsBusy
from footfall.application.reports.turns import QueuedTurns

# Frames that a connection may send before it has its answers.
_MOST_AHEAD = 2


@define(eq=False)
class ReaderServer:
    """Serves connections: each is one turn, which ends with it."""

    _turns: QueuedTurns
    _engine: Engine
    _connections: int = field(default=0, init=False)

    @property
    def is_idle(self) -> bool:
        """Whether there is no connection."""
        return not self._connections

    @asynccontextmanager
    async def listening(self, place: SocketPlace) -> AsyncIterator[None]:
        """Listen at a place, where the socket appears when it is listened on."""
        place.prepare()
        place.making.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place.making))
            place.making.chmod(0o600)
            server = await asyncio.start_unix_server(self._serve, sock=listener)
            place.making.rename(place.socket)
            async with server:
                yield

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        channel = Channel(reader, writer)
        self._connections += 1
        try:
            await self._until_lost(channel)
        finally:
            self._connections -= 1
            channel.close()

    async def _until_lost(self, channel: Channel) -> None:
        """Answer until the other end is gone, which ends what is under way."""
        messages: asyncio.Queue[Message] = asyncio.Queue(_MOST_AHEAD)
        tasks = {
            asyncio.create_task(_listen(channel, messages)),
            asyncio.create_task(self._converse(channel, messages)),
        }
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Exception) and not isinstance(found, Lost | Malformed):
                raise found

    async def _converse(self, channel: Channel, messages: "asyncio.Queue[Message]") -> None:
        asker = _asker(await messages.get())
        if asker is None:
            await channel.send(await self._figures())
            return
        try:
            async with self._turns.turn(asker):
                await channel.send({"turn": True})
                while True:
                    await channel.send_frame(await self._answer(await messages.get()))
        except ReportsBusy as refusal:
            await channel.send({"busy": refusal.retry_after})
            # Closed by the other end, so that the message is read first.
            await messages.get()

    async def _answer(self, message: Message) -> bytes:
        text, parameters, expressions = _question(message)
        try:
            return encode({"rows": await self._engine.query(text, parameters, expressions)})
        except ColumnsFailed as failure:
            return encode({"failed": str(failure.reason), "error": str(failure)})
        except Malformed:
            return encode({"failed": str(Reason.OTHER), "error": "TooLarge"})

    async def _figures(self) -> Message:
        queue = self._turns.queue
        return {
            "waiting": {str(kind): queue.waiting()[kind] for kind in AskerKind},
            "running": {str(kind): queue.running()[kind] for kind in AskerKind},
            "memory": await self._engine.memory_bytes(),
        }


async def _listen(channel: Channel, messages: "asyncio.Queue[Message]") -> None:
    while True:
        await messages.put(await channel.receive())


def _asker(message: Message) -> Asker | None:
    """Return the asker that a first message names; None when it asks for figures."""
    match message:
        case {"figures": True}:
            return None
        case {"party": str(party), "kind": str(kind)} if kind in list(AskerKind):
            return Asker(party, AskerKind(kind))
        case _:
            raise Malformed


def _question(message: Message) -> tuple[str, Mapping[str, Any], list[str]]:
    match message:
        case {"text": str(text), "parameters": dict(parameters), "expressions": list(expressions)}:
            return text, parameters, expressions
        case _:
            raise Malformed
