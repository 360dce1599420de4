"""The past: what PostgreSQL answers as of positions is what the domain says of both logs cut there."""

import random
from datetime import datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.projections.rebuild import Rebuild
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.past_refusals import ErasedSince
from footfall.domain.citations.positions import Positions
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.exceptions import Invalid
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.journeys.journey import JourneyQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.breakdown import DIMENSIONS
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.session_list import SessionsQuery
from tests import conditions, histories
from tests.conditions import RULES
from tests.contract.columns.test_sessions import one_by_one
from tests.generated import examples
from tests.histories import KEYED, MESSAGES, SITE, START, after, error, hit, record
from tests.stores.stored import catch_up, project_in_slices

UTC = parse_zone("UTC")
LATER = START + timedelta(days=400)
PAGE = Page(1, 20)
STEPS = FunnelSteps((PathRule("/*"), PathRule("/blog*")))
MANY = Page(1, 3)
# Histories of weeks, and of a day or two.
ANY_LOG = (histories.histories(max_size=60) | histories.dense_histories()).filter(bool)
ANY_PERIOD = histories.periods() | histories.dense_periods()


@examples(40)
@given(
    log=ANY_LOG,
    cut=st.floats(0, 1),
    seed=st.integers(),
    period=ANY_PERIOD,
    filters=st.lists(conditions.any_filters(), max_size=1),
    rules=st.lists(RULES, min_size=1, max_size=2),
    by=st.sampled_from([*DIMENSIONS, *KEYED]),
    resolved=st.lists(st.tuples(st.sampled_from(MESSAGES), st.booleans()), max_size=3),
)
async def test_every_report_is_that_of_the_domain_on_the_logs_cut_at_the_positions(
    stored, log, cut, seed, period, filters, rules, by, resolved
):
    await stored.empty()
    goals = [(await stored.define(rule))[1] for rule in rules]
    await _live_through(stored, log, seed)
    for number, (message, _) in enumerate(resolved):
        await stored.resolve(message, after(days=number))
    await project_in_slices(stored, seed)
    kept = sum(early for _, early in resolved)
    # The journal in memory holds the resolutions only, that of the store the goals before them.
    traffic = log[min(int(cut * len(log)), len(log) - 1)].position

    async with (
        stored.snapshots().past(_question(period, traffic=traffic, journal=len(rules) + kept)) as past,
        MemoryReportSnapshots(stored.log, stored.journal).past(
            _question(period, traffic=traffic, journal=kept)
        ) as oracle,
    ):
        found = await everything(past, goals, period, filters, by)

        assert found == await everything(oracle, goals, period, filters, by)


@examples(10)
@given(
    log=ANY_LOG,
    late=histories.histories(max_size=40) | histories.dense_histories(max_size=40),
    seed=st.integers(),
    period=ANY_PERIOD,
    size=st.integers(1, 20),
)
async def test_late_hits_and_a_rebuild_change_no_answer_of_the_past(stored, log, late, seed, period, size):
    await stored.empty()
    await _live_through(stored, log, seed)
    question = _question(period, traffic=log[-1].position)
    async with stored.snapshots().past(question) as past:
        before = await everything(past, [], period, [], "country")

    await stored.append(record(*(one.hit for one in late), first=log[-1].position + 1))
    await project_in_slices(stored, seed)
    async with Rebuild.begun(
        stored.url, lambda schema: stored.new_projector(schema=schema, size=size)
    ) as rebuild:
        await rebuild.replay(lambda *_: None)
        await rebuild.exchange()
    async with stored.snapshots().past(question) as past:
        found = await everything(past, [], period, [], "country")

    assert found == before


