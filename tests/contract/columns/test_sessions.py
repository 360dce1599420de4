"""Sessions one by one: what the store and files list, and the trails, are those of the functions of the domain."""

from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.error_tracking.grouping import summarize_groups
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.session import sessionize
from footfall.domain.visits.session_list import SessionPlace, SessionsQuery
from footfall.domain.visits.trail import TrailPart
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE, START, after, hit, record

# Texts of the histories and parts of them, in other letters too, and the text of visitor 1.
TEXTS = ["", "/", "DE", "org/1", "HOME", "/BLOG/1", "%", "_", "'", "000000000001", "u"]
choices = st.builds(RowChoice, containing=st.sampled_from(TEXTS))
LOGS = histories.histories(max_size=60) | histories.long_histories(max_size=60)


@st.composite
def queries(draw, log):
    """Generate what a list is asked: any page of it, and any visitor, known or not."""
    sessions = sessionize(log)
    visitors = sorted({session.counted_visitor for session in sessions})
    places = [SessionPlace.of(session) for session in sessions]
    fingerprints = sorted({hit_fingerprint(one.hit) for one in log if one.hit.type is HitType.ERROR})
    moved = [evolve(place, session_id=place.session_id + 1) for place in places]
    return SessionsQuery(
        period=draw(histories.periods()),
        filters=draw(st.lists(conditions.filters(), max_size=2)),
        choice=draw(choices),
        visitor=draw(st.sampled_from([None, None, None, 77, *visitors])),
        journey=draw(st.none() | st.none() | conditions.journey_queries()),
        errors=draw(st.sampled_from([(), (), *zip(fingerprints), tuple(fingerprints), ("1-00",)])),
        after=draw(st.sampled_from([None, *places, *moved, SessionPlace(START, 3)])),
        most=draw(st.integers(1, 6)),
    )


PARTS = st.builds(
    TrailPart,
    most=st.integers(1, 5),
    skipped=st.none() | st.integers(0, 4),
    until=st.none()
    | st.builds(lambda hours, at: (after(hours=hours), at), st.integers(0, 900), st.integers(0, 200)),
)


FIRST_STEPS = TrailPart(most=3)


async def one_by_one(reports, query, part=FIRST_STEPS):
    """Return a list of sessions, and of the first ones the sessions that hold their ids and their trails."""
    listed = await reports.listed(SITE, query)
    return {
        "listed": listed,
        "found": [await reports.session_with(SITE, session.session_id) for session in listed[:2]],
        "trails": [await reports.trail(SITE, session.session_id, part) for session in listed[:2]],
    }


@examples(120)
@given(data=st.data(), log=LOGS, measured=st.integers(0, 1000), closed=st.integers(0, 60), part=PARTS)
async def test_lists_and_trails_are_those_of_the_domain(node, data, log, measured, closed, part):
    recorded = histories.with_measures(log, measured)
    await node.stored.empty()
    await node.store(recorded, closed, measured)
    query = data.draw(queries(histories.hits_of(recorded)))

    found = await one_by_one(node.reports.sessions, query, part)

    assert found == await one_by_one(MemoryReports(node.stored.log), query, part)
    node.expect_no_failure()


@examples(60)
@given(
    log=LOGS,
    period=histories.periods(),
    filters=st.lists(conditions.filters(), max_size=1),
    closed=st.integers(0, 60),
)
async def test_as_many_sessions_are_listed_as_met_an_error(node, log, period, filters, closed):
    await node.stored.empty()
    await node.store(log, closed, 0)
    groups = summarize_groups(node.stored.log.hits_of(SITE), period, ErrorDecisions(), filters=filters)

    asked = [SessionsQuery(period=period, filters=filters, errors=(one.group,), most=200) for one in groups]
    listed = [await node.reports.sessions.listed(SITE, one) for one in asked]

    assert [len(sessions) for sessions in listed] == [one.session_count for one in groups]
    node.expect_no_failure()


@pytest.mark.parametrize("filters", [[], [conditions.filter_of("hostname", "not_equals", "nowhere")]])
@pytest.mark.parametrize("closed", [0, 40])
async def test_pages_follow_each_other_without_a_gap_or_a_repetition(node, filters, closed):
    # Many start at the same time.
    log = record(*(hit(after(minutes=number // 7), visitor_id=number) for number in range(40)))
    await node.stored.empty()
    await node.store(log, closed, 0)
    query = SessionsQuery(period=Period(START, START + timedelta(days=1)), filters=filters, most=6)

    pages = [await node.reports.sessions.listed(SITE, query)]
    while pages[-1]:
        behind = evolve(query, after=SessionPlace.of(pages[-1][-1]))
        pages.append(await node.reports.sessions.listed(SITE, behind))

    assert [len(page) for page in pages] == [6, 6, 6, 6, 6, 6, 4, 0]
    assert [one.visitor_id for page in pages for one in page] == [*range(39, -1, -1)]


async def test_what_is_not_stored_has_no_session_and_no_trail(node):
    await node.stored.empty()
    await node.store(record(hit(), hit(after(hours=1), HitType.PERFORMANCE)), 0, 0)
    sessions = node.reports.sessions

    assert await sessions.session_with(SITE, 2**63 - 1) is None
    assert await sessions.session_with(SITE + 1, 1) is None
    assert await sessions.trail(SITE, 77, FIRST_STEPS) == await MemoryReports(node.stored.log).trail(
        SITE, 77, FIRST_STEPS
    )
