"""First hits of figures: what PostgreSQL says is what the domain says of the log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.citations.changes import PostgresChanges
from footfall.domain.citations.changes import first_hits
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.traffic.session import visits
from tests import histories
from tests.generated import examples
from tests.histories import RULES, SITE
from tests.stored import catch_up


@examples(40)
@given(
    log=histories.histories(max_size=60).filter(bool),
    places=st.lists(st.floats(0, 1), min_size=2, max_size=4).map(sorted),
    period=histories.periods(),
    rules=st.lists(RULES, max_size=2),
    imported=st.sets(st.integers(1, 60)),
)
async def test_first_hits_are_those_of_the_domain(stored, log, places, period, rules, imported):
    await stored.empty()
    await stored.append(log)
    await _import(stored, imported)
    await catch_up(stored.projector)
    cuts = [round(place * log[-1].position) for place in places]

    found = await PostgresChanges(stored.connections).first_hits(SITE, period, [*map(GoalQuery, rules)], cuts)

    assert _in_differences(found) == _in_differences(first_hits(visits(log), period, rules, cuts, imported))


def _in_differences(found):
    """Return the first hits without those of the overview before the first cut."""
    return {one for one in found if one.stretch or one.rule is not None}


async def _import(stored, positions):
    async with stored.connections.connection() as connection, connection.transaction():
        await connection.execute("set local footfall.erasing = 'on'")
        await connection.execute("update hit set import_id = 1 where position = any(%s)", (list(positions),))