async def test_a_message_is_of_the_past_whichever_visitor_is_folded_first(stored):
    await stored.empty()
    log = record(
        hit(visitor_id=1),
        *(error(MESSAGES[0], after(minutes=visitor_id), visitor_id=visitor_id) for visitor_id in (2, 1)),
    )
    await stored.append(log)
    await catch_up(stored.projector)
    async with Rebuild.begun(
        stored.url, lambda schema: stored.new_projector(schema=schema, size=1)
    ) as rebuild:
        await rebuild.shadow.catch_up(up_to=1)
        await rebuild.second.fold_share(1, after=1, up_to=3)
        await rebuild.shadow.fold_share(0, after=1, up_to=3)
        await rebuild.shadow.move_to(3, 0)
        await rebuild.exchange()

    asked = (SITE, ReportQuery(_DAY), PAGE)
    async with (
        stored.snapshots().past(_question(_DAY, traffic=2)) as past,
        MemoryReportSnapshots(stored.log, stored.journal).past(_question(_DAY, traffic=2)) as oracle,
    ):
        assert await past.errors.new(*asked) == await oracle.errors.new(*asked)
        assert await past.error_names.summarize(*asked) == await oracle.error_names.summarize(*asked)


@examples(20)
@given(
    log=ANY_LOG,
    rule=RULES,
    seed=st.integers(),
    asked=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), ANY_PERIOD), min_size=2, max_size=6),
)
async def test_questions_while_the_log_grows_are_answered_as_by_the_domain(stored, log, rule, seed, asked):
    await stored.empty()
    goals = [(await stored.define(rule))[1]]
    kept = 0
    for grown, cut, period in sorted(asked, key=lambda one: one[0]):
        size = max(kept, int(grown * len(log)), 1)
        await stored.append(log[kept:size])
        kept = size
        await project_in_slices(stored, seed)
        traffic = log[min(int(cut * size), size - 1)].position

        async with (
            stored.snapshots().past(_question(period, traffic=traffic, journal=1)) as past,
            MemoryReportSnapshots(stored.log, stored.journal).past(
                _question(period, traffic=traffic)
            ) as oracle,
        ):
            found = await everything(past, goals, period, [], "country")

            assert found == await everything(oracle, goals, period, [], "country")


@pytest.mark.parametrize(("traffic", "journal"), [(4, 0), (2, 1), (10**15 - 1, 0)])
async def test_positions_of_the_future_are_refused(stored, traffic, journal):
    await stored.empty()
    await stored.append(record(hit(), hit(), hit()))
    await catch_up(stored.projector)

    with pytest.raises(Invalid) as refusal:
        async with stored.snapshots().past(_question(_DAY, traffic=traffic, journal=journal)):
            pass

    assert refusal.value.field_errors == {
        "as_of": [
            "names positions of the future; accepted are journal up to 0 and traffic.main up to 3",
        ]
    }


async def test_positions_before_the_first_hit_of_the_site_are_refused(stored):
    await stored.empty()
    await stored.append(record(hit(site_id=2), hit()))
    await catch_up(stored.projector)

    with pytest.raises(Invalid) as refusal:
        async with stored.snapshots().past(_question(_DAY, traffic=1)):
            pass

    assert "before the first event of this site" in refusal.value.field_errors["as_of"][0]


async def test_more_later_hits_than_the_limit_are_refused_with_the_limit(stored):
    await stored.empty()
    await stored.append(record(*(hit(after(minutes=number)) for number in range(5))))
    await catch_up(stored.projector)

    limited = PastConnections(stored.url, most_hits=3)
    async with stored.snapshots(limited).past(_question(_DAY, traffic=2)) as past:
        overview = await past.traffic.overview(SITE, ReportQuery(_DAY))
    with pytest.raises(Invalid) as refusal:
        async with stored.snapshots(limited).past(_question(_DAY, traffic=1)):
            pass
    await limited.close()

    assert overview.pageviews == 2
    assert "more than 3 events" in refusal.value.field_errors["as_of"][0]


async def test_a_period_without_later_hits_needs_no_temporary_tables(stored):
    await stored.empty()
    await stored.append(record(hit(), error("x"), hit(after(days=9))))
    await catch_up(stored.projector)
    fresh = PastConnections(stored.url)
    late = Period(after(days=8), after(days=10))
    before = await _temporary_tables(stored)

    async with stored.snapshots(fresh).past(_question(_DAY, traffic=2)) as past:
        untouched = await past.traffic.overview(SITE, ReportQuery(_DAY))
    of_untouched = await _temporary_tables(stored)
    async with stored.snapshots(fresh).past(_question(late, traffic=2)) as past:
        touched = await past.traffic.overview(SITE, ReportQuery(late))
    of_touched = await _temporary_tables(stored)
    await fresh.close()

    assert (untouched.pageviews, touched.pageviews) == (1, 0)
    assert of_untouched == before < of_touched


