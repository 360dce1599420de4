"""Sessions by the positions of hits."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from tests import histories
from tests.failing import failing
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import project_in_slices


@examples(8)
@given(log=failing(histories.histories(max_size=40) | histories.long_histories()), seed=st.integers())
async def test_each_position_leads_to_the_session_that_holds_its_hit(stored, log, seed):
    await stored.empty()
    await stored.append(log)
    await project_in_slices(stored, seed)
    positions = range(log[-1].position + 2) if log else range(2)

    found = [await stored.reports.sessions.session_with(SITE, one) for one in positions]

    assert found == [await MemoryReports(stored.log).session_with(SITE, one) for one in positions]
