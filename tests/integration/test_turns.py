"""Turns: one has it at a time, and the next one has it as soon as it is given back."""

from footfall.adapters.postgres.summaries import DayCounter
from footfall.adapters.postgres.turns import Turn, taking


async def test_only_one_has_the_turn(database_url):
    async with taking(Turn.RETENTION, database_url) as first, taking(Turn.RETENTION, database_url) as second:
        assert first is not None
        assert second is None


async def test_whoever_comes_next_has_the_turn_at_once(database_url):
    # Its working tables go when its connection ends, and before that the server keeps what the connection holds.
    for _ in range(50):
        async with DayCounter.begun(database_url) as counter:
            assert counter is not None
