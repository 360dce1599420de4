"""Sums: what PostgreSQL counts of goals, errors and visitors is what DuckDB reads of hits, and what the domain says."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.alerts import MemoryWindowReports
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.error_groups import MemoryErrorGroupReports
from footfall.adapters.memory.reports.error_reports import MemoryErrorReports
from footfall.adapters.memory.reports.reports import MemoryAllSites, MemoryReports
from footfall.adapters.postgres.reports.all_sites import PostgresAllSites
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.window_reports import PostgresWindowReports
from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import GroupChoice, GroupSort
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery, PageGroupRule, PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.online.live import live_period
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentSpan
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import sessionize
from tests import conditions
from tests.conditions import RULES, filter_of
from tests.contract.test_retention import by_message, replayed
from tests.failing import DECISIONS, FINGERPRINTS, LONG
from tests.generated import examples
from tests.histories import MESSAGES, OTHER_SITE, SITE, START
from tests.stores import lived
from tests.stores.lived import Lived
from tests.stores.made import Node
from tests.zones import ZONES

# With one of them DuckDB reads hits instead of the sums of PostgreSQL.
EVERYTHING = [
    filter_of("country", "not_equals", "nowhere"),
    filter_of("hostname", "contains", ""),
    filter_of("pathname", "not_equals", "/nowhere"),
    filter_of("entry_page", "not_regex", "^nowhere"),
]


@frozen(kw_only=True)
class Question:
    """What all reports are asked; `periods` and `moment` are functions of the times of a history."""

    periods: object
    moment: object
    page: Page
    filters: list
    everything: object
    containing: str
    message: str
    decisions: ErrorDecisions
    sort: GroupSort
    choice: GroupChoice
    size: BucketSize
    zone: ZoneInfo
    span: RecentSpan
    period: Period | None = None
    now: datetime | None = None

    def about(self, log):
        """Return the question about the times of a log."""
        times = [START, *sorted(one.hit.occurred_at for one in log)]
        return evolve(self, period=self.periods(times, self.zone), now=self.moment(times))

    @property
    def days(self):
        """The days in UTC that the period touches, of which causes of errors have sums."""
        first, last = self.period.start.astimezone(UTC).date(), self.period.end.astimezone(UTC).date()
        return Period.local_days(first, last, parse_zone("UTC"))

    @property
    def buckets(self):
        """The size and zone of buckets, days of UTC where the period has too many of them."""
        for size in (self.size, BucketSize.DAY, BucketSize.MONTH):
            try:
                split_into_buckets(self.period, size, self.zone)
            except Invalid:
                continue
            return size, self.zone
        raise AssertionError(self.period)


# Of a hit among all hits by time.
_PLACES = st.integers(0, 8).map(lambda eighths: eighths / 8)


@st.composite
def periods_of_days(draw):
    """Generate local days from that of one hit to those after that of another, the last of them not over."""
    places, more = sorted(draw(st.tuples(_PLACES, _PLACES))), timedelta(days=draw(st.integers(0, 3)))
    part = timedelta(minutes=draw(st.sampled_from([0, 1, 7, 14, 15, 29.5, 30, 31, 722, 1439.9])))

    def of(times, zone):
        first, last = [_at(times, place).astimezone(zone).date() for place in places]
        days = Period.local_days(first, last + more, zone)
        return Period(days.start, days.end - part)

    return of


@st.composite
def periods_of_minutes(draw):
    """Generate a period that begins about a hit, mostly with the quarter of an hour after it."""
    place, before = draw(_PLACES), timedelta(minutes=draw(st.sampled_from([0, -15, 0, 1, 40])))
    length = timedelta(minutes=draw(st.sampled_from([1440, 2000, 50_000, 1439, 600, 45, 15, 1])))
    on_quarter = draw(st.booleans())

    def of(times, _zone):
        start = _at(times, place) - before
        start = quarter_of(start) if on_quarter else start
        return Period(start, start + length)

    return of


def _at(times, place):
    return times[round(place * (len(times) - 1))]


questions = st.fixed_dictionaries(
    {
        "periods": periods_of_days() | periods_of_minutes(),
        "page": st.one_of(
            *2 * [st.just(Page(1, 200))], st.builds(Page, st.integers(1, 3), st.integers(1, 4))
        ),
        "filters": st.lists(conditions.filters(), max_size=1),
        "everything": st.sampled_from(EVERYTHING),
        "containing": st.sampled_from(
            [*8 * [""], "fetch", "X IS", "YYYb", "fox", "BLOG", "\N{GRINNING FACE}", "nothing such", "%"]
        ),
        "message": st.sampled_from([*MESSAGES, *LONG]),
        "decisions": DECISIONS,
        "sort": st.sampled_from(GroupSort),
        "choice": st.builds(
            GroupChoice,
            st.frozensets(st.sampled_from(FINGERPRINTS)),
            st.booleans(),
            st.sampled_from([*4 * [""], "fetch", "X IS", "nothing such"]),
        ),
        "size": st.sampled_from(BucketSize),
        "zone": st.sampled_from(ZONES).map(parse_zone),
        "moment": st.builds(
            lambda place, minutes: lambda times: _at(times, place) + timedelta(minutes=minutes),
            _PLACES,
            st.integers(-30, 180) | st.just(1440),
        ),
        "span": st.sampled_from(RecentSpan),
    }
).map(lambda known: Question(**known))


@frozen
class Reports:
    """All reports of an engine that have sums in PostgreSQL."""

    goals: object
    errors: object
    error_names: object
    error_groups: object
    live: object
    windows: object
    sites: object

    @classmethod
    def of_domain(cls, log, journal):
        """Return those of the functions of the domain."""
        errors = MemoryErrorReports(log)
        return cls(
            MemoryReports(log),
            errors,
            errors,
            MemoryErrorGroupReports(log, journal),
            MemoryBreakdowns(log),
            MemoryWindowReports(log),
            MemoryAllSites(log),
        )

    @classmethod
    def of_node(cls, node):
        """Return those of a node."""
        return cls(
            node.reports.goals,
            node.reports.errors,
            node.reports.error_names,
            node.reports.error_groups,
            node.reports.live,
            PostgresWindowReports(node.stored.reading, compile_patterns),
            PostgresAllSites(node.stored.reading, compile_patterns),
        )


@pytest.fixture
async def node(stored, tmp_path):
    node = Node(stored, tmp_path / "columns")
    yield node
    await node.engine.close()


@examples(120)
@given(
    life=lived.lives(expiring=False) | lived.lives(expiring=True),
    rules=st.lists(RULES, min_size=1, max_size=2),
    asked=st.lists(questions, min_size=3, max_size=3),
)
async def test_sums_are_what_the_domain_says_and_what_duckdb_reads(node, life, rules, asked):
    await node.empty()
    log, steps = life
    world, asked = Lived(node, log), [one.about(log) for one in asked]
    for rule in [PathRule("/*"), *rules]:
        await world.define(rule)

    for name, value in steps:
        await (_expect_equal_counts(world, asked[0]) if name == "look" else getattr(world, name)(value))
    await world.end()

    for one in asked:
        await _expect_equal_counts(world, one)
    await _expect_equal_lists(world, asked[0])
    assert set(node.metrics.reports) <= {""}
    rows = await node.stored.read_models()
    sessions = sorted(sessionize(node.stored.log.hits), key=lambda one: (one.site_id, one.session_id))
    assert [session_of(row) for row in rows["session"]] == sessions
    assert by_message(rows) == by_message(await replayed(node.stored))


async def _expect_equal_counts(world, asked):
    """Compare what all three engines tell, as far as the log has been projected."""
    known = [*world.goals.values(), *world.former[-1:]]
    goals = [*known, *(GoalQuery(goal.rule) for goal in known[:1])]
    every = [asked.everything]

    async with world.node.present(asked.period) as snapshot:
        summed, read, filtered = [
            await _counts(snapshot.reports, goals, asked, filters) for filters in ([], every, asked.filters)
        ]

    domain = Reports.of_domain(world.stored.log_up_to(snapshot.traffic), world.stored.journal)
    assert summed == await _counts(domain, goals, asked, [])
    assert read == await _counts(domain, goals, asked, every)
    assert filtered == await _counts(domain, goals, asked, asked.filters)
    assert _but_times(summed) == _but_times(read)


def _but_times(counts):
    """Leave out when errors occurred last, which is the latest time of all without filters only."""
    page = counts["errors"]
    summaries = [evolve(one, last_seen=START) for one in page.summaries]
    return {**counts, "errors": evolve(page, summaries=summaries)}


async def _counts(reports, goals, asked, filters):
    choice, query = RowChoice(containing=asked.containing), ReportQuery(asked.period, filters)
    return {
        "conversions": await reports.goals.count_conversions(SITE, goals, query),
        "sessions": [
            await reports.goals.converted_sessions(SITE, goal, query, asked.page, choice=choice)
            for goal in goals[-2:]
        ],
        "errors": await reports.error_names.summarize(SITE, query, asked.page, choice=choice),
        "groups": [
            await reports.error_groups.groups(
                SITE,
                ReportQuery(period, filters),
                asked.decisions,
                asked.page,
                sort=asked.sort,
                choice=asked.choice,
            )
            for period in (asked.period, asked.days)
        ],
    }


async def _expect_equal_lists(world, asked):
    """Compare what PostgreSQL tells of single errors, windows and the present, and what DuckDB does of visitors."""
    domain, node = Reports.of_domain(world.stored.log, world.stored.journal), Reports.of_node(world.node)
    # Alert rules take no goal by a group of pages, of which PostgreSQL keeps no sums.
    goals = [goal for goal in world.goals.values() if not isinstance(goal.rule, PageGroupRule)][:1]
    for filters in ([], asked.filters) if asked.filters else ([],):
        expected = await _lists(domain, goals, asked, filters)
        for name, found in (await _lists(node, goals, asked, filters)).items():
            assert (name, found) == (name, expected[name])
    overview = world.node.reports.traffic.overview
    half_hour, days = live_period(asked.now), RecentDays.at(asked.now, asked.span)
    now, recent, before = [
        await overview(SITE, ReportQuery(period)) for period in (half_hour, days.period, days.before)
    ]
    live = await node.live.live(SITE, ReportQuery(half_hour))
    assert live.pageviews == now.pageviews
    # The live view counts the browsers of signed users, a report these users once.
    is_signed = any(recorded.hit.signed_visitor_id is not None for recorded in world.stored.log.hits)
    assert live.visitors >= now.visitors if is_signed else live.visitors == now.visitors
    listed = (await node.sites.recent_visitors([SITE], days))[SITE]
    assert (listed.visitors, listed.before) == (recent.visitors, before.visitors)


async def _lists(reports, goals, asked, filters):
    query, page, message = ReportQuery(asked.period, filters), asked.page, asked.message
    errors, of_groups, buckets = reports.errors, reports.error_groups, asked.buckets
    caused = [one for one in FINGERPRINTS if asked.decisions.group_of(one) == one]
    half_hour, days = live_period(asked.now), RecentDays.at(asked.now, asked.span)
    occurred = await errors.occurrences(
        SITE, message, query, page, choice=RowChoice(containing=asked.containing)
    )
    details = await of_groups.details(SITE, caused[0], query, asked.decisions)
    return {
        "new": await errors.new(SITE, query, page),
        "occurrences": occurred,
        "cause": await errors.cause(SITE, message),
        "former": await of_groups.former_resolutions(SITE),
        "errors by time": await errors.buckets(SITE, query, *buckets),
        "an error by time": await errors.buckets(SITE, query, *buckets, message=message),
        "histories": await of_groups.histories(SITE, asked.decisions, caused),
        "details": details,
        "conversions by time": [
            await reports.windows.first_conversions(SITE, goal, query, *buckets) for goal in goals
        ],
        "paints by time": await reports.windows.paints(SITE, query, *buckets),
        "live": await reports.live.live(SITE, ReportQuery(half_hour, filters)),
        "realtime": await reports.live.realtime(SITE, asked.now),
        "latest": await reports.live.latest_hit(SITE),
        "sites": await reports.sites.recent_visitors([SITE, OTHER_SITE, 2**40], days),
        "with hits": await reports.sites.with_hits(
            {SITE: asked.period, OTHER_SITE: half_hour, 2**40: days.period}
        ),
    }
