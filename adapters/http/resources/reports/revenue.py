"""Revenue by source over HTTP (docs/revenue.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from footfall.adapters.http.resources.reports.description import PAGED, Answered, Report, State
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.reports.catalogue.revenue import PARAMETERS, RevenueInquiry, money_property
from footfall.application.reports.report_query import ReportQuery
from footfall.domain.exceptions import GoalNotFound, Invalid
from footfall.domain.goals.goal import MAX_PROPERTY
from footfall.domain.revenue.revenue import (
    DEFAULT_DAYS,
    DIMENSIONS,
    Model,
    Revenue,
    RevenuePlan,
    parse_lookback,
    parse_models,
    parse_revenue_dimension,
)
from footfall.domain.text import text_fault

_DEFAULT: tuple[Model, ...] = (Model.LAST_NOT_DIRECT,)


def _revenue(state: State) -> RevenueInquiry:
    parameters, query, page = state.parameters, state.query, state.page
    by = parameters.read(lambda texts: parse_revenue_dimension(texts.get("by")), DIMENSIONS[0])
    models = parameters.read(_models, _DEFAULT)
    days = parameters.read(lambda texts: parse_lookback(texts.get("lookback")), DEFAULT_DAYS)
    key, goal = parameters.read(_property, None), parameters.goal()
    parameters.read(_require_goal, None)
    parameters.check()
    if goal is None:
        raise GoalNotFound
    property_key, currency = money_property(goal.rule, state.currencies, key)
    plan = RevenuePlan(goal, property_key, query.period, by, models, days)
    return RevenueInquiry(ReportQuery(plan.around, query.filters), plan, currency, page)


def _models(texts: Mapping[str, str]) -> tuple[Model, ...]:
    return parse_models(texts.get("model"), texts.get("compare_model"))


def _property(texts: Mapping[str, str]) -> str | None:
    key = texts.get("property")
    if key is not None and (fault := text_fault(key, maximum=MAX_PROPERTY) if key else "must not be empty"):
        raise Invalid({"property": [fault]})
    return key


def _require_goal(texts: Mapping[str, str]) -> None:
    if "goal" not in texts:
        raise Invalid({"goal": ["is required: the goalId of a goal"]})


def _body(answered: Answered[RevenueInquiry, Revenue]) -> dict[str, Any]:
    inquiry, found = answered.inquiry, answered.result
    money = None if inquiry.plan.property_key is None else float(found.total.sum)
    meta = {
        "property": inquiry.plan.property_key,
        "currency": inquiry.currency,
        "models": [str(model) for model in inquiry.plan.models],
        "lookback": inquiry.plan.days,
    }
    return {
        "data": list(map(inquiry.record, found.rows)),
        "totals": {"count": found.total.count, "sum": money, "signed": found.signed},
        "meta": {**page_meta(inquiry.page, found.values), **meta},
    }


REPORTS: Mapping[str, Report[Any, Any]] = MappingProxyType(
    {
        "revenue": Report(
            explained="revenue",
            own=("goal", *PARAMETERS),
            shown=PAGED,
            inquiry=_revenue,
            body=_body,
        )
    }
)
