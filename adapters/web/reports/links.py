"""The page of the dashboard that shows the numbers of an operation of the HTTP interface.

See docs/read/programs/mcp.md#answers.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

from footfall.adapters.web.reports.filters.filter_texts import filter_text
from footfall.adapters.web.reports.panels.breakdowns import PANELS, panel_of
from footfall.application.reports.catalogue.cohorts import FIRST, FIRST_GOAL
from footfall.application.reports.catalogue.journeys import OF_LISTS, asks_journey
from footfall.application.reports.catalogue.journeys import PARAMETERS as JOURNEY
from footfall.application.reports.catalogue.revenue import PARAMETERS as REVENUE
from footfall.application.reports.catalogue.sessions import ERROR
from footfall.application.reports.query_parameters import COMPARED_DATES, parse_report_period
from footfall.domain.citations.positions import Positions, parse_as_of
from footfall.domain.goals.matching import property_text
from footfall.domain.row_choice import MAX_SEARCH
from footfall.domain.traffic.filters import GOAL, PATH_PARAMETERS, FilterType

Parameters = Sequence[tuple[str, str]]

_LIVE = "/live"
# The pages below the one of a site; the others are on the dashboard itself.
_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "listBots": "/bots",
        "getRetention": "/retention",
        "getRevenue": "/revenue",
        "listGoals": "/panels/goals",
        "listGoalSessions": "/panels/sessions",
        "listSessions": "/sessions",
        "getSession": "/sessions/{session}",
        "listFunnels": "/panels/funnels",
        "getFunnel": "/panels/funnels",
        "getJourneys": "/journeys",
        "listErrors": "/panels/errors",
        "listNewErrors": "/panels/errors",
        "listErrorEvents": "/panels/errors",
        "listErrorGroups": "/errors",
        "getErrorGroup": "/errors/{group}",
        "listErrorCosts": "/errors/costs",
        "getErrorCost": "/errors/costs",
        "getErrorBuckets": "/panels/errors",
        "getWebVitals": "/panels/vitals",
        "getPages": "/panels/pages",
        "getLive": _LIVE,
        "getRealtime": _LIVE,
        "listProperties": "/panels/properties",
        "listPropertyValues": "/panels/property",
        "getPropertyTimeseries": "/panels/property",
        "listSegments": "/segments",
        "listPageGroups": "/page-groups",
        "listAnnotations": "/annotations",
        "listReleases": "/annotations",
        "getOutbound": "/panels/events",
    }
)
# Names of parameters on the pages where they differ, by operation.
_NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "getFunnel": {"funnel": "funnels"},
        "getRetention": {"compare": "compare"},
        "getRevenue": {name: name for name in REVENUE},
        "listProperties": {"event": "properties"},
        "listPropertyValues": {"property": "key"},
        "getPropertyTimeseries": {"property": "key"},
    }
)
_OWN = (
    "goal",
    "funnel",
    "event",
    "property",
    "bucket",
    "sort",
    "status",
    "search",
    "visitor",
    "cursor",
    ERROR,
    *FIRST,
    FIRST_GOAL,
    *OF_LISTS,
)
_SHARED = ("start_date", "end_date", *COMPARED_DATES, "segment", "excluded")
# The reports whose changes the dashboard explains.
_EXPLAINED: Mapping[str, str] = MappingProxyType(
    {
        "overview": "overview",
        "timeseries": "chart",
        "goals": "goals",
        "outbound": "events",
        "pages": "pages",
        "web-vitals": "vitals",
        "funnel": "funnels",
        "journeys": "journeys",
        "properties": "properties",
        "error-names": "errors",
        "retention": "retention",
        "revenue": "revenue",
    }
)
# These pages show the present only, or nothing that changes with the traffic.
_PRESENT = ("/segments", "/page-groups", "/annotations", "/bots", _LIVE)


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
    if operation == "getChanges":
        parameters = [*_explained(arguments, positions or ""), *filters]
        return f"/sites/{quote(str(site), safe='')}{page}?{urlencode(parameters)}"
    parameters = [*_parameters(operation, arguments), *filters]
    if not page.startswith(_PRESENT) and positions is not None:
        parameters.append(("as_of", positions))
    return f"/sites/{quote(str(site), safe='')}{page}?{urlencode(parameters)}"


def _page(operation: str, arguments: Mapping[str, Any]) -> str | None:
    if operation in ("getBreakdown", "getMovers"):
        panel = panel_of(str(arguments["by"]))
        return None if panel is None else f"/panels/{panel}"
    if operation == "getChanges":
        return None if _explained_panel(arguments) is None or "search" in arguments else "/changes"
    page = _PAGES.get(operation, "")
    if page == _LIVE and "as_of" in arguments:
        return None
    for name in ("group", "session"):
        page = page.replace(f"{{{name}}}", quote(str(arguments.get(name, "")), safe=""))
    return page


def _parameters(operation: str, arguments: Mapping[str, Any]) -> Parameters:
    names = {**{name: name for name in (*_SHARED, *_OWN)}, **_NAMES.get(operation, {})}
    if operation == "getBreakdown":
        # Under the lens of a goal the page has the goal as a filter.
        del names["goal"]
    parameters = [(names[name], str(arguments[name])) for name in names if name in arguments]
    if message := arguments.get("errorMessage"):
        # The list of errors, in which the page of the cause is one click away.
        parameters = [*(each for each in parameters if each[0] != "search"), ("search", _searched(message))]
    # Days are those of this zone, also on a site with another one.
    parameters.append(("time_zone", str(arguments.get("time_zone", "UTC"))))
    if operation != "getRevenue" and (by := arguments.get("by")):
        parameters.append((panel_of(str(by)) or "", str(by)))
    if operation == "getRetention":
        # The page has the size that suits its period, unless the address names one.
        parameters.append(("cohort", str(arguments.get("cohort", "week"))))
    if operation == "getOutbound":
        parameters.append((panel_of("outbound") or "", "outbound"))
    if operation == "getMovers":
        parameters.append(("order", "change"))
    if "compare_with" in arguments:
        parameters.append(("compare", str(arguments["compare_with"])))
    return [*parameters, *_ungrouped(operation, arguments)]


def _ungrouped(operation: str, arguments: Mapping[str, Any]) -> Parameters:
    """Return the parameter of a page that lists paths one by one, as reports do that are not asked for groups."""
    lists_pages = operation in ("getPages", "getJourneys") or arguments.get("report") in ("pages", "journeys")
    lists_pages |= operation == "listSessions" and asks_journey(arguments)
    is_grouped = str(arguments.get("groups", "")).lower() == "true"
    lists_paths = lists_pages or arguments.get("by") in PATH_PARAMETERS
    return [("groups", "off")] if lists_paths and not is_grouped else []


def _searched(message: str) -> str:
    """Return the beginning of a message's longest line: fields to search in have one line and a limit."""
    return max(message.splitlines(), key=len, default="").strip()[:MAX_SEARCH]


