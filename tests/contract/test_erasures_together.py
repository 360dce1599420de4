"""Erasures of visitors whose hits others erase meanwhile: retention, and each other."""

from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.visitors.erasing import Erasing
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.domain.traffic.retention import expire
from footfall.domain.visits.subject import Subject, own_visits
from tests import histories
from tests.contract.test_retention import by_message, positions, replayed
from tests.generated import examples
from tests.histories import SITE, START, hit, record
from tests.stores.stored import catch_up, erase_visitor

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


@pytest.mark.parametrize("limit", [1, 40, 1_000])
@pytest.mark.parametrize("places", ["every third", "a day", "all but a few", "around midnight"])
async def test_of_a_run_of_many_days_only_a_part_is_formed_anew_at_a_time(stored, places, limit):
    def is_hers(number):
        return {
            "every third": number % 3 == 0,
            "a day": 4 * 72 <= number < 5 * 72,
            "all but a few": number % 100 > 2,
            "around midnight": number % 72 in (11, 12, 13),
        }[places]

    count = []

    class Counted(Erasing):
        async def _form_sessions(self):
            rows = await (await self._connection.execute("select count(*) as hits from run_hit")).fetchall()
            count.append(rows[0]["hits"])
            await super()._form_sessions()

    run = [
        hit(START + timedelta(minutes=20 * number), user_id="anna" if is_hers(number) else "bob")
        for number in range(12 * 72)
    ]
    anna = Subject(frozenset({"anna"}))
    await stored.append(record(*run))
    await catch_up(stored.projector)

    erasure = await erase_visitor(stored, anna, limit, Counted)

    assert await positions(stored) == [at + 1 for at in range(len(run)) if not is_hers(at)]
    assert by_message(await stored.read_models()) == by_message(await replayed(stored))
    assert erasure.hits == sum(map(is_hers, range(len(run))))
    assert erasure.visits == len(own_visits(record(*run), anna))
    if limit == 1:
        # Three days before, two behind it, and its own.
        assert max(count) <= 7 * 72
