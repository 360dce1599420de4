"""Errors: what PostgreSQL answers is what the functions of the domain say of the same log and journal."""

from datetime import timedelta
from itertools import product

import pytest

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.reports.error_messages import with_status
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.error_tracking.resolution_grace import GRACE
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import DeviceType
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE, START, after, error, hit, record
from tests.stores.stored import catch_up


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
        await stored.errors.occurrences(
            SITE, message, ReportQuery(period, filters), Page(1, 10), choice=choice
        )
        for message in ("x is not defined", "y is not")
    ]
    expected = [
        await stored.error_oracle.occurrences(
            SITE, message, ReportQuery(period, filters), Page(1, 10), choice=choice
        )
        for message in ("x is not defined", "y is not")
    ]

    assert found == expected
    assert found[0].occurrences[0].user_id == "anna"


PHONE = Filter("device_type", FilterType.EQUALS, ("mobile",))


# Each with the pages of the occurrences that contain it.
SEARCHES = {"/BLOG": ["/blog/1", "/blog"], "fox": ["/"], "WINDOWS": ["/blog"], "broken": [], "%": []}


async def test_occurrences_are_searched_in_page_browser_and_system(stored):
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

    for (containing, paths), filters in product(SEARCHES.items(), [(), (PHONE,)]):
        asked = (SITE, "broken", ReportQuery(Period(START, after(days=2)), filters), Page(1, 1))
        found = await stored.errors.occurrences(*asked, choice=RowChoice(containing))

        assert ([one.hit.pathname for one in found.occurrences], found.total) == (paths[:1], len(paths)), (
            containing,
            filters,
        )
        expected = await stored.error_oracle.occurrences(*asked, choice=RowChoice(containing))
        assert found == expected, (containing, filters)


@pytest.mark.parametrize("character", "%_\\")
@pytest.mark.parametrize(
    ("kind", "before", "behind"),
    [
        (FilterType.CONTAINS, "/a", "b/c"),
        (FilterType.STARTS_WITH, "", "b/c"),
        (FilterType.ENDS_WITH, "/a", ""),
    ],
)
async def test_what_patterns_of_the_store_mean_is_text_in_filters(stored, kind, before, behind, character):
    # The first has the character, the second what a pattern would take for it, the third the character doubled.
    paths = [f"{before}{text}{behind}" for text in (character, "x", character * 2)]
    value = {
        FilterType.CONTAINS: f"a{character}b",
        FilterType.STARTS_WITH: f"{character}b",
        FilterType.ENDS_WITH: f"a{character}",
    }[kind]
    await _store(
        stored,
        record(
            *(error(f"of {number}", pathname=path, visitor_id=number) for number, path in enumerate(paths, 1))
        ),
    )
    await catch_up(stored.projector)

    page = await stored.errors.new(
        SITE, ReportQuery(Period(START, after(days=1)), [Filter("pathname", kind, (value,))]), Page(1, 10)
    )

    assert [summary.message for summary in page.summaries] == ["of 1"]


async def test_errors_of_another_site_are_not_reported(stored):
    await _store(stored, record(error("x"), error("x", site_id=2), hit(site_id=2)))
    await catch_up(stored.projector)
    everything = Period(START - timedelta(days=1), START + timedelta(days=1))

    [summary] = (
        await stored.reports.error_names.summarize(2, ReportQuery(everything), Page(1, 20))
    ).summaries

    assert (summary.count, summary.session_count, summary.total) == (1, 1, 1)
    assert await stored.errors.cause(3, "x") is None


async def test_the_cause_of_a_message_is_that_of_its_latest_occurrence_whatever_is_asked(stored):
    at_once = after(hours=1)
    await _store(
        stored,
        record(
            error("x", name="Early"),
            error("x", at_once, name="First", pathname="/blog"),
            error("x", at_once, name="Latest"),
            error("y", name="Early"),
        ),
    )
    await catch_up(stored.projector)
    day = Period(START, START + timedelta(minutes=30))
    early = Filter("pathname", FilterType.EQUALS, ("/",))

    for filters in ([], [early]):
        found = await stored.reports.error_names.summarize(SITE, ReportQuery(day, filters), Page(1, 10))
        new = await stored.errors.new(SITE, ReportQuery(day, filters), Page(1, 10))
        expected = await stored.error_oracle.summarize(SITE, ReportQuery(day, filters), Page(1, 10))

        assert found == expected
        assert {one.message: one.fingerprint for one in new.summaries} == {
            "x": fingerprint("Latest", ErrorDetails(message="x")),
            "y": fingerprint("Early", ErrorDetails(message="y")),
        }
    assert await stored.errors.cause(SITE, "x") == fingerprint("Latest", ErrorDetails(message="x"))
    assert await stored.errors.cause(SITE, "z") is None


async def test_causes_that_are_not_told_apart_yet_are_waited_for(stored):
    await _store(stored, record(error("x")))
    await catch_up(stored.projector)
    async with stored.connections.connection() as connection:
        await connection.execute("delete from error_sighting")

    page = await stored.reports.error_names.summarize(
        SITE, ReportQuery(Period(START, after(days=1))), Page(1, 10)
    )
    listed = await with_status(stored.error_groups, ErrorDecisions(), SITE, page, START)

    assert [(one.group, one.status) for one in listed.messages] == [(None, ErrorStatus.OPEN)]
    with pytest.raises(StoreUnavailable):
        await stored.errors.cause(SITE, "x")


async def test_a_message_that_was_marked_as_resolved_has_resolved_its_cause_until_then(stored):
    at, name = after(hours=1), {"name": "Then"}
    await _store(
        stored,
        record(
            error("x", name="Before"),
            error("x", at + GRACE, **name),
            error("x", at + GRACE + timedelta(microseconds=1), name="Since"),
            error("same cause 1", **name),
            error("same cause 2", **name),
            error("later", at + 2 * GRACE, name="Since"),
        ),
    )
    await catch_up(stored.projector)
    for message, moment in (
        ("x", START),
        ("x", at),
        ("same cause 2", after(minutes=7)),
        ("same cause 1", after(minutes=5)),
        ("later", at),
        ("never", at),
    ):
        await stored.resolve(message, moment)

    found = await stored.error_groups.former_resolutions(SITE)

    assert found == await stored.error_group_oracle.former_resolutions(SITE)
    assert found == {
        fingerprint("Then", ErrorDetails(message="x")): at,
        fingerprint("Then", ErrorDetails(message="same cause 1")): after(minutes=7),
    }
    assert await stored.error_groups.former_resolutions(2) == {}


async def _store(stored, log):
    await stored.empty()
    await stored.append(log)
