"""A process that holds two turns of a reading process and asks a query in each, until it is killed."""

import asyncio
import sys
from pathlib import Path

from footfall.adapters.columns.reader.client import ReaderTurns
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.application.ports.reports.askers import Asker


async def ask(data_dir, text):
    turns = ReaderTurns(SocketPlace(Path(data_dir)))
    asker = Asker.of("acme", belongs=True)
    async with turns.turn(asker) as one, turns.turn(asker) as other:
        await asyncio.gather(*(turn.query(text, {"seven": 7}) for turn in (one, other)))


asyncio.run(ask(*sys.argv[1:]))