@pytest.mark.parametrize("asked_at", [4, 1], ids=["other positions", "the same positions"])
async def test_a_period_without_later_hits_is_answered_after_another_with_later_ones(stored, asked_at):
    await stored.empty()
    _, goal = await stored.define(PathRule("/"))
    early, late = Period(after(days=-9), after(days=-8)), Period(START, after(days=1))
    await stored.append(record(hit(after(days=-9)), hit(), hit(after(minutes=1)), hit(visitor_id=2)))
    await catch_up(stored.projector)

    found = []
    for traffic, span in [(1, late), (2, late), (3, late), (asked_at, early)]:
        async with stored.snapshots().past(_question(span, traffic=traffic, journal=1)) as past:
            [converted] = await past.goals.count_conversions(SITE, [goal], ReportQuery(span))
            found.append((await past.traffic.overview(SITE, ReportQuery(span)), converted))

    assert [(one.sessions, one.pageviews) for one, _ in found] == [(0, 0), (1, 1), (1, 2), (1, 1)]
    assert [one.conversions for _, one in found] == [0, 1, 1, 1]


async def test_conversions_of_the_day_on_which_all_sessions_are_later_from_a_quarter_on_are_not_counted_twice(
    stored,
):
    await stored.empty()
    _, goal = await stored.define(PathRule("/"))
    await stored.append(record(hit(), *(hit(after(minutes=29), visitor_id=2) for _ in range(2))))
    await catch_up(stored.projector)

    async with stored.snapshots().past(_question(_DAY, traffic=1, journal=1)) as past:
        [found] = await past.goals.count_conversions(SITE, [goal], ReportQuery(_DAY))

    assert (found.conversions, found.sessions) == (1, 1)


async def test_sessions_that_go_on_between_two_questions_change_no_answer(stored):
    await stored.empty()
    visits = [(1, 0), (2, 1), (1, 20), (2, 21), (1, 25), (2, 2)]
    log = record(*(hit(after(minutes=minute), visitor_id=visitor) for visitor, minute in visits))
    question = _question(_DAY, traffic=2)

    found = []
    for reached in range(2, len(log) + 1):
        await stored.append(log[0 if reached == 2 else reached - 1 : reached])
        await catch_up(stored.projector)
        async with stored.snapshots().past(question) as past:
            found.append(await past.traffic.overview(SITE, ReportQuery(_DAY)))

    assert found[0].sessions == found[0].bounces == 2
    assert found == [found[0]] * len(found)


async def test_an_erasure_since_refuses_the_periods_that_it_touched(stored):
    await stored.empty()
    await stored.append(record(error("x"), hit(after(days=9))))
    await catch_up(stored.projector)
    await _note_erasure(stored, until=after(days=3), finished_at=LATER)
    late = Period(after(days=8), after(days=10))

    async with stored.snapshots().past(_question(late, traffic=2)) as past:
        untouched = await past.traffic.overview(SITE, ReportQuery(late))
    async with stored.snapshots().past(_question(_DAY, traffic=2, at=LATER + timedelta(days=1))) as past:
        afterwards = await past.traffic.overview(SITE, ReportQuery(_DAY))
    for question in (_question(_DAY, traffic=2), _question(late, traffic=2, history=True)):
        with pytest.raises(ErasedSince):
            async with stored.snapshots().past(question):
                pass

    assert untouched.sessions == afterwards.sessions == 1


async def test_positions_that_were_passed_before_their_moment_are_refused(stored):
    await stored.empty()
    await stored.append(record(hit(), hit()))
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        await connection.execute("insert into position_minute values (%s, 2, 0)", (START,))
    passed = after(minutes=2)

    async with stored.snapshots().past(_question(_DAY, traffic=1)) as past:
        overview = await past.traffic.overview(SITE, ReportQuery(_DAY))
    with pytest.raises(Invalid) as refusal:
        async with stored.snapshots().past(_question(_DAY, traffic=1, at=passed)):
            pass

    assert overview.pageviews == 1
    assert "traffic.main from 2 on" in refusal.value.field_errors["as_of"][0]


