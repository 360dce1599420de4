"""Alert rules, their backtest and their firings over HTTP (docs/alerts/alerts.md)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.alerts.bodies import plan_of, preview_body, rule_body
from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import page_of, path_id
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access, Grant
from footfall.application.access.readers import Reader
from footfall.application.alerts.backtest import Backtests
from footfall.application.alerts.messages import firing_document
from footfall.application.commands.alerts import AlertCommands
from footfall.application.journal.directory import Directory
from footfall.application.ports.alerts.watches import AlertWatches
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.exceptions import AlertFiringNotFound, AlertRuleNotFound
from footfall.domain.traffic.filters import ExpressionCompiler

PAGE_SIZE = 20


@frozen
class AlertRules(Resource):
    """GET and POST /api/sites/<site_id>/alerts."""

    access_get = Access.VIEWER
    access_post = Access.MEMBER

    _directory: Directory
    _commands: AlertCommands
    _watches: AlertWatches
    _expressions: ExpressionCompiler

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with all rules by their numbers, each with its running firing."""
        grant = await self._admitted(req, self.access_get, site)
        rules = self._directory.alerts(grant.site_id).rules
        watches = await self._watches.of_site(grant.site_id)
        data = [
            rule_body(rules[number], self._directory.firings(grant.site_id, number), watches.get(number))
            for number in sorted(rules)
        ]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a rule."""
        grant = await self._admitted(req, self.access_post, site)
        plan = await _plan(req, grant, self._directory, self._expressions)
        number = await self._commands.define(grant.site_id, plan, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_201, {"success": True, "number": number})


@frozen
class AlertPreview(Resource):
    """POST /api/sites/<site_id>/alerts/preview; for members only, since it belongs to defining a rule."""

    access_post = Access.MEMBER

    _directory: Directory
    _commands: AlertCommands
    _backtests: Backtests
    _expressions: ExpressionCompiler

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the windows of the last 90 days and when the rule would have fired; save nothing."""
        grant = await self._admitted(req, self.access_post, site)
        plan = await _plan(req, grant, self._directory, self._expressions, unnamed="Preview")
        await self._commands.check(grant.site_id, plan)
        backtest = await self._backtests.run(grant.site_record, plan)
        answer(resp, falcon.HTTP_200, {"data": preview_body(backtest.judged, backtest.fired)})


@frozen
class AlertRuleDetail(Resource):
    """GET, PUT and DELETE /api/sites/<site_id>/alerts/<number>."""

    access_get = Access.VIEWER
    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _directory: Directory
    _commands: AlertCommands
    _watches: AlertWatches
    _expressions: ExpressionCompiler

    async def on_get(self, req: Request, resp: Response, site: str, alert: str) -> None:
        """Answer with a rule and its running firing."""
        grant = await self._admitted(req, self.access_get, site)
        rule = self._directory.alerts(grant.site_id).rule(path_id(alert, AlertRuleNotFound))
        watches = await self._watches.of_site(grant.site_id)
        firings = self._directory.firings(grant.site_id, rule.number)
        answer(resp, falcon.HTTP_200, {"data": rule_body(rule, firings, watches.get(rule.number))})

    async def on_put(self, req: Request, resp: Response, site: str, alert: str) -> None:
        """Replace a rule as a whole."""
        grant = await self._admitted(req, self.access_put, site)
        plan = await _plan(req, grant, self._directory, self._expressions)
        context = command_context(req, grant.actor)
        await self._commands.redefine(grant.site_id, path_id(alert, AlertRuleNotFound), plan, context)
        answer(resp, falcon.HTTP_200, {"success": True})

    async def on_delete(self, req: Request, resp: Response, site: str, alert: str) -> None:
        """Delete a rule for good."""
        grant = await self._admitted(req, self.access_delete, site)
        context = command_context(req, grant.actor)
        await self._commands.delete(grant.site_id, path_id(alert, AlertRuleNotFound), context)
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class AlertFirings(Resource):
    """GET /api/sites/<site_id>/alerts/<number>/firings."""

    access_get = Access.VIEWER

    _directory: Directory

    async def on_get(self, req: Request, resp: Response, site: str, alert: str) -> None:
        """Answer with one page of the latest hundred firings of a rule, the newest first."""
        grant = await self._gatekeeper.admit(self.access_get, site, credentials(req))
        page = page_of(req, size=PAGE_SIZE)
        rule = self._directory.alerts(grant.site_id).rule(path_id(alert, AlertRuleNotFound))
        firings = self._directory.firings(grant.site_id, rule.number).newest_first()
        data = [firing_document(firing) for firing in page.of(firings)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(firings))})


@frozen
class AlertAcknowledgement(Resource):
    """POST /api/sites/<site_id>/alerts/<number>/firings/<number>/acknowledge."""

    access_post = Access.MEMBER

    _commands: AlertCommands

    async def on_post(self, req: Request, resp: Response, site: str, alert: str, firing: str) -> None:
        """Take note of a firing that is not over."""
        grant = await self._admitted(req, self.access_post, site)
        number = path_id(firing, AlertFiringNotFound)
        context = command_context(req, grant.actor)
        await self._commands.acknowledge(grant.site_id, path_id(alert, AlertRuleNotFound), number, context)
        answer(resp, falcon.HTTP_200, {"success": True})


async def _plan(
    req: Request, grant: Grant, directory: Directory, expressions: ExpressionCompiler, **options: Any
) -> AlertPlan:
    reader = Reader.of(grant, directory.goals_of(grant.site_id), expressions)
    return plan_of(await json_object(req), reader, **options)
