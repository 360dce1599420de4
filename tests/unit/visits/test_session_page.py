"""The page of a session: its visitor's other visits, what rules leave out, and what is read without a turn."""

from datetime import timedelta

import pytest

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.reports.catalogue.sessions import SessionsInquiry
from footfall.application.reports.session_page import (
    AROUND,
    MOST_OTHERS,
    SHORT,
    SessionQuestion,
    find_session,
    show_session,
)
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.sites.excluded_patterns import matches_any
from footfall.domain.traffic.filters import excluding
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import INACTIVITY, session_text
from tests.conditions import filter_of
from tests.histories import SITE, START, after, hit, record

RULES = (excluding([[filter_of("browser", "equals", "Excluded")]]),)
MOMENT = timedelta(microseconds=1)


async def page_of(log, position, exclusion=(), **limits):
    """Return the page of the session that holds a hit of a log."""
    question = SessionQuestion(
        position=position,
        page=Page(1, 10),
        goals=(),
        decisions=ErrorDecisions(),
        exclusion=exclusion,
        **limits,
    )
    return await show_session(MemoryReports(MemoryTrafficLog(log)), SITE, question, matches_any)


def visited(*times, **known):
    """Return a log of one visitor with a hit at each time."""
    return record(*(hit(at, **known) for at in times))


async def test_a_page_whose_goals_take_too_long_is_refused():
    [one] = visited(START)

    with pytest.raises(Invalid) as refused:
        await page_of([one], one.position, seconds=0.0)

    assert [*refused.value.field_errors] == ["limit"]


@pytest.mark.parametrize("more", [0, 1])
async def test_the_newest_20_other_visits_are_there_and_whether_there_are_more(more):
    log = visited(*(after(hours=hour) for hour in range(MOST_OTHERS + 1 + more)))

    first, last = [await page_of(log, one.position) for one in (log[0], log[-1])]

    newest = [one.hit.occurred_at for one in reversed(log)]
    assert [other.start for other in first.others] == newest[:MOST_OTHERS]
    assert [other.start for other in last.others] == newest[1 : MOST_OTHERS + 1]
    assert (first.has_more, last.has_more) == (bool(more), bool(more))


@pytest.mark.parametrize(
    ("time", "is_there"),
    [
        (-AROUND - MOMENT, False),
        (-AROUND, True),
        (AROUND - MOMENT, True),
        (AROUND, False),
    ],
)
async def test_other_visits_lie_within_30_days_before_and_after(time, is_there):
    page = await page_of(visited(START, START + time), 1)

    assert [other.start - START for other in page.others] == ([time] if is_there else [])


@pytest.mark.parametrize("visits", [1, MOST_OTHERS + 1, MOST_OTHERS + 2, 2 * MOST_OTHERS])
async def test_rules_leave_out_a_visit_also_where_it_would_stand_behind_the_end_of_the_list(visits):
    others = [hit(after(hours=hour)) for hour in range(1, visits)]

    excluded = await page_of(record(hit(browser="Excluded"), *others), 1, RULES)
    counted = await page_of(record(hit(browser="Firefox"), *others), 1, RULES)

    assert (excluded.excluded, counted.excluded) == (True, False)


@pytest.mark.parametrize(("length", "is_short"), [(SHORT, True), (SHORT + timedelta(seconds=1), False)])
async def test_the_page_of_a_visit_of_an_hour_is_cheap_without_rules(length, is_short):
    log = visited(START, START + length / 3, START + length / 2, START + length * 0.9, START + length)

    found = await find_session(MemoryReports(MemoryTrafficLog(log)), SITE, session_text(1))

    assert (found.is_cheap(()), found.is_cheap(RULES)) == (is_short, False)


@pytest.mark.parametrize(
    ("asked", "is_cheap"),
    [
        ({}, True),
        ({"visitor": 7}, True),
        ({"length": INACTIVITY - MOMENT}, False),
        ({"filters": [filter_of("browser", "equals", "Firefox")]}, False),
        ({"filters": RULES}, False),
        ({"choice": RowChoice(containing="/")}, False),
    ],
)
async def test_a_list_is_cheap_if_times_and_visitors_alone_tell_what_it_has(asked, is_cheap):
    choice = {name: asked[name] for name in ("visitor", "choice") if name in asked}
    period = Period(START, START + asked.get("length", INACTIVITY))

    inquiry = SessionsInquiry(ReportQuery(period, asked.get("filters", ())), **choice)

    assert await inquiry.is_cheap(None, SITE) is is_cheap
