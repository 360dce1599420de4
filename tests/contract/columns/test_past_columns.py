"""The past by columns: files of days that have changed since answer for the sessions that have not."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import Arrivals, Origin
from footfall.domain.citations.positions import Positions
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.breakdown import DIMENSIONS
from footfall.domain.traffic.overview import overview
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.session_list import SessionsQuery
from footfall.entrypoints.composition.reports import in_turns
from tests import conditions, histories
from tests.conditions import RULES
from tests.contract.columns.test_sessions import one_by_one
from tests.contract.reports.test_arrivals import arrived
from tests.contract.reports.test_past_reports import ANY_LOG
from tests.generated import examples
from tests.histories import KEYED, SITE, START, after, hit, record
from tests.stores.stored import MEMBER, catch_up

PAGE = Page(1, 50)
STEPS = FunnelSteps((PathRule("/*"), PathRule("/blog*")))


@examples(40)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    period=histories.periods().filter(lambda period: 1 <= period.length.days < 80),
    filters=st.lists(conditions.filters(), max_size=2),
    rules=st.lists(RULES, min_size=1, max_size=2),
    by=st.sampled_from([*DIMENSIONS, *KEYED]),
    seed=st.integers(0, 1000),
    origins=st.none() | st.sets(st.sampled_from([Origin.IN_TIME, Origin.LATE, Origin.ENGAGEMENT])),
)
async def test_the_past_by_columns_is_that_of_the_domain(
    node, log, cuts, period, filters, rules, by, seed, origins
):
    stored, (cut, closed) = node.stored, cuts
    await stored.empty()
    log = histories.with_measures(arrived(log, seed)[0], seed)
    arrivals = None if origins is None else Arrivals(frozenset(origins), log[-1].position)
    goals = [(await stored.define(rule))[1] for rule in rules]
    await node.store(log, round(len(log) * closed), seed)
    traffic = max(log[min(int(cut * len(log)), len(log) - 1)].position, log[0].position)
    question = _question(period, traffic, len(rules), arrivals)

    async with (
        PostgresReportSnapshots(stored.reading, stored.past, in_turns(node.turns, node.columns)).past(
            question, MEMBER
        ) as past,
        MemoryReportSnapshots(stored.log, stored.journal).past(
            _question(period, traffic, 0, arrivals)
        ) as oracle,
    ):
        found = await _figures(past, goals, period, filters, by)
        expected = await _figures(oracle, goals, period, filters, by)

    if arrivals is not None:
        # The first and the last time of an error are none of such a state.
        for figures in (found, expected):
            summaries = figures["errors"].summaries
            figures["errors"] = sorted((one.message, one.count, one.session_count) for one in summaries)
    assert found == expected
    node.expect_no_failure()


async def test_kept_rows_that_are_ahead_of_a_snapshot_leave_its_past_as_it_was(node):
    stored, period = node.stored, Period(START, START + timedelta(days=2))
    await stored.empty()
    known = record(*(hit(after(minutes=minute), visitor_id=minute % 3) for minute in range(0, 600, 7)))
    # The first of them changes a session that had been there before.
    later = record(
        *(hit(after(minutes=minute), visitor_id=1) for minute in (2, 603, 620)), first=len(known) + 1
    )
    await node.store(known + later, len(known), 0)
    question = _question(period, known[-1].position, 0, None)
    snapshots = PostgresReportSnapshots(stored.reading, stored.past, in_turns(node.turns, node.columns))

    async with snapshots.past(question, MEMBER) as past:
        await stored.append(record(hit(after(minutes=640), visitor_id=1), first=len(known) + len(later) + 1))
        await catch_up(stored.projector)
        present = await node.traffic.overview(SITE, ReportQuery(period))
        found = await past.traffic.overview(SITE, ReportQuery(period))

    assert present == await stored.oracle.overview(SITE, ReportQuery(period))
    assert found == overview(known, period)
    assert found.pageviews < present.pageviews
    node.expect_no_failure()


def _question(period, traffic, journal, arrivals):
    return PastQuestion(positions=Positions(SITE, START, journal, traffic), span=period, arrivals=arrivals)


async def _figures(reports, goals, period, filters, by):
    return {
        "overview": await reports.traffic.overview(SITE, ReportQuery(period, filters)),
        "count": await reports.traffic.count_sessions(SITE, ReportQuery(period, filters)),
        "latest": await one_by_one(reports.sessions, SessionsQuery(period=period, filters=filters, most=20)),
        "timeseries": await reports.traffic.timeseries(
            SITE, ReportQuery(period, filters), BucketSize.DAY, parse_zone("UTC")
        ),
        "breakdown": await reports.breakdowns.break_down(SITE, by, ReportQuery(period, filters), PAGE),
        "visitors": await reports.breakdowns.break_down(
            SITE, by, ReportQuery(period, filters), PAGE, visitors=True
        ),
        "pages": await reports.breakdowns.pages(SITE, ReportQuery(period, filters), PAGE),
        "vitals": await reports.breakdowns.web_vitals(SITE, ReportQuery(period, filters), PAGE),
        "conversions": await reports.goals.count_conversions(SITE, goals, ReportQuery(period, filters)),
        "errors": await reports.error_names.summarize(SITE, ReportQuery(period, filters), PAGE),
        "funnel": await reports.funnels.progress(SITE, STEPS, ReportQuery(period, filters)),
    }
