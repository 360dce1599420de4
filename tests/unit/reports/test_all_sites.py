"""The list of all sites: one question to each store, and the stores that do not answer."""

import asyncio
from datetime import timedelta

import pytest
from attrs import define, field

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.regular_expressions import compile_expression
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.cells import CellAway
from footfall.application.reports.all_sites import (
    PATIENCE_SECONDS,
    AllSitesReader,
    SiteQuery,
    parse_site_query,
)
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.site import Site
from footfall.domain.sites.standing_exclusions import ExclusionRule, StandingExclusions
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors

CELLS = {1: None, 2: None, 3: "west", 4: "east"}
RULES = StandingExclusions({1: ExclusionRule("Servers", (Condition("network", "equals", ("hosting",)),))}, 1)
# Of those whose visitors are selected by rules.
REFUSED, SLOW = 2, 3
VISITORS = {1: (5, 5), 2: (9, 0), 3: (1, 10), 4: (7, 2)}


@define
class Stores:
    """A store a cell, which notes what it is asked; `away` do not answer, `silent` never do."""

    away: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    asked: list[tuple[str | None, tuple[int, ...]]] = field(factory=list)

    def of(self, cell):
        if cell in self.away:
            raise CellAway("the cell is away")
        return Store(self, cell)

    def cell_of(self, site_id):
        return CELLS[site_id]

    async def catch_up(self, site_id):
        return site_id


@define
class Store:
    stores: Stores
    cell: str | None

    async def recent_visitors(self, site_ids, days):
        assert days == RecentDays.at(NOON)
        self.stores.asked.append((self.cell, tuple(site_ids)))
        if self.cell in self.stores.silent:
            await asyncio.Event().wait()
        return {one: RecentVisitors(visitors=VISITORS[one][0], before=VISITORS[one][1]) for one in site_ids}

    async def selected_visitors(self, site_id, days, filters):  # noqa: ARG002 - the port's
        if site_id == SLOW:
            await asyncio.Event().wait()
        if site_id == REFUSED:
            raise Invalid({"excluded": ["too much"]})
        return RecentVisitors(visitors=VISITORS[site_id][0], before=VISITORS[site_id][1])


async def test_each_store_is_asked_once_about_all_its_sites():
    stores = Stores()

    found = await read(stores)

    assert sorted(stores.asked, key=str) == [("east", (4,)), ("west", (3,)), (None, (1, 2))]
    assert [one.record.site.site_id for one in found.sites] == [2, 4, 1, 3]


async def test_events_that_are_missing_are_added_up_over_the_stores():
    assert (await read(Stores())).missing == 1 + 3 + 4


@pytest.mark.parametrize("trouble", [{"away": ("west",)}, {"silent": ("west",)}])
async def test_sites_of_a_store_that_does_not_answer_are_listed_last_and_without_numbers(trouble):
    # As long as the silent one is waited for; the others answer in less, however busy the machine is.
    found = await read(Stores(**trouble), patience_seconds=0.5)

    assert [one.record.site.site_id for one in found.sites] == [2, 4, 1, 3]
    assert [one.recent is None for one in found.sites] == [False, False, False, True]


@pytest.mark.parametrize(
    ("query", "order"),
    [
        (SiteQuery(sort="visitors", descending=False), [3, 1, 4, 2]),
        # A site that had no visitors before has no change.
        (SiteQuery(sort="change"), [4, 1, 3, 2]),
        (SiteQuery(sort="name", descending=False), [1, 2, 3, 4]),
        (SiteQuery(sort="createdAt"), [4, 3, 2, 1]),
        (SiteQuery(search=" SITE 3"), [3]),
        (SiteQuery(search="4.example"), [4]),
    ],
)
async def test_sites_are_searched_and_sorted(query, order):
    found = await read(Stores(), query)

    assert [one.record.site.site_id for one in found.sites] == order


@pytest.mark.parametrize(
    ("parameters", "name", "accepted"),
    [
        ({"sort": "pageviews"}, "sort", "must be one of visitors, change, name, createdAt"),
        ({"order": "up"}, "order", "must be one of asc, desc"),
        ({"search": "x" * 256}, "search", "must be at most 255 characters"),
    ],
)
def test_a_parameter_that_is_not_accepted_is_named(parameters, name, accepted):
    with pytest.raises(Invalid) as refused:
        parse_site_query(parameters)

    assert refused.value.field_errors == {name: [accepted]}


async def test_a_site_whose_rules_take_long_or_are_refused_costs_no_other_site_its_numbers(monkeypatch):
    monkeypatch.setitem(CELLS, 3, None)

    found = await read(Stores(), patience_seconds=0.5, exclusions=RULES)

    numbers = {one.record.site.site_id: one.recent and one.recent.visitors for one in found.sites}
    assert numbers == {1: 5, REFUSED: None, SLOW: None, 4: 7}


async def read(stores, query=None, *, patience_seconds=PATIENCE_SECONDS, **known):
    reader = AllSitesReader(
        directory=stores,
        freshness=stores,
        reports_of=stores.of,
        clock=ManualClock(NOON),
        expressions=compile_expression,
        patience_seconds=patience_seconds,
    )
    return await reader.read([record(number, **known) for number in CELLS], query or SiteQuery())


def record(number, **known):
    site = Site(
        site_id=number,
        public_id=f"{number:012x}",
        organization_id="1",
        name=f"Site {number}",
        domain=f"{number}.example.com",
        created_by="1",
        **known,
    )
    at = NOON + timedelta(days=number)
    return SiteRecord(site, at, at)
