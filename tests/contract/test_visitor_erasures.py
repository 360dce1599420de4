"""An erased visitor leaves a store as if it had never been there."""

from datetime import timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.mail import MemoryOutbox
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.memory.visitor_erasures import MemoryVisitorErasures
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.application.visitors.erasing import VisitorEraser
from footfall.domain.pagination import Page
from footfall.domain.traffic.expiry import expire
from footfall.domain.traffic.session import visits
from footfall.domain.visits.subject import Subject, measures_without, own_visits, without
from tests import histories
from tests.contract.test_retention import by_message, positions, replayed, stored_marks
from tests.generated import examples
from tests.histories import SITE, START, after, hits_of, record, with_measures
from tests.stores.stored import catch_up

LOGS = histories.histories(max_size=60) | histories.dense_histories() | histories.long_histories()
SUBJECTS = st.builds(
    Subject,
    st.frozensets(st.sampled_from(["anna", "bob"]), max_size=2),
    st.frozensets(st.integers(1, 4), max_size=2),
)
unhurried = examples(100)


async def asked(stored, subject):
    """Return an erasure that waits."""
    erasures = PostgresVisitorErasures(stored.connections, stored.url)
    await erasures.request(
        SITE, VisitorErasure(erasure=uuid4(), site_id=SITE, requested_at=START, subject=subject)
    )
    [erasure, *_] = await erasures.of_site(SITE)
    return erasures, erasure


async def erase(stored, subject, limit=1_000):
    """Find and erase what is a person's, some hits at a time."""
    erasures, erasure = await asked(stored, subject)
    async with erasures.lock() as locked:
        assert await locked.find(erasure)
        connection = locked._connection
        while await Erasing(connection, SITE, erasure.erasure, limit).run():
            pass
    [erasure] = await erasures.of_site(SITE)
    return erasure


async def clear(stored):
    await stored.empty()
    async with stored.connections.connection() as connection:
        await connection.execute("truncate visitor_erasure, visitor_erasure_hit")


@unhurried
@given(
    log=LOGS,
    seed=st.integers(0, 9),
    subject=SUBJECTS,
    rules=st.lists(histories.RULES, max_size=2),
    limit=st.sampled_from([1, 3, 1_000]),
)
async def test_read_models_are_those_of_the_rest(stored, log, seed, subject, rules, limit):
    await clear(stored)
    for rule in rules:
        await stored.define(rule)
    entries = with_measures(log, seed)
    await stored.append(entries)
    await catch_up(stored.projector)

    erasure = await erase(stored, subject, limit)

    hits = hits_of(entries)
    left = without(hits, subject)
    assert await positions(stored) == sorted(one.position for one in left.hits)
    found = by_message(await stored.read_models())
    assert found == by_message(await replayed(stored))
    sessions = {(row["session_id"], row["started_at"], row["ended_at"]) for row in found["session"]}
    assert sessions == {
        (one.session.session_id, one.session.start, one.session.end) for one in visits(left.hits)
    }
    gone = own_visits(hits, subject)
    assert (erasure.visits, erasure.hits) == (len(gone), sum(len(visit.hits) for visit in gone))


@unhurried
@given(log=LOGS, later=LOGS, subject=SUBJECTS, hours=st.integers(-2, 60))
async def test_marks_and_later_hits_are_those_of_a_log_without_the_visitor(
    stored, log, later, subject, hours
):
    await clear(stored)
    await stored.append(log)
    await catch_up(stored.projector)
    before = START + timedelta(hours=hours)
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        while await locked.erase_some(RetentionCutoff(SITE, before), 100) is not None:
            pass
    kept = expire(log, before)

    await erase(stored, subject, 2)

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
@given(log=LOGS, seed=st.integers(0, 9), subject=SUBJECTS, period=histories.periods())
async def test_reports_are_those_of_the_domain_without_the_visitor(stored, log, seed, subject, period):
    await clear(stored)
    entries = with_measures(log, seed)
    await stored.append(entries)
    await catch_up(stored.projector)
    await stored.traffic.overview(SITE, period)

    await erase(stored, subject)

    hits = hits_of(entries)
    left = list(without(hits, subject).hits)
    measures = measures_without(stored.log.measures, hits, left)
    oracle = MemoryReports(MemoryTrafficLog(left, measures=measures))
    assert await stored.traffic.overview(SITE, period) == await oracle.overview(SITE, period)
    rows = Page(1, 100)
    pages = await stored.reports.breakdowns.pages(SITE, period, rows)
    assert pages == await MemoryBreakdowns(MemoryTrafficLog(left, measures=measures)).pages(
        SITE, period, rows
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
        history=history,
        replay=replay,
        tidy=lambda: None,
        secret=b"secret",
        clock=ManualClock(after(days=1)),
    )


@unhurried
@given(log=LOGS, seed=st.integers(0, 9), subject=SUBJECTS, differing=st.integers(0, 1))
async def test_both_adapters_erase_and_certify_alike(stored, log, seed, subject, differing):
    await clear(stored)
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
