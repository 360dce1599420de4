"""Groups of errors: what PostgreSQL answers is what the functions of the domain say of the same log and decisions."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.application.ports.errors.error_groups import CostQuery
from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.grouping import GroupChoice, GroupSort
from footfall.domain.error_tracking.occurrence import error_details
from footfall.domain.event_stream import fold
from footfall.domain.pagination import Page
from tests import histories
from tests.generated import examples
from tests.histories import SITE, START, STEPS, error, record
from tests.stores.stored import catch_up, project_in_slices

unhurried = examples(60)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 3)) | st.just(Page(1, 200))
CAUSES = [
    ("TypeError", {"message": "x is not defined"}),
    (
        "TypeError",
        {"message": "x is not defined", "stack": "TypeError: x\n    at f (https://e.com/a.3f2a1b9c.js:1:2)"},
    ),
    (
        "TypeError",
        {"message": "x is not defined", "stack": "TypeError: x\n    at f (https://e.com/a.77aa11bb.js:9:9)"},
    ),
    ("Error", {"message": "item 12 is gone"}),
    ("Error", {"message": "item 13 is gone", "fileName": "app.js"}),
    (None, None),
]
FINGERPRINTS = sorted({fingerprint(name or "", error_details(known or {})) for name, known in CAUSES})


@st.composite
def logs(draw):
    """Generate a log in which errors of few causes are frequent, with releases."""
    log = draw(histories.histories(max_size=40))
    hits = []
    for one in log:
        name, known = draw(st.sampled_from(CAUSES))
        release = draw(st.sampled_from([None, "1.0", "1.1"]))
        kept = {"visitor_id": one.hit.visitor_id, "country": one.hit.country, "release": release}
        made = error("", one.hit.occurred_at, name, **kept)
        hits.append(_with_properties(made, known) if draw(st.integers(0, 3)) else one.hit)
    return record(*hits)


def _with_properties(hit, known):
    hit.properties = known
    return hit


_times = st.sampled_from(STEPS).map(lambda step: START + step)
_groups = st.sampled_from(FINGERPRINTS)
_events = st.lists(
    st.one_of(
        st.builds(decisions.ErrorGroupsMerged, _groups, st.lists(_groups, min_size=1, max_size=2).map(tuple)),
        st.builds(decisions.ErrorGroupResolved, _groups, _times),
        st.builds(
            decisions.ErrorGroupMuted, _groups, _times, st.none() | _times, st.none() | st.integers(1, 3)
        ),
    ),
    max_size=4,
)


def _state(events):
    """Return the state after events, merges decided as members would decide them."""
    state = None
    for event in events:
        new = [event]
        if isinstance(event, decisions.ErrorGroupsMerged):
            new = decisions.merge(state, event.into, event.fingerprints)
        state = fold(decisions.apply, new, state)
    return state or ErrorDecisions()


@unhurried
@given(
    log=logs(),
    seed=st.integers(),
    period=histories.periods(),
    page=pages,
    filters=st.lists(histories.filters(), max_size=1),
    events=_events,
    sort=st.sampled_from(GroupSort),
    choice=st.builds(
        GroupChoice,
        st.frozensets(_groups),
        st.booleans(),
        st.sampled_from(["", "", "fetch", "X IS", "nothing such"]),
    ),
)
async def test_groups_are_those_of_the_domain_however_the_log_is_cut(
    stored, log, seed, period, page, filters, events, sort, choice
):
    state = _state(events)
    await stored.empty()
    await stored.append(log)
    await project_in_slices(stored, seed)

    asked = (SITE, period, state, page)
    found = await stored.error_groups.groups(*asked, filters=filters, sort=sort, choice=choice)

    assert found == await stored.error_group_oracle.groups(*asked, filters=filters, sort=sort, choice=choice)
    groups = [one for one in FINGERPRINTS if state.group_of(one) == one]
    histories_of = await stored.error_groups.histories(SITE, state, groups)
    assert histories_of == await stored.error_group_oracle.histories(SITE, state, groups)


@examples(40)
@given(
    log=logs(),
    group=_groups,
    period=histories.periods(),
    filters=st.lists(histories.filters(), max_size=1),
    events=_events,
    later=st.integers(0, 80),
)
async def test_details_and_trails_are_those_of_the_domain(stored, log, group, period, filters, events, later):
    state = _state(events)
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    asked = (SITE, state.group_of(group), period, state)
    found = await stored.error_groups.details(*asked, filters=filters)

    oracle = stored.error_group_oracle
    assert found == await oracle.details(*asked, filters=filters)
    for one in found.latest:
        end = (one.hit.occurred_at, one.position + later)
        assert await stored.error_groups.trail(SITE, one.session_id, end) == await oracle.trail(
            SITE, one.session_id, end
        )


@examples(60)
@given(
    log=logs(),
    rule=histories.RULES,
    period=histories.periods(),
    filters=st.lists(histories.filters(), max_size=1),
    events=_events,
    deploys=st.lists(_times, max_size=2, unique=True).map(sorted),
)
async def test_costs_are_those_of_the_domain(stored, log, rule, period, filters, events, deploys):
    state = _state(events)
    await stored.empty()
    await stored.append(log)
    _, goal = await stored.define(rule)
    await catch_up(stored.projector)

    groups = [one for one in FINGERPRINTS if state.group_of(one) == one]
    query = CostQuery(goal, period, filters, deploys)
    found = await stored.error_groups.costs(SITE, groups, query, state)

    assert found == await stored.error_group_oracle.costs(SITE, groups, query, state)


@examples(8)
@given(log=logs(), size=st.integers(1, 7), since=st.integers(0, 60))
async def test_occurrences_projected_by_an_older_version_are_grouped_in_the_background(
    stored, log, size, since
):
    await stored.empty()
    await stored.append([one for one in log if one.position <= since])
    await catch_up(stored.projector)
    await _forget_groups(stored)
    await stored.append([one for one in log if one.position > since])

    projector = stored.new_projector(size=size)
    while await projector.catch_up():
        pass
    await projector.close()

    everything = await stored.error_groups.histories(SITE, ErrorDecisions(), FINGERPRINTS)
    assert everything == await stored.error_group_oracle.histories(SITE, ErrorDecisions(), FINGERPRINTS)
    rows = await stored.read_models()
    await stored.forget_read_models()
    await catch_up(stored.projector)
    assert (await stored.read_models())["error_sighting"] == rows["error_sighting"]


async def _forget_groups(stored):
    """Leave the store as a migration finds it."""
    async with stored.connections.connection() as connection:
        await connection.execute(
            "delete from error_sighting; insert into error_history"
            " select 0, 0, '-infinity', 0, position from projection_checkpoint where position > 0"
        )
