"""Erasures of visitors whose hits others erase meanwhile: retention, and each other."""

from datetime import timedelta
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.domain.traffic.expiry import expire
from footfall.domain.visits.subject import Subject, own_visits
from tests import histories
from tests.contract.test_retention import by_message, positions, replayed
from tests.generated import examples
from tests.histories import SITE, START
from tests.stores.stored import catch_up

LOGS = histories.histories(max_size=60) | histories.dense_histories() | histories.long_histories()
SUBJECTS = st.builds(
    Subject,
    st.frozensets(st.sampled_from(["anna", "bob"]), max_size=2),
    st.frozensets(st.integers(1, 4), max_size=2),
)


@examples(60)
@given(
    log=LOGS,
    subjects=st.lists(SUBJECTS, min_size=1, max_size=3),
    hours=st.integers(-2, 60),
    limit=st.sampled_from([1, 2, 1_000]),
)
async def test_all_found_hits_go_whatever_others_erase_meanwhile(stored, log, subjects, hours, limit):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)
    erasures = PostgresVisitorErasures(stored.connections, stored.url)
    asked = [
        VisitorErasure(erasure=uuid4(), site_id=SITE, requested_at=START, subject=subject)
        for subject in subjects
    ]
    async with erasures.lock() as locked:
        for erasure in asked:
            await erasures.request(SITE, erasure)
            assert await locked.find(erasure)
    before = START + timedelta(hours=hours)
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        while await locked.erase_some(RetentionCutoff(SITE, before), 100) is not None:
            pass

    async with holding_lock(AdvisoryLock.VISITORS, stored.url) as connection:
        for erasure in asked:
            while await Erasing(connection, SITE, erasure.erasure, limit).run():
                pass

    gone = {one.position for subject in subjects for visit in own_visits(log, subject) for one in visit.hits}
    kept = [one.position for one in expire(log, before).hits]
    assert await positions(stored) == sorted(set(kept) - gone)
    own = {one.erasure for one in asked}
    erased = sum([one.hits for one in await erasures.of_site(SITE) if one.erasure in own])
    assert erased == len(gone & set(kept))
    assert by_message(await stored.read_models()) == by_message(await replayed(stored))
