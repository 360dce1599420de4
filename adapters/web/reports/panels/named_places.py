"""Countries, regions and languages: kept by codes, and shown and searched by names."""

from collections.abc import Mapping, Sequence

from attrs import evolve

from footfall.adapters.web.places.place_names import COUNTRY, LANGUAGE, place_labels
from footfall.adapters.web.places.region_names import region_labels
from footfall.adapters.web.places.world_map import MOST_COUNTRIES
from footfall.application.ports.reports.breakdowns import BreakdownPage, BreakdownReports
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.report_query import ReportQuery

REGION = "region"
NAMED = (COUNTRY, REGION, LANGUAGE)


async def labels_of(
    breakdowns: BreakdownReports, site_id: int, by: str, values: Sequence[str], query: ReportQuery
) -> dict[str, str]:
    """Return the names of values that are codes; those of regions are unique in the countries that hits come from."""
    if by not in NAMED or not any(values):
        return {}
    if by != REGION:
        return place_labels(by, values)
    countries = await breakdowns.break_down(site_id, COUNTRY, query, Page(1, MOST_COUNTRIES))
    return region_labels(values, [row.value for row in countries.rows])


def searched_by_name(
    every: BreakdownPage, labels: Mapping[str, str], choice: RowChoice, page: Page
) -> BreakdownPage:
    """Return a page of those of all rows whose code or name contains a text."""
    chosen = [row for row in every.rows if choice.is_in(row.value, labels.get(row.value))]
    return evolve(every, rows=page.of(chosen), values=len(chosen))
