"""An erased visitor leaves a store as if it had never been there."""

from contextlib import nullcontext
from datetime import timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.mail import MemoryOutbox
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.memory.visitor_erasures import MemoryVisitorErasures
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.application.visitors.erasing import VisitorEraser
from footfall.domain.citations.past_refusals import ErasedSince
from footfall.domain.citations.positions import Positions
from footfall.domain.pagination import Page
from footfall.domain.periods.quarter_hour import QUARTER, quarter_of
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.retention import expire
from footfall.domain.traffic.session import runs, visits
from footfall.domain.visits.session_list import SessionsQuery
from footfall.domain.visits.subject import measures_without, own_visits, without
from tests import conditions, histories
from tests.contract.test_retention import by_message, positions, replayed, stored_marks
from tests.generated import examples
from tests.histories import SITE, START, after, hits_of, record, with_measures
from tests.stores.stored import catch_up, erase_visitor, project_in_slices

LOGS = histories.histories(max_size=60) | histories.dense_histories() | histories.long_histories()
unhurried = examples(100)


async def stored_positions(stored):
    """Return what is known of the positions of days and of quarters of an hour."""
    async with stored.connections.connection() as connection:
        return [
            await (await connection.execute(f"select * from {table} order by 1, 2")).fetchall()
            for table in ("day_position", "quarter_position")
        ]


@unhurried
@given(
    log=LOGS,
    seed=st.integers(0, 9),
    subject=histories.subjects(),
    rules=st.lists(conditions.RULES, max_size=2),
    limit=st.sampled_from([1, 3, 1_000]),
)
async def test_read_models_are_those_of_the_rest(stored, log, seed, subject, rules, limit):
    await stored.empty()
    for rule in rules:
        await stored.define(rule)
    entries = with_measures(log, seed)
    await stored.append(entries)
    await catch_up(stored.projector)

    erasure = await erase_visitor(stored, subject, limit)

    hits = hits_of(entries)
    left = without(hits, subject)
    assert await positions(stored) == sorted(one.position for one in left.hits)
    found, hours = by_message(await stored.read_models()), await stored_positions(stored)
    assert found == by_message(await replayed(stored))
    assert hours == await stored_positions(stored)
    sessions = {(row["session_id"], row["started_at"], row["ended_at"]) for row in found["session"]}
    assert sessions == {
        (one.session.session_id, one.session.start, one.session.end) for one in visits(left.hits)
    }
    gone = own_visits(hits, subject)
    assert (erasure.visits, erasure.hits) == (len(gone), sum(len(visit.hits) for visit in gone))


@unhurried
@given(log=LOGS, later=LOGS, subject=histories.subjects(), hours=st.integers(-2, 60))
async def test_marks_and_later_hits_are_those_of_a_log_without_the_visitor(
    stored, log, later, subject, hours
):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)
    before = START + timedelta(hours=hours)
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        while await locked.erase_some(RetentionCutoff(SITE, before), 100) is not None:
            pass
    kept = expire(log, before)

    await erase_visitor(stored, subject, 2)

    left = without(list(kept.hits), subject, list(kept.marks))
    assert sorted(await stored_marks(stored), key=repr) == sorted(left.marks, key=repr)
    late = record(*(one.hit for one in later), first=log[-1].position + 1 if log else 1)
    await stored.append(late)
    await catch_up(stored.projector)
    expected = [one.session for one in visits([*left.hits, *late], left.marks)]
    found = {
        (row["session_id"], row["started_at"], row["ended_at"])
        for row in (await stored.read_models())["session"]
    }
    assert found == {(one.session_id, one.start, one.end) for one in expected}


@unhurried
@given(log=LOGS, seed=st.integers(0, 9), subject=histories.subjects(), period=histories.periods())
async def test_reports_are_those_of_the_domain_without_the_visitor(stored, log, seed, subject, period):
    await stored.empty()
    entries = with_measures(log, seed)
    await stored.append(entries)
    await catch_up(stored.projector)
    await stored.traffic.overview(SITE, ReportQuery(period))

    await erase_visitor(stored, subject)

    hits = hits_of(entries)
    left = list(without(hits, subject).hits)
    measures = measures_without(stored.log.measures, hits, left)
    oracle = MemoryReports(MemoryTrafficLog(left, measures=measures))
    assert await stored.traffic.overview(SITE, ReportQuery(period)) == await oracle.overview(
        SITE, ReportQuery(period)
    )
    rows = Page(1, 100)
    pages = await stored.reports.breakdowns.pages(SITE, ReportQuery(period), rows)
    assert pages == await MemoryBreakdowns(MemoryTrafficLog(left, measures=measures)).pages(
        SITE, ReportQuery(period), rows
    )


