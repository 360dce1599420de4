"""What errors cost a goal (docs/error-costs.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.annotations import annotation_body
from footfall.adapters.http.resources.error_groups.bodies import group_body
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.parameters import identifier
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader
from footfall.application.citations.answers import Answer
from footfall.application.reports.error_costs import (
    CostlyGroup,
    CostReport,
    CostRequest,
    cost_of_group,
    list_costs,
    unchanged_goal,
)
from footfall.application.reports.exploration_tables import error_costs_table
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.error_tracking.loss import Loss
from footfall.domain.exceptions import ErrorNotFound, Invalid


@frozen
class ErrorCosts:
    """GET /api/sites/<site_id>/errors/costs."""

    access_get = Access.DETAILS

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the costs of the groups that most sessions met, the most costly first."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters, request = _request(self._reports, req, reader)
        # The first occurrence of a group can lie before the period.
        span = request.query.period
        async with self._reports.opened(resp, reader, parameters, span, history=True) as answering:
            _require_same_goal(self._reports, answering, reader, request.goal_id)
            found = await list_costs(answering.reports.error_groups, answering.directory, request)
        if parameters.csv:
            answer_csv(resp, error_costs_table(found.groups, reader))
            return
        answer(resp, falcon.HTTP_200, _report_body(found, reader))


@frozen
class ErrorGroupCost:
    """GET /api/sites/<site_id>/errors/<group>/cost."""

    access_get = Access.DETAILS

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Answer with the cost of one group."""
        reader = await self._reports.reader(req, self.access_get, site)
        parameters, request = _request(self._reports, req, reader)
        if not is_fingerprint(group):
            raise ErrorNotFound
        span = request.query.period
        async with self._reports.opened(resp, reader, parameters, span, history=True) as answering:
            _require_same_goal(self._reports, answering, reader, request.goal_id)
            found = await cost_of_group(answering.reports.error_groups, answering.directory, request, group)
        if parameters.csv:
            answer_csv(resp, error_costs_table(found.groups, reader))
            return
        answer(resp, falcon.HTTP_200, _report_body(found, reader))


def _request(context: ReportContext, req: Request, reader: Reader) -> tuple[ReportParameters, CostRequest]:
    now = context.clock.now()
    parameters = ReportParameters(req, reader, now=now, own=("goal",))
    query, goal_id = parameters.query(), parameters.read(goal_of_costs, 0)
    parameters.check()
    return parameters, CostRequest(site_id=reader.site_id, goal_id=goal_id, query=query, now=now)


def _require_same_goal(context: ReportContext, answering: Answer, reader: Reader, goal_id: int) -> None:
    """Refuse the past of a goal that was changed since."""
    if reader.as_of is not None:
        unchanged_goal(answering.directory, context.directory, reader.site_id, goal_id, name="as_of")


def goal_of_costs(texts: Mapping[str, str]) -> int:
    """Return the id of the goal that errors may cost.

    Raises:
        Invalid: it is missing, or not an id; the error names `goal`.

    """
    if "goal" not in texts:
        raise Invalid({"goal": ["is required: the goalId of a goal"]})
    goal_id = identifier(texts["goal"])
    if goal_id is None:
        raise Invalid({"goal": ["must be the goalId of a goal"]})
    return goal_id


def _report_body(report: CostReport, reader: Reader) -> dict[str, Any]:
    # The texts of marks are for members.
    deploys = [annotation_body(one) for one in report.deploys] if reader.belongs else []
    return {"data": [_group_body(one, reader) for one in report.groups], "deploys": deploys}


def _group_body(one: CostlyGroup, reader: Reader) -> dict[str, Any]:
    cost = one.cost
    return {
        "group": group_body(one.listed, reader),
        "sessions": cost.met.sessions,
        "conversions": cost.met.converted,
        "conversionRate": cost.met_rate,
        "loss": loss_body(cost.loss),
        "betweenDeploys": [loss_body(loss) for loss in cost.stretches] if reader.belongs else [],
    }


def loss_body(loss: Loss | None) -> dict[str, Any] | None:
    """Return an estimate; null without comparable sessions."""
    if loss is None:
        return None
    return {
        "comparedSessions": loss.compared,
        "comparedConversions": loss.compared_converted,
        "otherSessions": loss.others,
        "otherConversions": loss.others_converted,
        "conversionsLost": loss.lost,
        "low": loss.low,
        "high": loss.high,
        "costly": loss.is_costly,
    }
