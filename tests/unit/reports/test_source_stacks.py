"""Stacks as written: which maps are read, how often, and what remains when one cannot be."""

import asyncio
from datetime import timedelta

import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.source_maps import MemorySourceMaps
from footfall.application.ports.errors.source_maps import UnreadableSourceMap
from footfall.application.reports.source_stacks import PATIENCE, SourceStacks
from footfall.domain.error_tracking.occurrence import Occurrence, error_details
from footfall.domain.error_tracking.source_maps import MinifiedFile, Original, PackedFile
from footfall.domain.examples import NOON
from tests.histories import after, error

FRAME = "    at pay (https://e.com/assets/{}:1:{})"


class Maps:
    """A Symbolicator that knows the line of each column, and says which code it was asked about."""

    def __init__(self):
        self.asked = []

    async def originals(self, content, places):
        self.asked.append((content.code, list(places)))
        if content.code == b"unreadable":
            raise UnreadableSourceMap("no")
        if content.code == b"endless":
            await asyncio.Future()
        known = [Original(file_name="pay.js", line_number=column, column_number=1) for _, column in places]
        return [None if place[1] == 99 else one for place, one in zip(places, known, strict=True)]


class World:
    def __init__(self, seconds=10.0, kept=None):
        self.kept, self.reader, self.clock = kept or MemorySourceMaps(), Maps(), ManualClock(NOON)
        self.stacks = SourceStacks(self.kept, self.reader, self.clock, seconds)

    async def keep(self, name="assets/app.js", code=b"code", release="1.0"):
        await self.kept.put(1, release, name, PackedFile.of(MinifiedFile(code, b"{}")), NOON)

    async def read(self, *stacks, release="1.0", site_id=1):
        return await self.stacks.of(site_id, [met(one, release) for one in stacks])


def met(stack, release="1.0"):
    hit = error("x", after(minutes=1), release=release, properties={"message": "x", "stack": stack})
    return Occurrence(1, hit, 1, "u", error_details(hit.properties))


@pytest.fixture
def world():
    return World()


def written(sourced):
    return [one.original and one.original.line_number for one in sourced.lines]


async def test_a_frame_of_a_kept_file_has_its_place_as_written(world):
    await world.keep()

    [found] = await world.read(
        f"{FRAME.format('app.js', 27)}\n    at <anonymous>\n{FRAME.format('other.js', 5)}"
    )

    assert written(found) == [27, None, None]
    assert found.lines[2].text.strip() == FRAME.format("other.js", 5).strip()
    assert found.unreadable == ()


async def test_a_stack_without_a_release_or_a_kept_file_stays_as_it_was_sent(world):
    await world.keep()
    stack = FRAME.format("app.js", 27)

    assert await world.read(stack, release=None) == [None]
    assert await world.read(stack, release="2.0") == [None]
    assert await world.read(stack, site_id=2) == [None]
    assert await world.read(FRAME.format("else.js", 1)) == [None]
    assert world.reader.asked == []


async def test_without_a_reader_of_maps_stacks_stay_as_they_were_sent(world):
    await world.keep()

    assert await SourceStacks(world.kept, None, world.clock).of(1, [met(FRAME.format("app.js", 1))]) == [None]


async def test_the_longest_name_of_a_file_is_taken(world):
    await world.keep("app.js", b"short")
    await world.keep("assets/app.js", b"long")

    await world.read(FRAME.format("app.js", 27))

    assert [code for code, _ in world.reader.asked] == [b"long"]


async def test_a_file_is_read_once_for_all_stacks_and_remembered(world):
    await world.keep()
    stacks = [FRAME.format("app.js", column) for column in (1, 2, 1, 99)]

    first = await world.read(*stacks)
    again = await world.read(*stacks)

    assert world.reader.asked == [(b"code", [(1, 1), (1, 2), (1, 99)])]
    assert first == again
    assert [written(one) if one else None for one in first] == [[1], [2], [1], None]


async def test_an_upload_that_replaces_a_file_is_seen_at_once(world):
    await world.keep()
    await world.read(FRAME.format("app.js", 1))
    await world.keep(code=b"newer")

    await world.read(FRAME.format("app.js", 1))

    assert [code for code, _ in world.reader.asked] == [b"code", b"newer"]


async def test_an_unreadable_map_is_named_and_left_alone_for_a_while(world):
    await world.keep(code=b"unreadable")

    [found] = await world.read(FRAME.format("app.js", 1))
    await world.read(FRAME.format("app.js", 1))
    world.clock.advance(PATIENCE + timedelta(seconds=1))
    await world.read(FRAME.format("app.js", 1))

    assert (found.is_mapped, found.unreadable) == (False, ("assets/app.js",))
    assert len(world.reader.asked) == 2


async def test_an_answer_waits_for_maps_no_longer_than_it_may():
    world = World(seconds=0.5)
    await world.keep("assets/a.js", b"first")
    await world.keep("assets/b.js", b"endless")

    found = await world.read(FRAME.format("a.js", 1), FRAME.format("b.js", 1))

    assert [one and written(one) for one in found] == [[1], None]


async def test_a_file_that_is_deleted_meanwhile_leaves_the_stack_as_it_was_sent():
    class Forgetful(MemorySourceMaps):
        async def read(self, *_place):
            return None

    world = World(kept=Forgetful())
    await world.keep()

    assert await world.read(FRAME.format("app.js", 1)) == [None]
    assert world.reader.asked == []