class Told:
    """What the history of sites was told."""

    def __init__(self):
        self.erased = []

    async def require(self, _site_id):
        """Know every site."""

    async def tell(self, site_id, erased, _context):
        """Remember an erasure."""
        self.erased.append((site_id, erased.visits, erased.hits, erased.errors))


def eraser(erasures, history, differing):
    """Return what erases, whose replay finds so many differences."""

    async def replay():
        return {"session": differing}

    return VisitorEraser(
        erasures=erasures,
        outbox=MemoryOutbox(),
        reports=lambda: nullcontext(1),
        history=history,
        replay=replay,
        tidy=lambda: None,
        secret=b"secret",
        clock=ManualClock(after(days=1)),
    )


@unhurried
@given(log=LOGS, seed=st.integers(0, 9), subject=histories.subjects(), differing=st.integers(0, 1))
async def test_both_adapters_erase_and_certify_alike(stored, log, seed, subject, differing):
    await stored.empty()
    await stored.append(with_measures(log, seed))
    await catch_up(stored.projector)
    finished, told = [], []
    for erasures in (
        PostgresVisitorErasures(stored.connections, stored.url),
        MemoryVisitorErasures(stored.log),
    ):
        asked = VisitorErasure(erasure=uuid4(), site_id=SITE, requested_at=START, subject=subject)
        history = Told()
        await erasures.request(SITE, asked)

        await eraser(erasures, history, differing).work()

        assert not await erasures.is_waiting()
        finished += await erasures.of_site(SITE)
        told.append(history.erased)

    assert told[0] == told[1]
    assert [one.subject for one in finished] == [None, None]
    stored_one, oracle = (one.certificate for one in finished)
    assert stored_one["proven"] is oracle["proven"] is (differing == 0)
    assert stored_one["left"] == oracle["left"] == 0
    assert stored_one["erased"] == oracle["erased"]
    assert stored_one["stays"]["events"] == oracle["stays"]["events"]
    assert stored_one["readModels"]["session"]["rows"] == oracle["readModels"]["session"]["rows"]
    assert await positions(stored) == sorted(one.position for one in stored.log.hits)


@unhurried
@given(
    log=(histories.histories(min_size=1, max_size=40) | histories.dense_histories(min_size=1)),
    subject=histories.subjects(),
    cut=st.floats(0, 1),
    period=histories.periods() | histories.dense_periods(),
    seed=st.integers(),
)
async def test_answers_of_the_past_stay_unless_a_visit_of_the_visitor_is_in_them(
    stored, log, subject, cut, period, seed
):
    await stored.empty()
    await stored.append(log)
    await project_in_slices(stored, seed)
    gone = {one.position for visit in own_visits(log, subject) for one in visit.hits}

    await erase_visitor(stored, subject, 2)

    traffic = log[min(int(cut * len(log)), len(log) - 1)].position
    question = PastQuestion(positions=Positions(SITE, START, 0, traffic), span=period)
    near = [run for run in runs(log) if gone & {one.position for one in run.hits} and _overlaps(run, period)]
    try:
        async with stored.snapshots().past(question) as past:
            found = await _asked(past, period)
    except ErasedSince:
        assert near
        return
    async with MemoryReportSnapshots(stored.log, stored.journal).past(question) as oracle:
        assert found == await _asked(oracle, period)


def _overlaps(run, period):
    first, last = run.hits[0].hit.occurred_at, run.hits[-1].hit.occurred_at
    return quarter_of(first) < period.end and quarter_of(last) + QUARTER > period.start


async def _asked(reports, period):
    return [
        await reports.traffic.overview(SITE, ReportQuery(period)),
        await reports.breakdowns.break_down(SITE, "country", ReportQuery(period), Page(1, 50)),
        await reports.sessions.listed(SITE, SessionsQuery(period=period, most=50)),
    ]
