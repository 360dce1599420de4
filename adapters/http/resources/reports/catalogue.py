"""The reports of the interface, by the last part of their paths, and those whose changes are explained."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.adapters.http.resources.error_groups.costs import goal_of_costs
from footfall.adapters.http.resources.reports.breakdowns import (
    BREAKDOWN,
    MOVERS,
    OUTBOUND_LINKS,
    PAGES,
    WEB_VITALS,
)
from footfall.adapters.http.resources.reports.description import Report, State
from footfall.adapters.http.resources.reports.errors import (
    ERROR_BUCKETS,
    ERROR_EVENTS,
    ERROR_NAMES,
    NEW_ERRORS,
)
from footfall.adapters.http.resources.reports.properties import (
    PROPERTIES,
    PROPERTY_TIMESERIES,
    PROPERTY_VALUES,
)
from footfall.adapters.http.resources.reports.traffic import LIVE, OVERVIEW, REALTIME, TIMESERIES
from footfall.adapters.http.wire.parameters import identifier
from footfall.application.reports.catalogue.errors import ErrorGroupsInquiry, error_costs_inquiry
from footfall.application.reports.catalogue.goals import funnel_inquiry, goals_inquiry
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.exceptions import Invalid

REPORTS: Mapping[str, Report[Any, Any]] = MappingProxyType(
    {
        "overview": OVERVIEW,
        "timeseries": TIMESERIES,
        "breakdown": BREAKDOWN,
        "outbound": OUTBOUND_LINKS,
        "movers": MOVERS,
        "pages": PAGES,
        "web-vitals": WEB_VITALS,
        "realtime": REALTIME,
        "live": LIVE,
        "properties": PROPERTIES,
        "property-values": PROPERTY_VALUES,
        "property-timeseries": PROPERTY_TIMESERIES,
        "error-names": ERROR_NAMES,
        "error-events": ERROR_EVENTS,
        "error-bucketed": ERROR_BUCKETS,
    }
)
# Those with single errors have the rule `Access.DETAILS`.
REPORTS_OF_DETAILS: Mapping[str, Report[Any, Any]] = MappingProxyType({"errors/new": NEW_ERRORS})


@frozen
class ExplainedReport:
    """A report whose changes are explained: its own parameters, and what makes an inquiry of them.

    The caller checks the parameters.
    """

    own: tuple[str, ...]
    inquiry: Callable[[State], Inquiry[Any]]


def _goals(state: State) -> Inquiry[Any]:
    choice = state.parameters.search()
    return goals_inquiry(state.query, [one for one in state.reader.goals if choice.is_in(one.goal.name)])


def _errors(state: State) -> Inquiry[Any]:
    merged = state.directory.error_decisions(state.reader.site_id).merged
    return ErrorGroupsInquiry(state.query, merged, state.parameters.search().containing)


def _error_costs(state: State) -> Inquiry[Any]:
    query, goal_id = state.query, state.parameters.read(goal_of_costs, 0)
    group = state.parameters.read(_group, None)
    state.parameters.check()
    return error_costs_inquiry(query, (state.directory, state.present), state.reader.site_id, goal_id, group)


def _funnel(state: State) -> Inquiry[Any]:
    query, number = state.query, state.parameters.read(_funnel_id, 0)
    state.parameters.check()
    return funnel_inquiry(query, state.directory, state.reader.site_id, number)


def _funnel_id(texts: Mapping[str, str]) -> int:
    number = identifier(texts.get("funnel", ""))
    if number is None:
        raise Invalid({"funnel": ["must be the id of a funnel of this site"]})
    return number


def _group(texts: Mapping[str, str]) -> str | None:
    group = texts.get("group")
    if group is not None and not is_fingerprint(group):
        raise Invalid({"group": ["must be the id of a group of errors"]})
    return group


def _explained(name: str) -> tuple[str, ExplainedReport]:
    return name, ExplainedReport(REPORTS[name].own, REPORTS[name].inquiry)


# Their endpoints have that rule, too.
EXPLAINED_DETAILS = frozenset({"errors", "error-costs"})
# A funnel, and the costs of errors, have names of their own.
EXPLAINED: Mapping[str, ExplainedReport] = MappingProxyType(
    dict(
        [
            *map(_explained, ("overview", "timeseries")),
            ("goals", ExplainedReport(("search",), _goals)),
            *map(_explained, ("breakdown", "outbound", "movers", "pages", "web-vitals")),
            ("funnel", ExplainedReport(("funnel",), _funnel)),
            *map(_explained, ("properties", "property-values", "property-timeseries")),
            ("errors", ExplainedReport(("search",), _errors)),
            *map(_explained, ("error-names",)),
            ("error-costs", ExplainedReport(("goal", "group"), _error_costs)),
            *map(_explained, ("error-bucketed",)),
        ]
    )
)
