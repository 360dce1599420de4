"""The state of the reading process of this node, as commands ask for it."""

import asyncio
from time import monotonic

from attrs import frozen

from footfall.adapters.columns.locks import holding
from footfall.adapters.columns.reader.client import AWAY_SECONDS, ReaderAway, ReaderTurns
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.entrypoints.settings import Settings

_RETRY_SECONDS = 0.1


@frozen
class ReaderStanding:
    """Whether a worker keeps the process running, and the memory of its DuckDB in bytes when it answers."""

    is_kept: bool
    memory: int | None


async def reader_standing(settings: Settings) -> ReaderStanding:
    """Ask the process for its figures, for as long as an answer would wait for one that starts.

    Raises:
        PlaceTaken: the directory of its socket belongs to another user, or others may enter it.

    """
    place = SocketPlace(settings.data_dir)
    try:
        place.check()
    except FileNotFoundError:
        return ReaderStanding(is_kept=False, memory=None)
    memory = await _memory(place)
    return ReaderStanding(memory is not None or await _is_kept(place), memory)


async def _memory(place: SocketPlace) -> int | None:
    until = monotonic() + AWAY_SECONDS
    while place.socket.exists():
        try:
            return int((await ReaderTurns(place).figures())["memory"])
        except ReaderAway:
            if monotonic() >= until:
                break
            await asyncio.sleep(_RETRY_SECONDS)
    return None


async def _is_kept(place: SocketPlace) -> bool:
    if not place.lock.exists():
        return False
    async with holding(place.lock, within=0) as acquired:
        return not acquired
