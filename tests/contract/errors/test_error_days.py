"""Sums of errors by cause over days: a list counts with them as the domain counts hits."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.maintenance.import_undo import Undo
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.application.ports.imports import LedgerKey
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.subject import Subject
from tests import histories
from tests.failing import DECISIONS, failing
from tests.generated import examples
from tests.histories import SITE, after, error, record
from tests.stores.interrupted import InterruptedConnection, InterruptedConnections
from tests.stores.lived import Lived, Named
from tests.stores.stored import catch_up, erase_visitor

EVERY = Page(1, 200)
# From the evening of the first day on: whole days in UTC, some of them with parts of others around them.
FIRST, LAST = st.integers(0, 4), st.integers(1, 5)
WHOLE_DAYS = [(first, last) for first in range(-1, 5) for last in range(first + 1, 6)]
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
        await count_days(stored)
        for period in asked:
            found = await stored.error_groups.groups(SITE, ReportQuery(period), decisions, EVERY)
            expected = await stored.error_group_oracle.groups(SITE, ReportQuery(period), decisions, EVERY)
            assert found == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [("leave", Subject(frozenset({"anna"}))), ("expire", after(days=2, hours=5)), ("undo", None)],
)
async def test_what_is_erased_counts_on_no_day(stored, name, value):
    # Each day ends and begins with an error of each of two visitors.
    minutes = [day * 1440 + 240 + minute for day in range(5) for minute in (-10, 10)]
    log = record(
        *(
            error("x is not defined", after(minutes=at), visitor_id=number, user_id=user)
            for at in minutes
            for number, user in ((1, "anna"), (2, "bob"))
        )
    )
    world = Lived(SimpleNamespace(stored=stored), [])
    await world.bring(log)
    await stored.append(record(*(one.hit for one in log), first=len(log) + 1))
    await count_days(stored)
    asked = [Period(after(hours=4, days=first), after(hours=4, days=last)) for first, last in WHOLE_DAYS]
    before = [await lists(stored, period) for period in asked]
    assert await counted_days(stored) > 0

    await getattr(world, name)(value)

    found = [await lists(stored, period) for period in asked]
    assert found != before
    await count_days(stored)
    assert [await lists(stored, period) for period in asked] == found
    assert await counted_days(stored) > 0


async def test_the_sums_have_nothing_that_a_part_of_an_erasure_has_erased(stored):
    await stored.append(
        record(
            *(
                error("x is not defined", after(days=day, hours=hours), user_id="anna")
                for day in range(4)
                for hours in (8, 10)
            )
        )
    )
    await count_days(stored)
    period, seen = Period(after(hours=4), after(days=3, hours=4)), []

    class Looking(Erasing):
        async def run(self):
            more = await super().run()
            page = await stored.error_groups.groups(SITE, ReportQuery(period), ErrorDecisions(), EVERY)
            async with stored.connections.connection() as connection:
                query = "select count(*) as count from error_sighting where occurred_at >= %s and occurred_at < %s"
                [row] = await (await connection.execute(query, (period.start, period.end))).fetchall()
            seen.append((sum(one.count for one in page.summaries), row["count"]))
            return more

    await erase_visitor(stored, Subject(frozenset({"anna"})), 1, Looking)

    assert len(set(seen)) > 2
    assert [counted for counted, _ in seen] == [left for _, left in seen]


async def test_the_sums_have_nothing_that_a_part_of_an_undo_has_erased(stored):
    hits = [
        error("x is not defined", after(days=day, hours=hours), visitor_id=9)
        for day in range(4)
        for hours in (3.9, 4.1)
    ]
    imports = PostgresImports(stored.connections, 1)
    record = await imports.begin(SITE, Named(1), now=after())
    counts = {LedgerKey(str(one.occurred_at.date()), str(one.type), ""): 2 for one in hits}
    record = await imports.store(record, hits, mark="m", counts=counts, now=after())
    await count_days(stored)
    spans = ((0, 1), (0, 3), (2, 4))
    periods = [Period(after(hours=4, days=first), after(hours=4, days=last)) for first, last in spans]
    seen = set()

    class Looking(InterruptedConnection):
        async def execute(self, *arguments, **options):
            # Where the projector gets the lock, it counts days between the transactions of the undo.
            await count_days(stored)
            for period in periods:
                page = await stored.error_groups.groups(SITE, ReportQuery(period), ErrorDecisions(), EVERY)
                left = await sightings(stored, period)
                assert [(one.count, one.session_count) for one in page.summaries] == left
                seen.update(left)
                for one in page.summaries:
                    await stored.error_groups.details(SITE, one.group, ReportQuery(period), ErrorDecisions())
            return await super().execute(*arguments, **options)

    async with stored.connections.connection() as connection:
        watched = Looking(connection, InterruptedConnections(stored.connections, ()))
        await (await Undo.begun(watched, record, 1)).run(lambda _: None)

    assert len(seen) > 2
    assert await counted_days(stored) == 0


async def sightings(stored, period):
    """Return how many errors and sessions there are of each cause."""
    async with stored.connections.connection() as connection:
        query = """
            select count(*) as count, count(distinct session_id) as sessions
            from error_sighting where occurred_at >= %s and occurred_at < %s group by fingerprint
        """
        rows = await (await connection.execute(query, (period.start, period.end))).fetchall()
    return [(row["count"], row["sessions"]) for row in rows]


async def counted_days(stored):
    """Return how many days have sums."""
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select count(distinct day) as days from error_day")
        [row] = await cursor.fetchall()
    return row["days"]


async def count_days(stored):
    """Project all hits, and then count the days that these have named."""
    for _ in range(2):
        await catch_up(stored.projector)


async def lists(stored, period):
    """Return the list of a period, which is that of the domain."""
    found = await stored.error_groups.groups(SITE, ReportQuery(period), ErrorDecisions(), EVERY)
    assert found == await stored.error_group_oracle.groups(SITE, ReportQuery(period), ErrorDecisions(), EVERY)
    return found
