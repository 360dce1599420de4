"""Alert rules, their backtest and their firings over HTTP (docs/alerts/alerts.md)."""

from footfall.adapters.http.resources.alerts.bodies import plan_of, preview_body, rule_body
from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.parameters import PAGING, page_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.alerts.messages import firing_document
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.exceptions import AlertFiringNotFound, AlertRuleNotFound

PAGE_SIZE = 20
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/alerts", Access.VIEWER)
async def list_rules(call: SiteCall) -> Body:
    """Answer with all rules by their numbers, each with its running firing."""
    directory, site_id = call.services.directory, call.site_id
    rules = directory.alerts(site_id).rules
    watches = await call.services.alerts.watches.of_site(site_id)
    data = [
        rule_body(rules[number], directory.firings(site_id, number), watches.get(number))
        for number in sorted(rules)
    ]
    return {"data": data}


@ENDPOINTS.of_site("POST", "/alerts", Access.MEMBER, status=201)
async def define_rule(call: SiteCall) -> Body:
    """Define a rule."""
    plan = await _plan(call)
    number = await call.services.commands.alerts.define(call.site_id, plan, call.context)
    return {"success": True, "number": number}


# For members only, since it belongs to defining a rule.
@ENDPOINTS.of_site("POST", "/alerts/preview", Access.MEMBER)
async def preview_rule(call: SiteCall) -> Body:
    """Answer with the windows of the last 90 days and when the rule would have fired; save nothing."""
    plan = await _plan(call, unnamed="Preview")
    await call.services.commands.alerts.check(call.site_id, plan)
    backtest = await call.services.alerts.backtests.run(call.grant.site_record, plan)
    return {"data": preview_body(backtest.judged, backtest.fired)}


@ENDPOINTS.of_site("GET", "/alerts/{alert}", Access.VIEWER)
async def show_rule(call: SiteCall) -> Body:
    """Answer with a rule and its running firing."""
    directory, site_id = call.services.directory, call.site_id
    rule = directory.alerts(site_id).rule(call.number("alert", AlertRuleNotFound))
    watches = await call.services.alerts.watches.of_site(site_id)
    return {"data": rule_body(rule, directory.firings(site_id, rule.number), watches.get(rule.number))}


@ENDPOINTS.of_site("PUT", "/alerts/{alert}", Access.MEMBER)
async def redefine_rule(call: SiteCall) -> None:
    """Replace a rule as a whole."""
    plan, number = await _plan(call), call.number("alert", AlertRuleNotFound)
    await call.services.commands.alerts.redefine(call.site_id, number, plan, call.context)


@ENDPOINTS.of_site("DELETE", "/alerts/{alert}", Access.MEMBER)
async def delete_rule(call: SiteCall) -> None:
    """Delete a rule for good."""
    number = call.number("alert", AlertRuleNotFound)
    await call.services.commands.alerts.delete(call.site_id, number, call.context)


@ENDPOINTS.of_site("GET", "/alerts/{alert}/firings", Access.VIEWER, parameters=PAGING)
async def list_firings(call: SiteCall) -> Body:
    """Answer with one page of the latest hundred firings of a rule, the newest first."""
    page, directory = page_of(call.req, size=PAGE_SIZE), call.services.directory
    rule = directory.alerts(call.site_id).rule(call.number("alert", AlertRuleNotFound))
    firings = directory.firings(call.site_id, rule.number).newest_first()
    data = [firing_document(firing) for firing in page.of(firings)]
    return {"data": data, "meta": page_meta(page, len(firings))}


@ENDPOINTS.of_site("POST", "/alerts/{alert}/firings/{firing}/acknowledge", Access.MEMBER)
async def acknowledge_firing(call: SiteCall) -> None:
    """Take note of a firing that is not over."""
    firing, rule = call.number("firing", AlertFiringNotFound), call.number("alert", AlertRuleNotFound)
    await call.services.commands.alerts.acknowledge(call.site_id, rule, firing, call.context)


async def _plan(call: SiteCall, *, unnamed: str | None = None) -> AlertPlan:
    goals, expressions = call.services.directory.goals_of(call.site_id), call.services.reports.expressions
    return plan_of(await call.body(), Reader.of(call.grant, goals, expressions), unnamed=unnamed)
