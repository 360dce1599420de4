"""What changed most between two periods."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.traffic_log import Submission
from footfall.application.reports.comparison import earlier_rows, largest_movers
from footfall.domain.examples import a_hit
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.breakdown_changes import Movement, certain_movers, movers
from footfall.domain.traffic.report_query import ReportQuery
from tests.generated import examples

START = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
WINDOW = ReportPeriod(Period(START + DAY, START + 2 * DAY), Period(START, START + DAY), parse_zone("UTC"))
counts = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(1, 9))


def rows(counts):
    return [BreakdownRow(value, count) for value, count in counts.items()]


def test_largest_change_comes_first_whether_it_grew_or_fell():
    found = movers(rows({"a": 5, "b": 1, "new": 2, "same": 3}), rows({"a": 4, "b": 9, "gone": 2, "same": 3}))

    assert found == [Movement("b", 1, 9), Movement("gone", 0, 2), Movement("new", 2, 0), Movement("a", 5, 4)]
    assert [one.change for one in found] == [-8 / 9, -1.0, None, 0.25]


@given(counts, counts)
def test_differences_add_up_to_the_change_of_the_total(now, before):
    found = movers(rows(now), rows(before))

    assert sum(one.difference for one in found) == sum(now.values()) - sum(before.values())


def test_movers_of_a_part_are_certain_only_above_what_is_left():
    sides = rows({"a": 9, "b": 3}), rows({"a": 1, "b": 3})

    assert certain_movers(sides, 7, 1) == [Movement("a", 9, 1)]
    assert certain_movers(sides, 8, 1) is None
    assert certain_movers(sides, 1, 2) is None
    assert certain_movers(sides, 0, 2) == [Movement("a", 9, 1)]


async def log_of(now, before):
    log = MemoryTrafficLog()
    hits = [
        a_hit(site_id=1, pathname=f"/{value}", occurred_at=START + offset + timedelta(seconds=number))
        for offset, side in ((timedelta(), before), (DAY, now))
        for value, count in side.items()
        for number in range(count)
    ]
    for hit in hits:
        await log.submit(Submission(pending=(PendingHit(hit=hit),)))
    return MemoryBreakdowns(log)


@examples(60)
@given(now=counts, before=counts, limit=st.integers(1, 5), first=st.integers(1, 4))
async def test_movers_that_are_read_in_parts_are_those_of_all_values(now, before, limit, first):
    breakdowns = await log_of(now, before)
    everything = [
        (await breakdowns.break_down(1, "pathname", ReportQuery(period), Page(1, 100))).rows
        for period in (WINDOW.period, WINDOW.before)
    ]

    found = await largest_movers(breakdowns, 1, "pathname", WINDOW, (), limit, first=first)

    assert found.movements == movers(*everything)[:limit]
    assert (found.count, found.before) == (sum(now.values()), sum(before.values()))


async def test_rows_come_with_their_count_and_rank_in_the_other_period():
    breakdowns = await log_of({"a": 3, "b": 2, "new": 1}, {"b": 5, "c": 4, "a": 1})
    page = await breakdowns.break_down(1, "pathname", ReportQuery(WINDOW.period), Page(1, 10))

    earlier = await earlier_rows(breakdowns, 1, "pathname", ReportQuery(WINDOW.before), page)

    assert {value: (row.count, row.rank) for value, row in earlier.rows.items()} == {
        "/b": (5, 1),
        "/a": (1, 3),
    }
    assert earlier.count == 10


@pytest.mark.parametrize("side", [{}, {"a": 2}])
async def test_period_without_data_has_its_movers(side):
    breakdowns = await log_of(side, {})

    found = await largest_movers(breakdowns, 1, "pathname", WINDOW, (), 5)

    assert [one.difference for one in found.movements] == list(side.values())
