"""All sites that a user may see, with their recent visitors (docs/read/reports.md#all-sites)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from attrs import frozen

from footfall.application.access.exclusions import exclusion_filters
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import AllSitesReports, Freshness
from footfall.application.ports.system import Clock
from footfall.domain.exceptions import Invalid, noting, require_valid
from footfall.domain.sites.site import Site
from footfall.domain.traffic.filters import ExpressionCompiler
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentSpan, RecentVisitors, parse_span

# A store that is away does not keep waiting those who ask about sites of others.
PATIENCE_SECONDS = 3.0
SORTS = ("visitors", "change", "name", "createdAt")
ORDERS = ("asc", "desc")
MAX_SEARCH = 255

ReportsOfCell = Callable[[str | None], AllSitesReports]


@frozen
class SiteVisitors:
    """A site with its visitors; None while the store of its cell does not answer, or an exclusion rule is refused."""

    record: SiteRecord
    recent: RecentVisitors | None


@frozen(kw_only=True)
class SiteQuery:
    """The sites that a list shows, their order, and how far back their visitors go."""

    search: str = ""
    sort: str = "visitors"
    descending: bool = True
    span: RecentSpan = RecentSpan.DAY


@frozen(kw_only=True)
class AllSites:
    """The sites of a list in its order, and the number of stored events that their reports do not hold yet."""

    days: RecentDays
    sites: Sequence[SiteVisitors]
    missing: int


@frozen(kw_only=True)
class AllSitesReader:
    """Asks each store once, and once about its sites with exclusion rules, all of them at the same time."""

    directory: Directory
    freshness: Freshness
    reports_of: ReportsOfCell
    clock: Clock
    expressions: ExpressionCompiler
    patience_seconds: float = PATIENCE_SECONDS

    async def read(self, records: Sequence[SiteRecord], query: SiteQuery) -> AllSites:
        """Return the sites that a query selects, with their visitors."""
        days = RecentDays.at(self.clock.now(), query.span)
        chosen = [record for record in records if _matches(record, query.search)]
        # Those with exclusion rules cost more, and the others do not wait for them.
        cells: dict[tuple[str | None, bool], list[Site]] = {}
        for record in chosen:
            site = record.site
            question = self.directory.cell_of(site.site_id), bool(site.exclusions.enabled)
            cells.setdefault(question, []).append(site)
        answers = await asyncio.gather(
            *(self._ask(cell, sites, days, selects=selects) for (cell, selects), sites in cells.items())
        )
        recent_by_site = {site_id: recent for recents, _ in answers for site_id, recent in recents.items()}
        sites = [SiteVisitors(record, recent_by_site.get(record.site.site_id)) for record in chosen]
        return AllSites(
            days=days, sites=_in_order(sites, query), missing=sum(missing for _, missing in answers)
        )

    async def _ask(
        self, cell: str | None, sites: Sequence[Site], days: RecentDays, *, selects: bool
    ) -> tuple[Mapping[int, RecentVisitors], int]:
        visitors: dict[int, RecentVisitors] = {}
        missing = 0
        with suppress(StoreUnavailable, TimeoutError):
            async with asyncio.timeout(self.patience_seconds):
                # All sites of a store are in one log: what one of them waits for is there for all.
                missing = await self.freshness.catch_up(sites[0].site_id)
                reports = self.reports_of(cell)
                if not selects:
                    return await reports.recent_visitors([site.site_id for site in sites], days), missing
                # One after the other, each kept: a site that takes long costs only those after it their numbers.
                for site in sites:
                    with suppress(Invalid):
                        filters = exclusion_filters(site.exclusions, self.expressions)
                        visitors[site.site_id] = await reports.selected_visitors(site.site_id, days, filters)
        return visitors, missing


def parse_site_query(parameters: Mapping[str, str]) -> SiteQuery:
    """Return the query of the parameters `search`, `sort`, `order` and `period`.

    Names sort from A to Z by default, everything else the largest first.

    Raises:
        Invalid: a value is not accepted; the errors name what is.

    """
    search, sort = parameters.get("search", ""), parameters.get("sort", "visitors")
    order = parameters.get("order", "asc" if sort == "name" else "desc")
    errors = {
        **({} if sort in SORTS else {"sort": [f"must be one of {', '.join(SORTS)}"]}),
        **({} if order in ORDERS else {"order": [f"must be one of {', '.join(ORDERS)}"]}),
        **({} if len(search) <= MAX_SEARCH else {"search": [f"must be at most {MAX_SEARCH} characters"]}),
    }
    with noting(errors):
        span = parse_span(parameters.get("period"))
    require_valid(errors)
    return SiteQuery(search=search, sort=sort, descending=order == "desc", span=span)


def _matches(record: SiteRecord, search: str) -> bool:
    wanted = search.strip().casefold()
    return wanted in record.site.name.casefold() or wanted in record.site.domain.casefold()


def _in_order(sites: Sequence[SiteVisitors], query: SiteQuery) -> list[SiteVisitors]:
    """Return the sites in the order of a query, those without a value last, ties by id."""
    valued = [(value, site) for site in sites if (value := _value(site, query.sort)) is not None]
    ordered = sorted(valued, key=lambda pair: pair[0], reverse=query.descending)
    return [site for _, site in ordered] + [site for site in sites if _value(site, query.sort) is None]


def _value(site: SiteVisitors, sort: str) -> tuple[float | str, ...] | None:
    if sort == "name":
        return (site.record.site.name.casefold(), site.record.site.name)
    if sort == "createdAt":
        return (site.record.created_at.timestamp(),)
    if site.recent is None:
        return None
    return _change(site.recent) if sort == "change" else (site.recent.visitors,)


def _change(recent: RecentVisitors) -> tuple[float, ...] | None:
    return None if recent.change is None else (recent.change,)
