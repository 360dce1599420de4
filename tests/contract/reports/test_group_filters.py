"""Filters by groups of pages: what the stores select is what the function of the domain selects."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.pagination import Page
from tests import histories
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import catch_up

ALL = Page(1, 100)


@examples(60)
@given(
    log=histories.histories(max_size=60),
    period=histories.periods(),
    filters=st.lists(histories.group_filters(), min_size=1, max_size=2),
)
async def test_selected_sessions_are_those_of_the_domain(stored, log, period, filters):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    overview = await stored.traffic.overview(SITE, period, filters)
    new = await stored.errors.new(SITE, period, ALL, filters)

    assert overview == await stored.oracle.overview(SITE, period, filters)
    assert new == await stored.error_oracle.new(SITE, period, ALL, filters)
