"""Groups of errors that an older version has not told apart, and sessions by positions."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.sessions import MemorySessions
from footfall.domain.error_tracking.decisions import ErrorDecisions
from tests import histories
from tests.failing import FINGERPRINTS, failing
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import catch_up, project_in_slices


@examples(8)
@given(log=failing(histories.histories(max_size=40)), size=st.integers(1, 7), since=st.integers(0, 60))
async def test_occurrences_projected_by_an_older_version_are_grouped_in_the_background(
    stored, log, size, since
):
    await stored.empty()
    await stored.append([one for one in log if one.position <= since])
    await catch_up(stored.projector)
    await _forget_groups(stored)
    await stored.append([one for one in log if one.position > since])

    projector = stored.new_projector(size=size)
    while await projector.catch_up():
        pass
    await projector.close()

    everything = await stored.error_groups.histories(SITE, ErrorDecisions(), FINGERPRINTS)
    assert everything == await stored.error_group_oracle.histories(SITE, ErrorDecisions(), FINGERPRINTS)
    rows = await stored.read_models()
    await stored.forget_read_models()
    await catch_up(stored.projector)
    assert (await stored.read_models())["error_sighting"] == rows["error_sighting"]


@examples(8)
@given(log=failing(histories.histories(max_size=40) | histories.long_histories()), seed=st.integers())
async def test_each_position_leads_to_the_session_that_holds_its_hit(stored, log, seed):
    await stored.empty()
    await stored.append(log)
    await project_in_slices(stored, seed)
    positions = range(log[-1].position + 2) if log else range(2)

    found = [await stored.reports.sessions.session_with(SITE, one) for one in positions]

    assert found == [await MemorySessions(stored.log).session_with(SITE, one) for one in positions]


async def _forget_groups(stored):
    """Leave the store as a migration finds it."""
    async with stored.connections.connection() as connection:
        await connection.execute(
            "delete from error_sighting; insert into error_history"
            " select 0, 0, '-infinity', 0, position from projection_checkpoint where position > 0"
        )
