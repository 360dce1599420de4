"""States between two answers: what PostgreSQL says is what the domain says of the hits that count in them."""

import random

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.arrivals import MemoryArrivals
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.citations.arrivals import PostgresArrivals
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import LATE, Arrivals, Origin
from footfall.domain.citations.positions import Positions
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.traffic.breakdown import DIMENSIONS
from tests import conditions, histories
from tests.conditions import RULES
from tests.contract.reports.test_past_reports import ANY_LOG, ANY_PERIOD, everything
from tests.generated import examples
from tests.histories import KEYED, SITE, START
from tests.stores.stored import project_in_slices

# They tell more than counts of the period, and are in no explanation.
_WITH_HISTORY = {"since", "new", "summary", "groups", "knows", "realtime", "causes"}


@examples(40)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
    seed=st.integers(),
    period=ANY_PERIOD,
    filters=st.lists(conditions.any_filters(), max_size=1),
    rules=st.lists(RULES, min_size=1, max_size=2),
    by=st.sampled_from([*DIMENSIONS, *KEYED]),
    origins=st.sets(st.sampled_from(Origin)),
)
async def test_a_state_with_some_later_hits_is_that_of_the_domain(
    stored, log, cuts, seed, period, filters, rules, by, origins
):
    await stored.empty()
    log, imported = _measured(*arrived(log, seed), seed)
    since, until = [log[min(int(cut * len(log)), len(log) - 1)].position for cut in cuts]
    await store(stored, log, imported, seed)
    question = PastQuestion(
        positions=Positions(SITE, START, 0, since),
        span=period,
        arrivals=Arrivals(frozenset(origins), until),
    )
    goals = list(map(GoalQuery, rules))

    async with (
        stored.snapshots().past(question) as past,
        MemoryReportSnapshots(stored.log, stored.journal).past(question) as oracle,
    ):
        found = await everything(past, goals, period, filters, by)
        expected = await everything(oracle, goals, period, filters, by)

    assert _figures(found) == _figures(expected)


@examples(20)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
    seed=st.integers(),
    period=ANY_PERIOD,
)
async def test_arrivals_are_counted_as_in_the_log(stored, log, cuts, seed, period):
    await stored.empty()
    log, imported = _measured(*arrived(log, seed), seed)
    since, until = [round(cut * log[-1].position) for cut in cuts]
    await store(stored, log, imported, seed)

    between = {"since": since, "until": until}
    found, oracle = PostgresArrivals(stored.reading), MemoryArrivals(stored.log)

    assert await found.count(SITE, period, **between) == await oracle.count(SITE, period, **between)
    measures = await oracle.count_measures(SITE, period, **between)
    assert await found.count_measures(SITE, period, **between) == measures


def arrived(log, seed):
    """Return the log with some late hits, and the positions of imported ones."""
    chance = random.Random(seed)
    delays = [0 * LATE, 0 * LATE, LATE, 2 * LATE]
    changed = [
        evolve(one, hit=evolve(one.hit, received_at=one.hit.occurred_at + chance.choice(delays)))
        for one in log
    ]
    return changed, {one.position for one in changed if chance.random() < 0.3}


def _measured(log, imported, seed):
    """Return the log with measures, which have moved its positions."""
    return histories.with_measures(log, seed), {4 * position for position in imported}


async def store(stored, log, imported, seed):
    """Store hits, some of them imported, and project them."""
    stored.log.imported |= imported
    await stored.append(log)
    async with stored.connections.connection() as connection, connection.transaction():
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("update hit set import_id = 1 where position = any(%s)", (sorted(imported),))
    await project_in_slices(stored, seed)


def _figures(found):
    kept = {name: one for name, one in found.items() if name not in _WITH_HISTORY}
    counted = [(one.message, one.count, one.session_count) for one in kept.pop("errors").summaries]
    return {**kept, "errors": sorted(counted)}
