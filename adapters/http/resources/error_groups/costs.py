"""Costs of errors for a goal, over HTTP (docs/errors/error-costs.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from footfall.adapters.http.resources.annotations import annotation_body
from footfall.adapters.http.resources.error_groups.bodies import group_body
from footfall.adapters.http.resources.reports.description import Answered, Report, Reports, State
from footfall.adapters.http.wire.report_bodies import record
from footfall.adapters.http.wire.report_parameters import goal_text
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.reports.catalogue.error_groups import (
    LOSS,
    ErrorCostsInquiry,
    ErrorGroupCostInquiry,
    error_costs_inquiry,
)
from footfall.application.reports.error_costs import CostlyGroup, unchanged_goal
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.error_tracking.lost_conversions import Loss
from footfall.domain.exceptions import ErrorNotFound, Invalid
from footfall.domain.number import identifier


def _costs(state: State) -> ErrorCostsInquiry:
    parameters, reader = state.parameters, state.reader
    query, goal_id = state.query, parameters.read(_goal, 0)
    group = parameters.read(_group, None) if state.is_explained else state.path.get("group")
    parameters.check()
    if group is not None and not is_fingerprint(group):
        raise ErrorNotFound
    goal = unchanged_goal(
        state.directory,
        state.present,
        reader.site_id,
        goal_id,
        name="goal" if state.is_explained else "as_of",
    )
    kind = ErrorGroupCostInquiry if "group" in state.path else ErrorCostsInquiry
    inquiry = error_costs_inquiry(query, goal, state.directory, reader, parameters.now, group, kind=kind)
    # A CSV file has the same columns for every goal, and what is explained are conversions.
    counts_alone = state.is_explained or parameters.csv
    return inquiry if counts_alone else evolve(inquiry, currencies=state.currencies)


def _costs_body(answered: Answered[ErrorCostsInquiry, Sequence[CostlyGroup]]) -> dict[str, Any]:
    inquiry, reader = answered.inquiry, answered.state.reader
    # The texts of marks are for members.
    deploys = [annotation_body(deploy) for deploy in inquiry.deploys] if reader.belongs else []
    return {"data": [_group_body(costly, reader) for costly in answered.result], "deploys": deploys}


def _group(texts: Mapping[str, str]) -> str | None:
    group = texts.get("group")
    if group is not None and not is_fingerprint(group):
        raise Invalid({"group": ["must be the id of a group of errors"]})
    return group


def _goal(texts: Mapping[str, str]) -> int:
    goal_id = identifier(goal_text(texts))
    if goal_id is None:
        raise Invalid({"goal": ["must be the goalId of a goal"]})
    return goal_id


def _group_body(costly: CostlyGroup, reader: Reader) -> dict[str, Any]:
    cost = costly.cost
    return {
        "group": group_body(costly.listed, reader),
        "sessions": cost.met.sessions,
        "conversions": cost.met.converted,
        "conversionRate": cost.met_rate,
        "loss": _loss_and_money(costly),
        "betweenDeploys": [loss_body(loss) for loss in cost.stretches] if reader.belongs else [],
    }


def _loss_and_money(costly: CostlyGroup) -> dict[str, Any] | None:
    loss = loss_body(costly.cost.loss)
    if loss is None or not costly.values:
        return loss
    values = [
        {
            "property": value.property_key,
            "currency": value.currency,
            **{name: getattr(value.money, name, None) for name in ("lost", "low", "high")},
        }
        for value in costly.values
    ]
    return loss | {"values": values}


def loss_body(loss: Loss | None) -> dict[str, Any] | None:
    """Return an estimate; null without comparable sessions."""
    return None if loss is None else record(LOSS, loss)


REPORTS: Reports = {
    "errors/costs": Report(
        explained="error-costs",
        access=Access.DETAILS,
        own=("goal",),
        named=("group",),
        inquiry=_costs,
        body=_costs_body,
    ),
    "errors/{group}/cost": Report(access=Access.DETAILS, own=("goal",), inquiry=_costs, body=_costs_body),
}
