"""The inquiries of the panels of a dashboard that show a report as it stands."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from attrs import evolve

from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.view import View
from footfall.application.access.readers import Reader
from footfall.application.access.shared_links import dimension_for
from footfall.application.citations.answer_states import Answer
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord, SiteRecord
from footfall.application.reports.catalogue.bots import BotsInquiry
from footfall.application.reports.catalogue.breakdowns import (
    BreakdownInquiry,
    LargestMoversInquiry,
    PagesInquiry,
    WebVitalsInquiry,
)
from footfall.application.reports.catalogue.cohorts import CohortsInquiry, cohorts_inquiry, site_in
from footfall.application.reports.catalogue.error_groups import (
    ErrorCostsInquiry,
    ErrorGroupsInquiry,
    error_costs_inquiry,
)
from footfall.application.reports.catalogue.errors import ErrorNamesInquiry
from footfall.application.reports.catalogue.funnels import FunnelInquiry, funnel_inquiry
from footfall.application.reports.catalogue.goals import GoalsInquiry, goal_at
from footfall.application.reports.catalogue.properties import (
    PropertiesInquiry,
    PropertySeriesInquiry,
    PropertyValuesInquiry,
)
from footfall.application.reports.catalogue.revenue import RevenueInquiry, money_property
from footfall.application.reports.error_costs import unchanged_goal
from footfall.application.reports.error_groups import GroupRequest
from footfall.application.reports.query_parameters import COMPARED_DATES, COMPARISONS
from footfall.domain.bot_traffic.bot_traffic import filters_on_bots
from footfall.domain.cohorts.cohorts import CohortPlan, all_until, parse_cohort_size
from footfall.domain.error_tracking.grouping import parse_sort
from footfall.domain.error_tracking.status import parse_status
from footfall.domain.exceptions import NotFound, require_valid
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import MAX_EVENT_NAME, MAX_PROPERTY, EventRule
from footfall.domain.goals.value import money_of
from footfall.domain.number import identifier
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.revenue.revenue import (
    MOST_DAYS,
    RevenuePlan,
    parse_lookback,
    parse_models,
    parse_revenue_dimension,
)
from footfall.domain.sites.currencies import Currencies
from footfall.domain.sites.site import Site
from footfall.domain.text import text_fault
from footfall.domain.traffic.conversion import GoalOrder, GoalSort
from footfall.domain.traffic.report_query import ReportQuery

_DAY = timedelta(days=1)
# The longest periods that have cohorts of a size unless another one is chosen, and the longest that can have them.
_COHORTS: Mapping[BucketSize, tuple[timedelta, timedelta]] = MappingProxyType(
    {
        BucketSize.DAY: (14.5 * _DAY, 93 * _DAY),
        BucketSize.WEEK: (190 * _DAY, 800 * _DAY),
        BucketSize.MONTH: (timedelta.max, timedelta.max),
    }
)


def query_of(view: View) -> ReportQuery:
    """Return the period and the filters of a view."""
    return ReportQuery(view.window.period, view.asked)


def of_values(view: View, by: str, rows: PanelRows) -> BreakdownInquiry:
    """Return what a panel asks about the values of an attribute, with the conversions of each under a lens.

    Beside the sessions that reached the goal of the lens stand the others: its filter is none of the rows.
    """
    lens = view.lens
    query = ReportQuery(view.window.period, [condition for condition in view.asked if condition is not lens])
    goal, by = None if lens is None else lens.goals[0], dimension_for(by, belongs=view.belongs)
    return BreakdownInquiry(query, by, goal=goal, choice=rows.choice, page=rows.page, groups=view.groups)


def of_pages(view: View, rows: PanelRows) -> PagesInquiry:
    """Return what the panel of pages asks, as long as `has_page_traffic`."""
    return PagesInquiry(query_of(view), rows.choice, rows.page, view.groups)


def of_movers(view: View, by: str, rows: PanelRows) -> LargestMoversInquiry:
    """Return what a panel asks about the values that changed most."""
    window = view.compared_window
    by = dimension_for(by, belongs=view.belongs)
    return LargestMoversInquiry(ReportQuery(window.span, view.asked), window, by, rows.page.size, view.groups)


def of_vitals(view: View, rows: PanelRows) -> WebVitalsInquiry:
    """Return what the panel of web vitals asks."""
    return WebVitalsInquiry(query_of(view), rows.choice, rows.page)


def of_bots(view: View, site: Site, page: Page) -> BotsInquiry:
    """Return what is asked about bots.

    Raises:
        Invalid: a filter of the view is on another attribute than those of bots.

    """
    query = query_of(view)
    query = ReportQuery(query.period, filters_on_bots(query.filters))
    return BotsInquiry(query, site.zone, site.domain, page)


def cohort_sizes(period: Period) -> Sequence[BucketSize]:
    """Return the sizes of cohorts that suit a period."""
    return [size for size, (_, most) in _COHORTS.items() if period.length <= most]


def of_cohorts(
    view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int
) -> CohortsInquiry:
    """Return what is asked about cohorts: those of the size, and of the goal, that an address names.

    A size that does not suit the period gives way to the usual one.

    Raises:
        Invalid: there is no such size, or there would be more than 300 cohorts.
        GoalNotFound: the site has no such goal.

    """
    period = view.window.period
    usual = next(size for size, (most, _) in _COHORTS.items() if period.length <= most)
    chosen = parse_cohort_size(parameters["cohort"]) if "cohort" in parameters else usual
    size = chosen if chosen in cohort_sizes(period) else usual
    goal = goal_of(parameters, directory, site_id).query if "goal" in parameters else None

    def plan(period: Period) -> CohortPlan:
        return CohortPlan(period, size, view.window.zone, view.at, goal)

    before = plan(view.previous_period) if names_comparison(view) else None
    return cohorts_inquiry(plan(period), view.asked, site_in(directory, site_id), before)


def all_before(view: View) -> Period:
    """Return the time of all visits that cohorts of a view depend on, those of the present minute included."""
    return all_until(view.at + timedelta(minutes=1))


def of_revenue(
    view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int, rows: PanelRows
) -> RevenueInquiry | None:
    """Return what is asked about revenue by source: of the goal, the attribute and the models that an address names.

    Without a goal it is the first one with money, or the first one of all; None on a site without goals.

    Raises:
        Invalid: a parameter is not accepted.
        GoalNotFound: the site has no such goal.

    """
    goal, site = goal_of_revenue(parameters, directory, site_id), directory.site(str(site_id))
    if goal is None:
        return None
    currencies = {} if site is None else site.site.currencies
    texts = {name: text for name, text in parameters.items() if isinstance(text, str)}
    key, currency = money_property(goal.goal.rule, currencies, texts.get("property"))
    plan = RevenuePlan(
        goal.query,
        key,
        view.window.period,
        parse_revenue_dimension(texts.get("by")),
        parse_models(texts.get("model"), texts.get("compare_model")),
        parse_lookback(texts.get("lookback")),
    )
    window = view.compared_window if names_comparison(view) else None
    return RevenueInquiry(ReportQuery(plan.around, view.asked), plan, currency, rows.page, window)


def goal_of_revenue(parameters: Mapping[str, Any], directory: Directory, site_id: int) -> GoalRecord | None:
    """Return the goal that an address names; without one the first one with money, or the first one of all.

    Raises:
        GoalNotFound: the site has no such goal.

    """
    if "goal" in parameters:
        return goal_of(parameters, directory, site_id)
    goals, site = directory.goals_of(site_id), directory.site(str(site_id))
    money = [
        record for record in goals if site is not None and money_of(record.goal.rule, site.site.currencies)
    ]
    return next(iter(money + goals), None)


def revenue_around(view: View) -> Period:
    """Return the time of all visits that revenue can depend on, with any lookback."""
    period = view.window.span if names_comparison(view) else view.window.period
    return Period(period.start - MOST_DAYS * _DAY, period.end)


def names_comparison(view: View) -> bool:
    """Whether an address names what to compare with: unasked, it would double the time of the page."""
    chosen = dict(view.parameters)
    return view.compares and (chosen.get("compare") in COMPARISONS or COMPARED_DATES[0] in chosen)


def of_properties(view: View, event: str, record: SiteRecord, rows: PanelRows) -> PropertiesInquiry:
    """Return what is asked about the properties of an event."""
    currencies = record.site.currencies
    return PropertiesInquiry(query_of(view), EventRule(event), rows.choice, rows.page, currencies)


def of_property_values(view: View, parameters: Mapping[str, Any], rows: PanelRows) -> PropertyValuesInquiry:
    """Return what is asked about the values of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = property_of(parameters)
    return PropertyValuesInquiry(query_of(view), EventRule(event), key, rows.choice, rows.page)


