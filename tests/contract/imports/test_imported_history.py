"""Imported history counts as any other: goals and funnels over it are those of the domain, also goals of earlier."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.funnels import MemoryFunnels
from footfall.domain.funnels.progress import FunnelSteps
from footfall.domain.tracking.hit import RecordedHit
from tests import histories
from tests.contract.imports.test_import_undo import (
    begun,
    imported,
    of_import,
    positions,
    undone,
    without_imports,
)
from tests.generated import examples
from tests.histories import RULES, SITE
from tests.stores.stored import catch_up

unhurried = examples(40)


async def bring(stored, log):
    """Import hits, into the oracle, too."""
    hits = of_import(log)
    record = await imported(stored, await begun(stored), hits)
    brought = [position for position, number in await positions(stored) if number == record.import_id]
    stored.log.hits += [RecordedHit(*one) for one in zip(brought, hits, strict=True)]
    return record


@unhurried
@given(
    tracked=histories.histories(max_size=20),
    brought=histories.histories(max_size=40),
    rules=st.lists(RULES, min_size=2, max_size=3),
    within_days=st.sampled_from([None, 1, 30]),
    period=histories.periods(),
    defined_before=st.booleans(),
)
async def test_goals_and_funnels_count_imported_history_until_it_is_taken_back(
    stored, tracked, brought, rules, within_days, period, defined_before
):
    await stored.empty()
    await without_imports(stored)
    goals = [(await stored.define(rule))[1] for rule in rules] if defined_before else []
    await stored.append(tracked)
    record = await bring(stored, brought)
    await catch_up(stored.projector)
    goals = goals or [(await stored.define(rule))[1] for rule in rules]
    await catch_up(stored.projector)
    steps = FunnelSteps(tuple(rules), within_days)

    async def answers():
        return (
            await stored.goals.count_conversions(SITE, goals, period, []),
            await stored.reports.funnels.progress(SITE, steps, period, []),
        )

    async def expected():
        return (
            await stored.oracle.count_conversions(SITE, goals, period, []),
            await MemoryFunnels(stored.log).progress(SITE, steps, period, []),
        )

    assert await answers() == await expected()

    await undone(stored, record)
    stored.log.hits = stored.log.hits[: len(tracked)]

    assert await answers() == await expected()
