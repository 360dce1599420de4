"""Reports whose filters on hits look rare to the planner and are not, on a store without statistics."""

import asyncio
from datetime import timedelta

import psycopg
import pytest

from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.examples import NOON
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE
from tests.stores.stored import catch_up

SESSIONS = 15_000
DAY = Period(NOON - timedelta(hours=12), NOON + timedelta(hours=12))
FIRST = Page(1, 20)
# Each selects all sessions.
FILTERS = [
    Filter("pathname", FilterType.STARTS_WITH, ("/blog",)),
    Filter("event_name", FilterType.EQUALS, ("signup",)),
]
_WRITE = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, pathname, event_name, properties, device_type)
    select
        1, visitor, %(at)s::timestamptz + part * interval '1 second', %(at)s, type::hit_type, '/blog', name,
        case when type = 'error' then jsonb_build_object('message', 'm') end, 'desktop'
    from generate_series(1, %(sessions)s) as visitor
    cross join (
        values (1, 'pageview', null), (2, 'custom_event', 'signup'), (3, 'error', 'TypeError')
    ) as hit (part, type, name)
    order by visitor, part
"""


@pytest.fixture
async def filled(stored, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
        connection.execute(_WRITE, {"at": NOON, "sessions": SESSIONS})
    await catch_up(stored.projector)
    return stored


@pytest.mark.slow
async def test_two_filters_on_hits_are_no_product_of_what_they_find(filled):
    errors, groups, decisions = filled.errors, filled.error_groups, ErrorDecisions()

    # They take a tenth of a second each; comparing each session with each hit takes half a minute.
    async with asyncio.timeout(10):
        names = await filled.reports.error_names.summarize(SITE, ReportQuery(DAY, FILTERS), FIRST)
        occurrences = await errors.occurrences(SITE, "m", ReportQuery(DAY, FILTERS), FIRST)
        caused = await groups.groups(SITE, ReportQuery(DAY, FILTERS), decisions, FIRST)
        [group] = caused.summaries
        details = await groups.details(SITE, group.group, ReportQuery(DAY, FILTERS), decisions)
        overview = await filled.traffic.overview(SITE, ReportQuery(DAY, FILTERS))

    assert [one.count for one in names.summaries] == [SESSIONS]
    assert occurrences.total == group.count == SESSIONS
    assert [one.count for one in details.browsers] == [SESSIONS]
    assert overview.sessions == SESSIONS
