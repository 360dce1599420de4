"""What a request asks of a report whose changes are explained: by the parameters of the report (docs/citations.md)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from attrs import frozen

from footfall.adapters.http.resources.error_groups.costs import goal_of_costs
from footfall.adapters.http.resources.reports.breakdowns import counts_visitors, moving_dimension
from footfall.adapters.http.resources.reports.properties import event_rule, property_key
from footfall.adapters.http.wire.error_bodies import error_message_or_none
from footfall.adapters.http.wire.parameters import identifier
from footfall.adapters.http.wire.report_parameters import COMPARED, ReportParameters
from footfall.application.access.disclosure import Reader
from footfall.application.citations.error_inquiries import (
    ERROR_NAMES,
    ErrorBucketsInquiry,
    ErrorGroupsInquiry,
    error_costs_inquiry,
)
from footfall.application.citations.inquiries import (
    PAGES,
    WEB_VITALS,
    BreakdownInquiry,
    Inquiry,
    OverviewInquiry,
    PropertiesInquiry,
    PropertySeriesInquiry,
    PropertyValuesInquiry,
    RowsInquiry,
    TimeseriesInquiry,
    funnel_inquiry,
    goals_inquiry,
    movers_inquiry,
)
from footfall.application.journal.directory import Directory
from footfall.application.reports.goal_list import ReportQuery
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND, parse_dimension


@frozen
class State:
    """One state of a site, and the parameters of a request as they are read in it; `present` is the state of now."""

    parameters: ReportParameters
    reader: Reader
    directory: Directory
    present: Directory

    @property
    def query(self) -> ReportQuery:
        """The period and the filters."""
        return self.parameters.query()

    @property
    def size(self) -> BucketSize:
        """The size of buckets."""
        return self.parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)


@frozen
class ComparedReport:
    """A report: its own parameters, and what makes an inquiry of them, which is checked by the caller."""

    own: tuple[str, ...]
    inquiry: Callable[[State], Inquiry]


def _overview(state: State) -> Inquiry:
    return OverviewInquiry(state.query)


def _timeseries(state: State) -> Inquiry:
    return TimeseriesInquiry(state.query, state.size, state.parameters.window().zone)


def _goals(state: State) -> Inquiry:
    choice = state.parameters.search()
    return goals_inquiry(state.query, [one for one in state.reader.goals if choice.is_in(one.goal.name)])


def _breakdown(state: State) -> Inquiry:
    by = state.parameters.read(lambda texts: parse_dimension(texts.get("by")), DIMENSIONS[0])
    return _rows_of(state, by)


def _outbound(state: State) -> Inquiry:
    return _rows_of(state, OUTBOUND)


def _rows_of(state: State, by: str) -> Inquiry:
    return BreakdownInquiry(
        state.query,
        by,
        visitors=state.parameters.read(counts_visitors, otherwise=False),
        goal=state.parameters.goal(),
        choice=state.parameters.search(),
    )


def _movers(state: State) -> Inquiry:
    by = state.parameters.read(moving_dimension, DIMENSIONS[0])
    return movers_inquiry(state.parameters.compared_window(), state.parameters.filters(), by)


def _pages(state: State) -> Inquiry:
    return RowsInquiry(PAGES, state.query, state.parameters.search())


def _web_vitals(state: State) -> Inquiry:
    return RowsInquiry(WEB_VITALS, state.query, state.parameters.search())


def _error_names(state: State) -> Inquiry:
    return RowsInquiry(ERROR_NAMES, state.query, state.parameters.search())


def _errors(state: State) -> Inquiry:
    merged = state.directory.error_decisions(state.reader.site_id).merged
    return ErrorGroupsInquiry(state.query, merged, state.parameters.search().containing)


def _error_buckets(state: State) -> Inquiry:
    message = state.parameters.read(error_message_or_none, None)
    return ErrorBucketsInquiry(state.query, state.size, state.parameters.window().zone, message)


def _error_costs(state: State) -> Inquiry:
    query, goal_id = state.query, state.parameters.read(goal_of_costs, 0)
    group = state.parameters.read(_group, None)
    state.parameters.check()
    return error_costs_inquiry(query, (state.directory, state.present), state.reader.site_id, goal_id, group)


def _funnel(state: State) -> Inquiry:
    query, number = state.query, state.parameters.read(_funnel_id, 0)
    state.parameters.check()
    return funnel_inquiry(query, state.directory, state.reader.site_id, number)


def _properties(state: State) -> Inquiry:
    event = state.parameters.read(event_rule, EventRule(""))
    return PropertiesInquiry(state.query, event, state.parameters.search())


def _property_values(state: State) -> Inquiry:
    event, key = state.parameters.read(event_rule, EventRule("")), state.parameters.read(property_key, "")
    return PropertyValuesInquiry(state.query, event, key, state.parameters.search())


def _property_series(state: State) -> Inquiry:
    event, key = state.parameters.read(event_rule, EventRule("")), state.parameters.read(property_key, "")
    return PropertySeriesInquiry(state.query, event, key, state.size, state.parameters.window().zone)


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


_OF_ROWS = ("visitors", "goal", "search")

# By the last part of the path of each report; a funnel, and the costs of errors, have names of their own.
# Their endpoints have the rule `Access.DETAILS`.
REPORTS_OF_DETAILS = frozenset({"errors", "error-costs"})
REPORTS: Mapping[str, ComparedReport] = MappingProxyType(
    {
        "overview": ComparedReport((), _overview),
        "timeseries": ComparedReport(("bucket",), _timeseries),
        "goals": ComparedReport(("search",), _goals),
        "breakdown": ComparedReport(("by", *_OF_ROWS), _breakdown),
        "outbound": ComparedReport(_OF_ROWS, _outbound),
        "movers": ComparedReport(("by", *COMPARED), _movers),
        "pages": ComparedReport(("search",), _pages),
        "web-vitals": ComparedReport(("search",), _web_vitals),
        "funnel": ComparedReport(("funnel",), _funnel),
        "properties": ComparedReport(("event", "search"), _properties),
        "property-values": ComparedReport(("event", "property", "search"), _property_values),
        "property-timeseries": ComparedReport(("event", "property", "bucket"), _property_series),
        "errors": ComparedReport(("search",), _errors),
        "error-names": ComparedReport(("search",), _error_names),
        "error-costs": ComparedReport(("goal", "group"), _error_costs),
        "error-bucketed": ComparedReport(("errorMessage", "bucket"), _error_buckets),
    }
)
