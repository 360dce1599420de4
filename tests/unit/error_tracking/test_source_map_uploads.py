"""Uploads of source maps take turns."""

import asyncio

import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.source_maps import MemorySourceMaps
from footfall.application.commands.source_map_uploads import SourceMapUploads, UploadsBusy
from footfall.domain.examples import NOON


async def test_one_upload_is_read_at_a_time_and_the_next_one_has_its_turn_afterwards():
    uploads, order = SourceMapUploads(MemorySourceMaps(), ManualClock(NOON)), []

    async def read(name):
        async with uploads.turn():
            order.append(f"{name} begins")
            await asyncio.sleep(0)
            order.append(f"{name} ends")

    await asyncio.gather(read("first"), read("second"))

    assert order == ["first begins", "first ends", "second begins", "second ends"]


async def test_an_upload_whose_turn_does_not_come_in_time_is_refused():
    taken = asyncio.Semaphore(0)
    uploads = SourceMapUploads(MemorySourceMaps(), ManualClock(NOON), seconds=0.01, turn=taken)

    with pytest.raises(UploadsBusy):
        async with uploads.turn():
            pass
