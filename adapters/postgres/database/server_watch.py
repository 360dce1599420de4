"""A watch over what waits for a server that may hang: it neither answers nor refuses, as one that is stopped."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

from footfall.adapters.postgres.database.connections import connect
from footfall.application.ports.journal import StoreUnavailable

# Waits that last longer make the watch ask the server for a new connection, and it has so long to give one: with both,
# requests wait at most 3 seconds (docs/internals/servers/cells.md#when-a-cell-is-away).
SUSPECT_SECONDS = 0.6
ANSWER_SECONDS = 1.6
# Between two questions to a server that hangs, or takes long for its answers.
ASK_SECONDS = 1.0

HANGS = "the store hangs: it does not answer"


@define(eq=False)
class HangingServerWatch:
    """Ends what waits for a hanging server, and refuses new waits until it answers again.

    A server that takes long for an answer, and gives a new connection meanwhile, only works.
    """

    _url: str = field(repr=False)
    _waits: dict[object, tuple[float, Callable[[], None]]] = field(factory=dict, init=False)
    _hangs: bool = field(default=False, init=False)
    _watching: asyncio.Task[None] | None = field(default=None, init=False)

    def require(self) -> None:
        """Raise StoreUnavailable while the server hangs."""
        if self._hangs:
            raise StoreUnavailable(HANGS)

    @contextmanager
    def watching(self, cut: Callable[[], None]) -> Iterator[None]:
        """Watch a wait, which `cut` ends.

        Raises:
            StoreUnavailable: the server hangs already.

        """
        self.require()
        wait = object()
        self._waits[wait] = asyncio.get_running_loop().time(), cut
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            del self._waits[wait]

    def close(self) -> None:
        """Watch no more."""
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while self._waits or self._hangs:
            oldest = min((since for since, _ in self._waits.values()), default=float("-inf"))
            patience = oldest + SUSPECT_SECONDS - asyncio.get_running_loop().time()
            if patience > 0 and not self._hangs:
                await asyncio.sleep(patience)
            else:
                await self._ask()
                await asyncio.sleep(ASK_SECONDS)

    async def _ask(self) -> None:
        asking = asyncio.create_task(self._answers())
        try:
            await asyncio.wait([asking], timeout=ANSWER_SECONDS)
            if not asking.done():
                self._hang()
            # The next of several hosts may answer: the driver asks one after the other.
            await asking
            self._hangs = False
        finally:
            asking.cancel()

    def _hang(self) -> None:
        self._hangs = True
        for _, cut in list(self._waits.values()):
            cut()

    async def _answers(self) -> None:
        """Return when the server has given a connection, or has refused one."""
        while True:
            if await _connects(self._url):
                return
            await asyncio.sleep(ASK_SECONDS)


async def _connects(url: str) -> bool:
    """Return whether a server gives a connection, or refuses it; it hangs while it does neither."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        connection = await connect(url)
    except StoreUnavailable:
        return loop.time() - began < ANSWER_SECONDS
    await connection.close()
    return True
