"""The ledger of outcomes adds the counts of each call once."""

from datetime import timedelta

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.examples import NOON

BOT = OutcomeKey(1, "dropped", "bot")


async def test_a_repeated_call_adds_nothing(pool):
    ledger = MemoryTrafficLog() if pool is None else PostgresOutcomeLedger(pool)
    for source, number in (("a", 1), ("a", 1), ("b", 1), ("a", 2), ("a", 300), ("a", 2)):
        await ledger.add({(BOT, NOON): 1}, source=source, number=number)

    found = await ledger.read_counts(1, start=NOON, end=NOON + timedelta(hours=1))

    assert found == {BOT: 4}
