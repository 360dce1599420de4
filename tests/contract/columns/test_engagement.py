"""Engagement: files and fresh rows say what the domain says, however measures and pageviews arrive."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.citations.arrivals import PostgresArrivals
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.adapters.postgres.maintenance.old_records import PostgresExpiry
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.projections.measured_days import note_measured_sessions
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import Arrivals, Origin
from footfall.domain.citations.positions import Positions
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.tracking.engagement import MATCHING_SPAN, MOST_MEASURES, Measure
from footfall.domain.tracking.event_time import MOST_BEHIND
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.report_query import ReportQuery
from footfall.entrypoints.composition.reports import in_turns
from tests.generated import at_length
from tests.histories import OTHER_SITE, SITE, START, after, hit, recorded
from tests.stores.stored import MEMBER, catch_up

PAGES = Page(1, 10)
WEEKS = Period(START - timedelta(days=40), START + timedelta(days=30))
INSTANT = timedelta(microseconds=1)
MIDNIGHT = after(hours=4)


def view(at=START, key=1, **known):
    return hit(at, pageview_key=key, **known)


def measure(at=START, key=1, engaged_ms=1_000, scroll_percent=None, site_id=SITE):
    return Measure(
        site_id=site_id,
        pageview_key=key,
        received_at=at,
        engaged_ms=engaged_ms,
        scroll_percent=scroll_percent,
    )


CASES = {
    "after its pageview": [view(), measure(after(minutes=1), scroll_percent=40)],
    "before its pageview": [measure(after(minutes=-1)), view()],
    "without its pageview": [view(key=2), measure()],
    "of another site": [view(), measure(site_id=OTHER_SITE), view(site_id=OTHER_SITE)],
    "of an event that is none": [hit(kind=HitType.CUSTOM_EVENT, event_name="x"), measure()],
    "repeated": [view(), measure(), measure(), measure()],
    "decreasing": [view(), measure(engaged_ms=9_000, scroll_percent=9), measure(scroll_percent=80)],
    "of one value each": [view(), measure(engaged_ms=None, scroll_percent=0), measure(engaged_ms=0)],
    "over midnight": [
        view(MIDNIGHT - INSTANT),
        measure(MIDNIGHT),
        view(MIDNIGHT + INSTANT, key=2),
        measure(MIDNIGHT, key=2),
    ],
    "at the end of the span": [view(), measure(START + MATCHING_SPAN)],
    "at the beginning of the span": [view(), measure(START - MATCHING_SPAN)],
    "after the span": [view(), measure(START + MATCHING_SPAN + INSTANT)],
    "before the span": [view(), measure(START - MATCHING_SPAN - INSTANT)],
    "of the greatest values": [
        view(key=-(2**63)),
        measure(key=-(2**63), engaged_ms=86_400_000, scroll_percent=100),
    ],
    "of two pageviews of one name": [view(), view(after(days=3), pathname="/b"), measure(after(days=2))],
    "of a pageview that was late": [
        view(),
        evolve(view(START - MOST_BEHIND, key=2), received_at=START),
        measure(START + MATCHING_SPAN, key=2),
    ],
    "in great number": [view(), *(measure(engaged_ms=one) for one in range(MOST_MEASURES + 1))],
    "in a session that goes on": [
        view(),
        measure(),
        view(after(minutes=5), key=2),
        measure(after(minutes=9), key=2),
    ],
}


@pytest.mark.parametrize(("number", "entries"), list(enumerate(CASES.values())), ids=CASES)
async def test_every_order_of_arrival_gives_the_figures_of_the_domain(node, number, entries):
    # Files of nothing, of each beginning of the log, and of all of it. Cases take turns with half of them.
    turns = at_length(slow=2, thorough=1)
    for held in sorted({0, 1, len(entries) // 2, len(entries)})[number % turns :: turns]:
        await _begin(node, node.directory / str(held), recorded(*entries[:held]))
        # What comes later is added to rows that are kept.
        assert await _figures(node.reports) == await _expected(node.stored.log)

        await node.stored.append(recorded(*entries[held:], first=held + 1))
        await catch_up(node.stored.projector)

        assert await _figures(node.reports) == await _expected(node.stored.log)
        node.expect_no_failure()


async def test_what_is_known_of_pages_is_in_the_figures(node):
    entries = [
        view(),
        measure(scroll_percent=40),
        view(after(minutes=3), key=2),
        view(after(minutes=4), key=None),
    ]
    await _begin(node, node.directory, recorded(*entries, measure(engaged_ms=4_000, key=2)))

    overview, pages = await _figures(node.reports)

    [page] = pages.rows
    assert (page.engaged_pageviews, page.engaged_time) == (2, 2.5)
    assert (page.scrolled_pageviews, page.scroll_depth) == (1, 40)
    assert (page.entries, page.engaged_entries, page.entry_engaged_time) == (1, 1, 5)
    assert (overview.engaged_sessions, overview.engaged_time, overview.seconds) == (1, 5, 240)


async def test_a_measure_of_a_closed_day_changes_its_session_and_no_other(stored):
    await stored.empty()
    await stored.append(recorded(view(), view(visitor_id=2, key=2), view(after(days=1), key=3)))
    await catch_up(stored.projector)
    await stored.close_days()

    await stored.append(recorded(measure(after(days=1)), measure(after(days=1)), first=4))
    await catch_up(stored.projector)

    async with stored.connections.connection() as connection:
        changed = await (await connection.execute("select session_id from column_change")).fetchall()
        days = await (await connection.execute("select changes from column_day order by day")).fetchall()
        again = await note_measured_sessions(connection, after=3, up_to=5)
    assert [row["session_id"] for row in changed] == [1]
    assert [row["changes"] for row in days] == [1, 0]
    assert again == 0


@pytest.mark.parametrize("held", [0, 2, 6])
async def test_the_past_has_the_measures_up_to_its_position(node, held):
    entries = [
        view(),
        measure(engaged_ms=1_000),
        view(after(minutes=1), key=2, visitor_id=2),
        measure(engaged_ms=5_000, scroll_percent=70),
        measure(key=2),
        view(after(minutes=2), visitor_id=1, key=None),
    ]
    await _begin(node, node.directory, recorded(*entries[:held]))
    await node.stored.append(recorded(*entries[held:], first=held + 1))
    await catch_up(node.stored.projector)
    snapshots = PostgresReportSnapshots(
        node.stored.reading, node.stored.past, in_turns(node.turns, node.columns)
    )

    for position in range(1, len(entries) + 1):
        for arrivals in (None, Arrivals(frozenset({Origin.ENGAGEMENT}), len(entries))):
            question = PastQuestion(
                positions=Positions(SITE, START, 0, position), span=WEEKS, arrivals=arrivals
            )
            async with (
                snapshots.past(question, MEMBER) as past,
                MemoryReportSnapshots(node.stored.log, node.stored.journal).past(question) as oracle,
            ):
                assert await _figures(past) == await _figures(oracle), (position, arrivals)
    node.expect_no_failure()


async def test_measures_of_pageviews_of_the_span_are_arrivals(stored):
    await stored.empty()
    early = view(after(days=-9), key=2)
    await stored.append(recorded(early, view(), measure(), measure(key=2), measure(key=3), measure()))
    await catch_up(stored.projector)
    span = Period(START - timedelta(days=1), START + timedelta(days=1))

    arrivals = PostgresArrivals(stored.reading)
    counts = [
        (
            await arrivals.count(SITE, span, since=since, until=until),
            await arrivals.count_measures(SITE, span, since=since, until=until),
        )
        for since, until in ((0, 6), (3, 6), (0, 2), (2, 2))
    ]

    assert counts == [({Origin.IN_TIME: 1}, 2), ({}, 1), ({Origin.IN_TIME: 1}, 0), ({}, 0)]


async def test_retention_erases_the_measures_of_the_pageviews_that_it_erases(stored):
    await stored.empty()
    # Of one month, which is not dropped.
    times = [after(days=days) for days in (4, 5, 9)]
    views = [view(at, key=key) for key, at in enumerate(times)]
    await stored.append(recorded(*views, *(measure(at, key=key) for key, at in enumerate(times))))
    await catch_up(stored.projector)

    await _erase(stored, RetentionCutoff(SITE, START + timedelta(days=8)))

    assert await _measures(stored) == [6]


async def test_the_measures_of_a_month_that_is_dropped_are_erased_by_housekeeping(stored):
    await stored.empty()
    later = view(after(days=60), key=2)
    await stored.append(recorded(view(), measure(), later, measure(after(days=60), key=2)))
    await catch_up(stored.projector)
    await _settle(stored, START + timedelta(days=100))
    before = await _measures(stored)

    await _erase(stored, RetentionCutoff(SITE, START + timedelta(days=50)))
    await _settle(stored, START + timedelta(days=100))

    assert before == [2, 4]
    assert await _measures(stored) == [4]


async def test_a_measure_whose_pageview_never_came_is_deleted_when_none_can_come_that_it_counts_for(stored):
    await stored.empty()
    late = evolve(view(START - MOST_BEHIND, key=3), received_at=START)
    measures = [measure(), measure(key=2), measure(START + timedelta(days=8))]
    await stored.append(recorded(view(), *measures, late, measure(START + MATCHING_SPAN, key=3)))
    await catch_up(stored.projector)

    await _settle(stored, START + timedelta(days=7, hours=23))
    early = await _measures(stored)
    await _settle(stored, START + timedelta(days=8, minutes=2))

    assert early == [2, 3, 4, 6]
    assert await _measures(stored) == [2, 6]


async def _begin(node, directory, entries):
    """Store the beginning of a log, and keep its days in files that the service makes."""
    await node.stored.empty()
    await node.turns.sets.forget(SITE)
    await node.stored.append(entries)
    await catch_up(node.stored.projector)
    directory.mkdir(exist_ok=True)
    node.listed = [one for one in await node.stored.make_columns(directory) if one.days[0].site_id == SITE]


async def _figures(reports):
    return (
        await reports.traffic.overview(SITE, ReportQuery(WEEKS)),
        await reports.breakdowns.pages(SITE, ReportQuery(WEEKS), PAGES),
    )


async def _expected(log):
    return (
        await MemoryReports(log).overview(SITE, ReportQuery(WEEKS)),
        await MemoryBreakdowns(log).pages(SITE, ReportQuery(WEEKS), PAGES),
    )


async def _measures(stored):
    async with stored.connections.connection() as connection:
        rows = await (
            await connection.execute("select position from engagement order by position")
        ).fetchall()
    return [row["position"] for row in rows]


async def _settle(stored, now):
    """Let housekeeping look at measures, all of which were stored a minute after the start."""
    async with stored.connections.connection() as connection:
        await connection.execute("delete from position_minute")
        await connection.execute(
            "insert into position_minute select %s, max(position), 0 from engagement",
            (START + timedelta(minutes=1),),
        )
    await PostgresExpiry(stored.connections).forget_old(now)


async def _erase(stored, cutoff):
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        await locked.drop_months([cutoff])
        while await locked.erase_some(cutoff, 2) is not None:
            pass