def of_property_series(view: View, parameters: Mapping[str, Any]) -> PropertySeriesInquiry:
    """Return what is asked about the numbers over time of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = property_of(parameters)
    return PropertySeriesInquiry(query_of(view), EventRule(event), key, view.size, view.window.zone)


def goal_of(parameters: Mapping[str, Any], directory: Directory, site_id: int) -> GoalRecord:
    """Return the goal that an address names.

    Raises:
        GoalNotFound: it names none, or the site has no such goal.

    """
    return goal_at(directory, site_id, identifier(str(parameters.get("goal", ""))))


def of_goals(view: View, directory: Directory, site_id: int, rows: PanelRows) -> GoalsInquiry:
    """Return what is asked about a page of the chosen goals, the most frequent first."""
    goals = tuple(record for record in directory.goals_of(site_id) if rows.choice.is_in(record.goal.name))
    return GoalsInquiry(query_of(view), goals, GoalOrder(GoalSort.TOTAL_CONVERSIONS), rows.page)


def of_funnel(view: View, plan: FunnelPlan, directory: Directory, site: Site) -> FunnelInquiry:
    """Return what is asked about a funnel, and about the money in the events of its steps.

    Raises:
        FunnelNotCountable: a goal of the funnel was deleted, or visitors cannot be followed over days.

    """
    window = view.compared_window if view.compares else None
    return funnel_inquiry(query_of(view), directory, site.site_id, plan, window, site.currencies)


def of_errors(view: View, directory: Directory, site_id: int, rows: PanelRows) -> ErrorNamesInquiry:
    """Return what is asked about the messages of errors, with the status of each in a state."""
    decisions = directory.error_decisions(site_id)
    return ErrorNamesInquiry(query_of(view), decisions, view.at, rows.choice, rows.page)


def chosen_groups(parameters: Mapping[str, Any], rows: PanelRows) -> GroupRequest:
    """Return which groups of errors an address chooses.

    Raises:
        Invalid: there is no such status or order.

    """
    status, sort = [parameters.get(name) for name in ("status", "sort")]
    return GroupRequest(
        status=parse_status(status if isinstance(status, str) else None),
        sort=parse_sort(sort if isinstance(sort, str) else None),
        page=rows.page,
        containing=rows.choice.containing,
    )


def of_groups(view: View, chosen: GroupRequest, reader: Reader, answer: Answer) -> ErrorGroupsInquiry:
    """Return what is asked about groups of errors."""
    decisions = answer.directory.error_decisions(reader.site_id)
    return ErrorGroupsInquiry(query_of(view), decisions, answer.positions.at, reader, chosen)


def of_costs(
    view: View, goal_id: int, reader: Reader, answer: Answer, currencies: Currencies = MappingProxyType({})
) -> ErrorCostsInquiry:
    """Return what is asked about the costs of errors, also in money where the events of the goal have some.

    Raises:
        GoalNotFound: the site has no such goal.
        Invalid: the goal was changed or deleted since the state of the answer.

    """
    goal = unchanged_goal(answer.directory, answer.present, reader.site_id, goal_id, name="as_of")
    inquiry = error_costs_inquiry(query_of(view), goal, answer.directory, reader, answer.positions.at)
    return evolve(inquiry, currencies=currencies)


def has_page_traffic(by: str, view: View) -> bool:
    """Whether a panel shows visitors, bounces and times of pages; the lens of a goal has figures of its own."""
    return by == "pathname" and view.lens is None and not view.by_change


def property_of(parameters: Mapping[str, Any]) -> tuple[str, str]:
    """Return the event and the key of the property that an address names.

    Raises:
        NotFound: it names none.
        Invalid: a name is too long, or cannot be stored.

    """
    event, key = parameters.get("event"), parameters.get("key")
    if not isinstance(event, str) or not isinstance(key, str):
        raise NotFound("Property not found")
    limits = {"event": (event, MAX_EVENT_NAME), "key": (key, MAX_PROPERTY)}
    errors = {
        name: [fault] for name, (text, most) in limits.items() if (fault := text_fault(text, maximum=most))
    }
    require_valid(errors)
    return event, key