def _explained_panel(arguments: Mapping[str, Any]) -> str | None:
    if arguments["report"] == "breakdown":
        return panel_of(str(arguments.get("by")))
    return _EXPLAINED.get(str(arguments["report"]))


def _explained(arguments: Mapping[str, Any], until: str) -> Parameters:
    """Return the parameters of an explanation; on the page, periods without dates end with the earlier state."""
    panel, tabs = str(_explained_panel(arguments)), {"funnel": "funnels", "event": "properties"}
    zone = str(arguments.get("time_zone", "UTC"))
    dates = {name: str(arguments[name]) for name in ("start_date", "end_date") if name in arguments}
    later = parse_as_of(until)
    if isinstance(later, Positions):
        window = parse_report_period({**dates, "time_zone": zone}, now=later.at)
        ends = (window.period.start, window.period.end - timedelta(microseconds=1))
        names = ("start_date", "end_date")
        dates = {name: str(at.astimezone(window.zone).date()) for name, at in zip(names, ends, strict=True)}
    parameters = [(name, str(arguments[key])) for key, name in tabs.items() if key in arguments]
    if panel in ("retention", "revenue"):
        own = ("cohort", "goal", *REVENUE)
        parameters += [(name, str(arguments[name])) for name in own if name in arguments]
    if panel == "journeys":
        parameters += [(name, str(arguments[name])) for name in JOURNEY if name in arguments]
    parameters += _ungrouped("getChanges", arguments)
    if "segment" in arguments:
        parameters.append(("segment", str(arguments["segment"])))
    if panel in PANELS:
        by = "outbound" if arguments["report"] == "outbound" else str(arguments.get("by", "pathname"))
        parameters.append((panel, by))
    states = [("report", panel), ("as_of", str(arguments["from"])), ("until", until)]
    return [*parameters, *dates.items(), ("time_zone", zone), *states]


def _filters(operation: str, arguments: Mapping[str, Any]) -> Parameters | None:
    """Return the filters, each with one value; None when several values of one are alternatives."""
    filters = arguments.get("filters", [])
    listed = json.loads(filters) if isinstance(filters, str) else filters
    parameters: list[tuple[str, str]] = []
    for entry in listed:
        if len(entry["value"]) > 1 and not FilterType(entry["type"]).negative:
            return None
        parameters += [
            ("filter", filter_text(entry["parameter"], entry["type"], _typed(value)))
            for value in entry["value"]
        ]
    if operation in ("getBreakdown", "getOutbound", "getChanges") and "goal" in arguments:
        parameters.append(("filter", filter_text(GOAL, FilterType.EQUALS, str(arguments["goal"]))))
    return parameters


def _typed(value: Any) -> str:
    """Return a value as pages take it: numbers and booleans of properties as their texts."""
    return property_text(value) or ""
