"""The reading process: it listens on its socket, lends turns, and answers queries in them."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import define, field

from footfall.adapters.columns.queries import ColumnsFailed, Reason
from footfall.adapters.columns.reader import messages
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reader.frames import FrameChannel, Lost, Malformed, Message, encode
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.adapters.columns.reader.turn import EngineTurn, engine_turn
from footfall.application.ports.reports.askers import Asker, AskerKind, ReportsBusy
from footfall.application.ports.reports.fresh_rows import Wanted
from footfall.application.reports.turns.queued_turns import QueuedTurns

# Frames that a connection may send before it has its answers.
_MOST_AHEAD = 2


@define(eq=False)
class ReaderServer:
    """Serves connections: each is one turn, which ends with it."""

    _turns: QueuedTurns
    _engine: Engine
    _sets: FreshSets
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
        channel = FrameChannel(reader, writer)
        self._connections += 1
        try:
            await self._until_lost(channel)
        finally:
            self._connections -= 1
            channel.close()

    async def _until_lost(self, channel: FrameChannel) -> None:
        """Answer until the other end is gone, which ends what is under way."""
        received: asyncio.Queue[Message] = asyncio.Queue(_MOST_AHEAD)
        tasks = {
            asyncio.create_task(_listen(channel, received)),
            asyncio.create_task(self._converse(channel, received)),
        }
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, Lost | Malformed):
                raise outcome

    async def _converse(self, channel: FrameChannel, received: "asyncio.Queue[Message]") -> None:
        match first := await received.get():
            case {"figures": True}:
                await channel.send(await self._figures())
            case {"forget": int(site_id)}:
                await self._sets.forget(site_id)
                await channel.send({"forgotten": site_id})
            case _:
                await self._take_turn(_asker(first), _Conversation(channel, received))

    async def _take_turn(self, asker: Asker, conversation: "_Conversation") -> None:
        try:
            async with self._turns.turn(asker):
                with engine_turn(self._engine, self._sets) as turn:
                    await conversation.channel.send({"turn": True})
                    while True:
                        await conversation.answer(turn, await conversation.received.get())
        except ReportsBusy as refusal:
            await conversation.channel.send({"busy": refusal.retry_after})
            # Closed by the other end, so that the message is read first.
            await conversation.received.get()

    async def _figures(self) -> Message:
        queue = self._turns.queue
        return {
            "waiting": {str(kind): queue.waiting()[kind] for kind in AskerKind},
            "running": {str(kind): queue.running()[kind] for kind in AskerKind},
            "memory": await self._engine.memory_bytes(),
        }


@define(eq=False)
class _Conversation:
    """What one connection asks in its turn."""

    channel: FrameChannel
    received: "asyncio.Queue[Message]"

    async def answer(self, turn: EngineTurn, message: Message) -> None:
        try:
            answer = await self._answer(turn, message)
        except ColumnsFailed as failure:
            answer = {"failed": str(failure.reason), "error": str(failure)}
        try:
            frame = encode(answer)
        except Malformed:
            frame = encode({"failed": str(Reason.OTHER), "error": "TooLarge"})
        await self.channel.send_frame(frame)

    async def _answer(self, turn: EngineTurn, message: Message) -> Message:
        match message:
            case {"prepare": dict(asked)}:
                await turn.prepare(messages.question_of(asked), self._bring)
                return {"ready": True}
            case {
                "text": str(text),
                "parameters": dict(values),
                "expressions": list(expressions),
                "files": list(files),
                "leaving_out": bool(leaving_out),
            }:
                shown = [messages.files_of(file) for file in files]
                rows = await turn.query(text, values, expressions, shown, leaving_out=leaving_out)
                return {"rows": rows}
            case _:
                raise Malformed

    async def _bring(self, wanted: Wanted, directory: Path) -> None:
        """Ask the other end for rows; it has written them when it says so."""
        await self.channel.send({"bring": messages.of_wanted(wanted), "directory": str(directory)})
        match await self.received.get():
            case {"brought": True}:
                return
            case {"brought": False}:
                # The other end knows why.
                raise ColumnsFailed(Reason.OTHER, "NotBrought")
            case _:
                raise Malformed


async def _listen(channel: FrameChannel, received: "asyncio.Queue[Message]") -> None:
    while True:
        await received.put(await channel.receive())


def _asker(message: Message) -> Asker:
    match message:
        case {"party": str(party), "kind": str(kind)} if kind in list(AskerKind):
            return Asker(party, AskerKind(kind))
        case _:
            raise Malformed