async def test_positions_at_an_instant_are_those_of_the_last_minute_before_it(stored):
    await stored.empty()
    await stored.append(record(hit(), hit()))
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        [row] = await (await connection.execute("select minute from position_minute")).fetchall()
    minute: datetime = row["minute"]

    found = await stored.snapshots().positions_at(SITE, minute + timedelta(minutes=1))

    assert found == (0, 2)
    with pytest.raises(Invalid) as refusal:
        await stored.snapshots().positions_at(SITE, minute + timedelta(seconds=59))
    assert "accepted are instants from" in refusal.value.field_errors["as_of"][0]


_DAY = histories.days("2026-03-28", "2026-03-28")


def _question(span, *, traffic, journal=0, at=START, history=False):
    return PastQuestion(positions=Positions(SITE, at, journal, traffic), span=span, history=history)


async def _live_through(stored, log, seed):
    """Project a history in two parts."""
    chance = random.Random(seed)
    middle = chance.randint(0, len(log))
    for part in (log[:middle], log[middle:]):
        await stored.append(part)
        await project_in_slices(stored, seed)


async def everything(reports, goals, period, filters, by):
    """Ask every report, the refusals of too many buckets included."""
    assume(period.length < timedelta(days=80))
    query = ReportQuery(period, filters)
    asked = (SITE, query, PAGE)
    return {
        "overview": await reports.traffic.overview(SITE, query),
        "timeseries": await reports.traffic.timeseries(SITE, query, BucketSize.HOUR, UTC),
        "since": await reports.traffic.data_since(SITE),
        "pages": await reports.breakdowns.pages(SITE, query, PAGE),
        "breakdown": await reports.breakdowns.break_down(SITE, by, query, PAGE),
        "visitors": await reports.breakdowns.break_down(SITE, by, query, PAGE, visitors=True),
        "converted": [
            await reports.breakdowns.break_down(SITE, by, query, PAGE, goal=goal) for goal in goals
        ],
        "vitals": await reports.breakdowns.web_vitals(SITE, query, PAGE),
        "realtime": await reports.live.realtime(SITE, period.end),
        "conversions": await reports.goals.count_conversions(SITE, goals, query),
        "sessions": [
            await reports.goals.converted_sessions(SITE, goal, query, MANY)
            for goal in [*goals, GoalQuery(PathRule("/*"))]
        ],
        "errors": await reports.error_names.summarize(*asked),
        "new": await reports.errors.new(*asked),
        "occurrences": await reports.errors.occurrences(SITE, MESSAGES[0], query, PAGE),
        "buckets": await reports.errors.buckets(SITE, query, BucketSize.DAY, UTC),
        "groups": await reports.error_groups.groups(SITE, query, ErrorDecisions(), PAGE),
        "funnel": await reports.funnels.progress(SITE, STEPS, query),
        "journeys": await reports.journeys.journeys(SITE, JourneyQuery(), query),
        "properties": [
            await reports.properties.properties(SITE, EventRule(name), query, PAGE)
            for name in ("signup", "order")
        ],
        "causes": [await reports.errors.cause(SITE, one) for one in MESSAGES],
        "former": await reports.error_groups.former_resolutions(SITE),
        "one by one": await one_by_one(
            reports.sessions, SessionsQuery(period=period, filters=filters, most=4)
        ),
    }


async def _temporary_tables(stored):
    async with stored.connections.connection() as connection:
        query = "select count(*) as tables from pg_class where relpersistence = 't' and relkind = 'r'"
        [row] = await (await connection.execute(query)).fetchall()
    return row["tables"]


async def _note_erasure(stored, *, until, finished_at):
    async with stored.connections.connection() as connection:
        await connection.execute(
            "insert into hit_erasure values (%s, 'retention', 0, '-infinity', %s, %s)",
            (SITE, until, finished_at),
        )
