"""Sums of errors by cause over days: a list counts with them as the domain counts hits."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from tests import histories
from tests.failing import DECISIONS, failing
from tests.generated import examples
from tests.histories import SITE, after
from tests.stores.stored import catch_up

EVERY = Page(1, 200)
# From the evening of the first day on: whole days in UTC, some of them with parts of others around them.
FIRST, LAST = st.integers(0, 4), st.integers(1, 5)
PARTS = st.sampled_from([timedelta(), timedelta(), timedelta(minutes=25), timedelta(hours=-3.25)])


@st.composite
def periods(draw):
    """Generate a period of days in UTC and, maybe, of parts of others."""
    first, last = sorted(draw(st.tuples(FIRST, LAST)))
    start, end = (after(hours=4 - 24, days=day) + draw(PARTS) for day in (first, last + 1))
    return Period(start, end)


@examples(300)
@given(
    log=failing(histories.nightly_histories(visitors=3, min_size=20), often=[3, 4]),
    sizes=st.lists(st.integers(1, 30), max_size=3),
    asked=st.lists(periods(), min_size=4, max_size=4),
    decisions=DECISIONS,
)
async def test_a_list_counts_with_days_what_the_domain_counts(stored, log, sizes, asked, decisions):
    await stored.empty()
    for size in [*sizes, len(log)]:
        await stored.append(log[:size])
        log = log[size:]
        await catch_up(stored.projector)
        for period in asked:
            found = await stored.error_groups.groups(SITE, period, decisions, EVERY)
            expected = await stored.error_group_oracle.groups(SITE, period, decisions, EVERY)
            assert found == expected
