"""The last use of links that a worker remembers."""

from datetime import timedelta

import pytest

from footfall.adapters.memory.uses import MemoryLinkUses
from footfall.application.access.link_uses import LinkTracker
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import NOON

DIGEST, OTHER = "a" * 64, "b" * 64
DAY = timedelta(days=1)


class CountingUses(MemoryLinkUses):
    """Counts how often something is recorded, and fails while it is told to."""

    def __init__(self):
        super().__init__()
        self.written, self.fails = [], False

    async def record(self, uses):
        if self.fails:
            raise StoreUnavailable("away")
        self.written.append(dict(uses))
        await super().record(uses)


async def test_a_link_is_written_once_a_day_however_often_it_is_used():
    uses = CountingUses()
    tracker = LinkTracker(uses)

    for hour in range(30):
        for _ in range(10):
            tracker.note(1, DIGEST, NOON + timedelta(hours=hour))
        await tracker.unwritten.flush()

    assert [list(one.values()) for one in uses.written] == [[NOON.date()], [(NOON + DAY).date()]]
    assert await uses.of_site(1) == {"a" * 16: (NOON + DAY).date()}


async def test_a_use_is_known_before_it_is_stored_and_the_latest_one_counts():
    uses = CountingUses()
    await uses.record({(1, "a" * 16): (NOON - DAY).date(), (1, "b" * 16): (NOON + DAY).date()})
    tracker = LinkTracker(uses)
    tracker.note(1, DIGEST, NOON)
    tracker.note(1, OTHER, NOON)

    assert await tracker.of(1, [DIGEST, OTHER, "c" * 64]) == {
        DIGEST: NOON.date(),
        OTHER: (NOON + DAY).date(),
    }
    assert await tracker.of(2, [DIGEST]) == {}


async def test_uses_that_were_not_stored_are_tried_again():
    uses = CountingUses()
    uses.fails = True
    tracker = LinkTracker(uses)
    tracker.note(1, DIGEST, NOON)
    with pytest.raises(StoreUnavailable):
        await tracker.unwritten.flush()

    uses.fails = False
    await tracker.unwritten.flush()

    assert await uses.of_site(1) == {"a" * 16: NOON.date()}
