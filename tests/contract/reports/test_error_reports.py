"""Errors: what PostgreSQL answers is what the functions of the domain say of the same log and journal."""

from datetime import timedelta
from itertools import product

import pytest

from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import DeviceType
from footfall.domain.traffic.filters import Filter, FilterType
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
        asked = (SITE, "broken", Period(START, after(days=2)), Page(1, 1), filters)
        found = await stored.errors.occurrences(*asked, choice=RowChoice(containing))

        assert ([one.hit.pathname for one in found.occurrences], found.total) == (paths[:1], len(paths)), (
            containing,
            filters,
        )
        expected = await stored.error_oracle.occurrences(*asked, choice=RowChoice(containing))
        assert found == expected, (containing, filters)


async def test_errors_of_another_site_are_not_reported(stored):
    await _store(stored, record(error("x"), error("x", site_id=2), hit(site_id=2)))
    await catch_up(stored.projector)
    everything = Period(START - timedelta(days=1), START + timedelta(days=1))

    [summary] = (await stored.reports.error_names.summarize(2, everything, Page(1, 20))).summaries

    assert (summary.count, summary.session_count, summary.total) == (1, 1, 1)
    assert not await stored.errors.knows(3, "x")


async def _store(stored, log):
    await stored.empty()
    await stored.append(log)
