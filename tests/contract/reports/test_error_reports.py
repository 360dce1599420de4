"""Errors: what PostgreSQL answers is what the functions of the domain say of the same log and journal."""

from datetime import timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import DeviceType
from footfall.domain.traffic.filters import Filter, FilterType
from tests import histories
from tests.generated import examples
from tests.histories import MESSAGES, SITE, START, STEPS, after, error, hit, record
from tests.stores.stored import catch_up, project_in_slices
from tests.zones import ZONES

unhurried = examples(100)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 4)) | st.just(Page(1, 200))
filters = st.lists(histories.filters(), max_size=1)
# The first two differ behind what an index holds.
LONG = ["y" * 8191 + "b", "y" * 8191 + "a", "\N{GRINNING FACE}" * 8192]


@st.composite
def logs(draw, max_size=50):
    """Generate a log in which errors are frequent, some with messages as long as messages can be."""
    log = draw(histories.histories(max_size=max_size))
    mostly = draw(st.sampled_from([(), MESSAGES, [*MESSAGES, *LONG]]))
    if not mostly:
        return log
    hits = (
        error(
            draw(st.sampled_from(mostly)),
            one.hit.occurred_at,
            draw(st.sampled_from(["TypeError", "Error"])),
            visitor_id=one.hit.visitor_id,
            country=one.hit.country,
        )
        if draw(st.integers(0, 3))
        else one.hit
        for one in log
    )
    return record(*hits)


@st.composite
def short_periods(draw):
    """Generate a period of minutes or hours about the beginning of histories."""
    start = START + draw(st.sampled_from(STEPS)) + draw(st.sampled_from(STEPS))
    return Period(start, start + timedelta(minutes=draw(st.sampled_from([1, 15, 45, 100, 600, 1439, 1440]))))


periods = histories.periods() | short_periods()


@unhurried
@given(
    log=logs(),
    seed=st.integers(),
    period=periods,
    page=pages,
    filters=filters,
    containing=st.sampled_from(["", "fetch", "X IS", "YYYb", "\N{GRINNING FACE}", "nothing such", "%"]),
    resolved=st.lists(st.tuples(st.sampled_from(MESSAGES), st.sampled_from(STEPS)), max_size=3),
)
async def test_summaries_are_those_of_the_domain_however_the_log_is_cut(
    stored, log, seed, period, page, filters, containing, resolved
):
    await _store(stored, log)
    await project_in_slices(stored, seed)
    for message, later in resolved:
        await stored.resolve(message, START + later)

    asked, choice = (SITE, period, page, filters), RowChoice(containing=containing)
    names = await stored.errors.summarize(*asked, choice=choice)
    new = await stored.errors.new(SITE, period, page, filters)

    assert names == await stored.error_oracle.summarize(*asked, choice=choice)
    assert new == await stored.error_oracle.new(SITE, period, page, filters)
    for message in (MESSAGES[0], LONG[0]):
        one = await stored.errors.summary(SITE, message, period, filters)
        assert one == await stored.error_oracle.summary(SITE, message, period, filters)


@unhurried
@given(
    log=logs(),
    message=st.sampled_from([*MESSAGES, *LONG]),
    period=periods,
    page=pages,
    filters=filters,
    containing=st.sampled_from(["", "fox", "BLOG", "%", "nothing such"]),
)
async def test_occurrences_are_those_of_the_domain(stored, log, message, period, page, filters, containing):
    await _store(stored, log)
    await catch_up(stored.projector)

    asked, choice = (SITE, message, period, page, filters), RowChoice(containing)
    found = await stored.errors.occurrences(*asked, choice=choice)

    assert found == await stored.error_oracle.occurrences(*asked, choice=choice)
    assert await stored.errors.knows(SITE, message) == await stored.error_oracle.knows(SITE, message)


@unhurried
@given(
    log=logs(),
    message=st.sampled_from([None, *MESSAGES, LONG[0]]),
    period=periods,
    size=st.sampled_from(BucketSize),
    zone=st.sampled_from(ZONES).map(parse_zone),
    filters=filters,
)
async def test_buckets_are_those_of_the_domain(stored, log, message, period, size, zone, filters):
    assume(_fits(period, size, zone))
    await _store(stored, log)
    await catch_up(stored.projector)

    found = await stored.errors.buckets(SITE, period, size, zone, message=message, filters=filters)

    expected = await stored.error_oracle.buckets(SITE, period, size, zone, message=message, filters=filters)
    assert found == expected


@pytest.mark.parametrize("containing", ["", "/"])
@pytest.mark.parametrize(
    "filters", [[], [Filter("pathname", FilterType.EQUALS, ("/",))]], ids=["all", "filtered"]
)
async def test_an_occurrence_has_the_user_of_its_session(stored, filters, containing):
    await stored.empty()
    await stored.append(
        record(hit(user_id="anna"), error("x is not defined"), error("y is not", visitor_id=2))
    )
    await catch_up(stored.projector)
    period, choice = Period(START, START + timedelta(days=1)), RowChoice(containing)

    found = [
        await stored.errors.occurrences(SITE, message, period, Page(1, 10), filters, choice=choice)
        for message in ("x is not defined", "y is not")
    ]
    expected = [
        await stored.error_oracle.occurrences(SITE, message, period, Page(1, 10), filters, choice=choice)
        for message in ("x is not defined", "y is not")
    ]

    assert found == expected
    assert found[0].occurrences[0].user_id == "anna"


PHONE = Filter("device_type", FilterType.EQUALS, ("mobile",))


@pytest.mark.parametrize("filters", [(), (PHONE,)])
@pytest.mark.parametrize(
    ("containing", "paths"),
    [("/BLOG", ["/blog/1", "/blog"]), ("fox", ["/"]), ("WINDOWS", ["/blog"]), ("broken", []), ("%", [])],
)
async def test_occurrences_are_searched_in_page_browser_and_system(stored, filters, containing, paths):
    phone = {"device_type": DeviceType.MOBILE}
    await _store(
        stored,
        record(
            error("broken", browser="Firefox", **phone),
            error("broken", after(minutes=1), pathname="/blog", operating_system="Windows", **phone),
            error("broken", after(minutes=2), pathname="/blog/1", **phone),
            error("other", after(minutes=3), pathname="/blog", browser="Firefox", **phone),
            error("broken", after(days=9), pathname="/blog", browser="Firefox", **phone),
            error("broken", after(minutes=3), pathname="/blog", browser="Firefox", site_id=2, **phone),
        ),
    )
    await catch_up(stored.projector)

    asked = (SITE, "broken", Period(START, after(days=2)), Page(1, 1), filters)
    found = await stored.errors.occurrences(*asked, choice=RowChoice(containing))

    assert ([one.hit.pathname for one in found.occurrences], found.total) == (paths[:1], len(paths))
    assert found == await stored.error_oracle.occurrences(*asked, choice=RowChoice(containing))


async def test_errors_of_another_site_are_not_reported(stored):
    await _store(stored, record(error("x"), error("x", site_id=2), hit(site_id=2)))
    await catch_up(stored.projector)
    everything = Period(START - timedelta(days=1), START + timedelta(days=1))

    [summary] = (await stored.errors.summarize(2, everything, Page(1, 20))).summaries

    assert (summary.count, summary.session_count, summary.total) == (1, 1, 1)
    assert not await stored.errors.knows(3, "x")


async def _store(stored, log):
    await stored.empty()
    await stored.append(log)


def _fits(period, size, zone):
    try:
        split_into_buckets(period, size, zone)
    except Invalid:
        return False
    return True
