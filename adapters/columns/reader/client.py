"""The way of a worker to the reading process of its node."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

from attrs import define, field, frozen

from footfall.adapters.columns.locks import holding
from footfall.adapters.columns.queries import (
    QUERY_SECONDS,
    ColumnsFailed,
    Copy,
    Parameters,
    Reason,
    Rows,
    SiteQuestion,
    unwritten,
)
from footfall.adapters.columns.reader import messages
from footfall.adapters.columns.reader.frames import FrameChannel, Lost, Malformed, Message
from footfall.adapters.columns.reader.socket_place import PlaceTaken, SocketPlace
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker, AskerKind, ReportsBusy

# How long a caller waits for a process that has ended to be back.
AWAY_SECONDS = 1.5
_RETRY_SECONDS = 0.05
_SCHEDULED_RETRY_SECONDS = 1.0
# Of a process that does not answer at all: it ends queries and refuses askers itself before.
_ANSWER_SECONDS = 3 * QUERY_SECONDS
_TURN_SECONDS = 20.0
_FIGURES_SECONDS = 5.0
# The process waits for the turns that have begun.
_FORGET_SECONDS = 60.0

_log = logging.getLogger(__name__)


class ReaderAway(StoreUnavailable):
    """The reading process has ended, or does not answer."""

    def __init__(self) -> None:
        super().__init__("the process that reads reports has ended: it is back in a moment")


@frozen
class ReaderTurns:
    """Lends turns of the reading process: each is a connection, and ends with it."""

    _place: SocketPlace
    _away_seconds: float = field(default=AWAY_SECONDS, kw_only=True)
    _figures_seconds: float = field(default=_FIGURES_SECONDS, kw_only=True)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator["ReaderTurn"]:
        """Lend a turn when it is the asker's; scheduled askers wait for as long as it takes.

        Raises:
            ReportsBusy: too many others wait, or it has waited for too long.
            ReaderAway: the process has ended, and is not back yet.

        """
        turn = ReaderTurn(await self._admitted(asker))
        try:
            yield turn
        finally:
            turn.end()

    async def figures(self) -> Message:
        """Return how many wait for a turn and have one, by kind, and the memory of DuckDB.

        Raises:
            ReaderAway: the process does not answer.

        """
        return await self._told({"figures": True}, within=self._figures_seconds)

    async def forget(self, site_id: int) -> None:
        """Let the process forget the rows of a site, as it does when it ends; what an ended one has left goes, too.

        One that starts removes what the one before it has left before it listens. The rows are forgotten when this
        returns, and not known to be when it raises: it can be repeated.

        Raises:
            ReaderAway: the process starts, answers too long, or does not answer.
            OSError: what an ended one has left cannot be removed, or the directory is open to others (PlaceTaken).

        """
        await asyncio.to_thread(self._place.prepare)
        async with holding(self._place.lock, within=0.0) as is_unkept:
            if is_unkept:
                await asyncio.to_thread(self._place.clear_left)
                return
        await self._told({"forget": site_id}, within=_FORGET_SECONDS)

    async def _told(self, message: Message, *, within: float) -> Message:
        channel = None
        try:
            async with asyncio.timeout(within):
                channel = await self._connected()
                await channel.send(message)
                return await channel.receive()
        except (Lost, Malformed, TimeoutError):
            raise ReaderAway from None
        finally:
            if channel is not None:
                channel.close()

    async def _admitted(self, asker: Asker) -> FrameChannel:
        """Return the connection of a turn.

        One that ends while the asker waits is made again: nothing has been asked by then.
        """
        until = None
        while True:
            try:
                return await self._ask_for_turn(asker)
            except (Lost, Malformed, ReportsBusy, TimeoutError) as failure:
                if asker.kind is AskerKind.SCHEDULED:
                    await asyncio.sleep(_SCHEDULED_RETRY_SECONDS)
                    continue
                if isinstance(failure, ReportsBusy):
                    raise
                until = until or monotonic() + self._away_seconds
                if monotonic() >= until:
                    raise ReaderAway from None
                await asyncio.sleep(_RETRY_SECONDS)

    async def _ask_for_turn(self, asker: Asker) -> FrameChannel:
        channel = await self._connected()
        try:
            await channel.send({"party": asker.party, "kind": str(asker.kind)})
            async with asyncio.timeout(None if asker.kind is AskerKind.SCHEDULED else _TURN_SECONDS):
                answer = await channel.receive()
        except BaseException:
            channel.close()
            raise
        if "busy" in answer:
            channel.close()
            raise ReportsBusy(int(answer["busy"]))
        return channel

    async def _connected(self) -> FrameChannel:
        try:
            self._place.check()
            return FrameChannel(*await asyncio.open_unix_connection(str(self._place.socket)))
        except PlaceTaken as refusal:
            _log.error("reports cannot be asked: %s", refusal)
            raise Lost from None
        except OSError:
            raise Lost from None


@define(eq=False)
class ReaderTurn:
    """A turn, in which one query is asked after the other."""

    _channel: FrameChannel
    _asking: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def prepare(self, question: SiteQuestion, copy: Copy) -> None:
        """Let the queries from now on see a state of a site; `copy` brings the rows that are not there yet.

        Raises:
            ColumnsFailed: the rows do not fit into the memory, or cannot be read.
            StoreUnavailable: the store does not bring them.
            ReaderAway: the process has ended.

        """
        async with self._asking:
            answer = await self._answer({"prepare": messages.of_question(question)})
            while "bring" in answer:
                try:
                    await self._bring(answer, copy)
                except OSError as failure:
                    await self._answer({"brought": False})
                    raise unwritten(failure) from None
                except StoreUnavailable:
                    await self._answer({"brought": False})
                    raise
                answer = await self._answer({"brought": True})
        if "ready" not in answer:
            raise ColumnsFailed(Reason(answer["failed"]), answer["error"])

    async def query(
        self,
        text: str,
        parameters: Parameters,
        expressions: Sequence[str] = (),
        files: Sequence[ColumnFiles] = (),
        *,
        leaving_out: bool = False,
    ) -> Rows:
        """Return the rows of a query.

        Raises:
            ColumnsFailed: the query was not answered, or it is too large to be sent.
            ReaderAway: the process has ended.

        """
        question = {
            "text": text,
            "parameters": dict(parameters),
            "expressions": list(expressions),
            "files": list(map(messages.of_files, files)),
            "leaving_out": leaving_out,
        }
        async with self._asking:
            answer = await self._answer(question)
        if "rows" not in answer:
            raise ColumnsFailed(Reason(answer["failed"]), answer["error"])
        return [tuple(row) for row in answer["rows"]]

    def end(self) -> None:
        """Give the turn back; a query that is under way is ended."""
        self._channel.close()

    async def _bring(self, message: Message, copy: Copy) -> None:
        try:
            await copy(messages.wanted_of(message["bring"]), Path(message["directory"]))
        except asyncio.CancelledError:
            self.end()
            raise

    async def _answer(self, question: Message) -> Message:
        try:
            await self._channel.send(question)
        except Malformed:
            raise ColumnsFailed(Reason.OTHER, "TooLarge") from None
        except Lost:
            raise ReaderAway from None
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._channel.receive()
        except (Lost, Malformed, TimeoutError):
            raise ReaderAway from None
        except asyncio.CancelledError:
            # The answer of this query is not the one of the next.
            self.end()
            raise
