"""The page of the dashboard that shows the numbers of an operation of the HTTP interface (docs/mcp.md#links)."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

from footfall.adapters.web.reports.breakdown_panels import PANELS
from footfall.application.reports.query_parameters import COMPARED_DATES
from footfall.domain.traffic.filters import GOAL, FilterType

Parameters = Sequence[tuple[str, str]]

# The pages below the one of a site; the others are on the dashboard itself.
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "listGoals": "/panels/goals",
        "listGoalSessions": "/panels/sessions",
        "listFunnels": "/panels/funnels",
        "getFunnel": "/panels/funnels",
        "listErrors": "/panels/errors",
        "listNewErrors": "/panels/errors",
        "listErrorEvents": "/panels/occurrences",
        "listErrorGroups": "/errors",
        "getErrorGroup": "/errors/{group}",
        "listErrorCosts": "/errors/costs",
        "getErrorCost": "/errors/costs",
        "getWebVitals": "/panels/vitals",
        "listProperties": "/panels/properties",
        "listPropertyValues": "/panels/property",
        "getPropertyTimeseries": "/panels/property",
        "listSegments": "/segments",
        "listAnnotations": "/annotations",
        "listReleases": "/annotations",
        "getOutbound": "/panels/events",
    }
)
_DIMENSIONS: Mapping[str, str] = MappingProxyType(
    {by: panel for panel, one in PANELS.items() for by, _ in one.tabs}
)
# Names of parameters on the pages where they differ, by operation.
_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "getFunnel": {"funnel": "funnels"},
        "listErrorEvents": {"errorMessage": "message"},
        "getErrorBuckets": {"errorMessage": "message"},
        "listProperties": {"event": "properties"},
        "listPropertyValues": {"property": "key"},
        "getPropertyTimeseries": {"property": "key"},
    }
)
_OWN = ("goal", "funnel", "errorMessage", "event", "property", "sort", "status", "search")
_SHARED = ("start_date", "end_date", *COMPARED_DATES, "segment")
# These pages show the present only, or nothing that changes with the traffic.
_PRESENT = ("/errors", "/segments", "/annotations")


def dashboard_address(operation: str, arguments: Mapping[str, Any], positions: str | None) -> str | None:
    """Return path and query of the page that shows what an operation answered, as of its positions.

    None when no page can: it has periods of days, one value in each filter, and the breakdowns of its panels.
    """
    site = arguments.get("site")
    if site is None:
        return "/sites"
    page, filters = _page(operation, arguments), _filters(operation, arguments)
    if page is None or filters is None or "past_minutes_start" in arguments:
        return None
    parameters = [*_parameters(operation, arguments), *filters]
    if not page.startswith(_PRESENT) and positions is not None:
        parameters.append(("as_of", positions))
    return f"/sites/{quote(str(site), safe='')}{page}?{urlencode(parameters)}"


def _page(operation: str, arguments: Mapping[str, Any]) -> str | None:
    if operation in ("getBreakdown", "getMovers"):
        panel = _DIMENSIONS.get(str(arguments["by"]))
        return None if panel is None else f"/panels/{panel}"
    if operation == "getErrorBuckets":
        return "/panels/occurrences" if "errorMessage" in arguments else "/panels/errors"
    page = _PAGES.get(operation, "")
    return page.replace("{group}", quote(str(arguments.get("group", "")), safe=""))


def _parameters(operation: str, arguments: Mapping[str, Any]) -> Parameters:
    names = {**{name: name for name in (*_SHARED, *_OWN)}, **_NAMES.get(operation, {})}
    if operation == "getBreakdown":
        # Under the lens of a goal the page has the goal as a filter.
        del names["goal"]
    given = [(names[name], str(arguments[name])) for name in names if name in arguments]
    # Days are those of this zone, also on a site with another one.
    given.append(("time_zone", str(arguments.get("time_zone", "UTC"))))
    if by := arguments.get("by"):
        given.append((_DIMENSIONS.get(by, ""), by))
    if operation == "getOutbound":
        given.append((_DIMENSIONS["outbound"], "outbound"))
    if operation == "getMovers":
        given.append(("order", "change"))
    if arguments.get("compare_with") == "year":
        given.append(("compare", "year"))
    return given


def _filters(operation: str, arguments: Mapping[str, Any]) -> Parameters | None:
    """Return the filters, each with one value; None when several values of one are alternatives."""
    given = arguments.get("filters", [])
    listed = json.loads(given) if isinstance(given, str) else given
    found: list[tuple[str, str]] = []
    for one in listed:
        if len(one["value"]) > 1 and not FilterType(one["type"]).negative:
            return None
        found += [("filter", f"{one['parameter']},{one['type']},{value}") for value in one["value"]]
    if operation in ("getBreakdown", "getOutbound") and "goal" in arguments:
        found.append(("filter", f"{GOAL},{FilterType.EQUALS},{arguments['goal']}"))
    return found
