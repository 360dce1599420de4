"""Revenue by source over HTTP (docs/goals/revenue.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.reports.description import PAGED, Answered, Report, Reports, State
from footfall.adapters.http.resources.reports.properties import property_key
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_parameters import COMPARED
from footfall.application.reports.catalogue.revenue import (
    PARAMETERS,
    RevenueFound,
    RevenueInquiry,
    money_property,
)
from footfall.domain.revenue.revenue import (
    DEFAULT_DAYS,
    DIMENSIONS,
    Model,
    RevenuePlan,
    parse_lookback,
    parse_models,
    parse_revenue_dimension,
)
from footfall.domain.traffic.report_query import ReportQuery

_DEFAULT: tuple[Model, ...] = (Model.LAST_NOT_DIRECT,)


def _revenue(state: State) -> RevenueInquiry:
    parameters, query, page = state.parameters, state.query, state.page
    by = parameters.read(lambda texts: parse_revenue_dimension(texts.get("by")), DIMENSIONS[0])
    models = parameters.read(_models, _DEFAULT)
    days = parameters.read(lambda texts: parse_lookback(texts.get("lookback")), DEFAULT_DAYS)
    key = parameters.read(_property, None)
    goal = parameters.required_goal()
    money, currency = money_property(goal.rule, state.currencies, key)
    plan = RevenuePlan(goal, money, query.period, by, models, days)
    window = state.compared if parameters.compares else None
    return RevenueInquiry(ReportQuery(plan.around, query.filters), plan, currency, page, window)


def _property(texts: Mapping[str, str]) -> str | None:
    return property_key(texts) if "property" in texts else None


def _models(texts: Mapping[str, str]) -> tuple[Model, ...]:
    return parse_models(texts.get("model"), texts.get("compare_model"))


def _body(answered: Answered[RevenueInquiry, RevenueFound]) -> dict[str, Any]:
    inquiry, revenue = answered.inquiry, answered.result
    meta = {
        "property": inquiry.plan.property_key,
        "currency": inquiry.currency,
        "models": [str(model) for model in inquiry.plan.models],
        "lookback": inquiry.plan.days,
    }
    return {
        "data": answered.rows,
        "totals": inquiry.totals(revenue),
        "meta": {**page_meta(inquiry.page, revenue.now.values), **meta},
        **({} if inquiry.window is None else {"comparison": answered.comparison(inquiry.window)}),
    }


REPORTS: Reports = {
    "revenue": Report(
        explained="revenue",
        own=("goal", *PARAMETERS),
        shown=(*COMPARED, *PAGED),
        inquiry=_revenue,
        body=_body,
    )
}
