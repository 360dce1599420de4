"""Targets of alerts over HTTP (docs/alerts/alerts.md#targets)."""

from footfall.adapters.http.resources.alerts.bodies import target_body, target_kind
from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.site_bodies import optional_text, required_texts
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import AlertTargetNotFound

ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/alerts/targets", Access.MEMBER)
async def list_targets(call: SiteCall) -> Body:
    """Answer with the targets by their numbers, without their addresses."""
    targets = call.services.directory.alerts(call.site_id).targets
    states = await call.services.alerts.targets.states(call.site_id)
    return {"data": [target_body(targets[number], states.get(number)) for number in sorted(targets)]}


@ENDPOINTS.of_site("POST", "/alerts/targets", Access.ADMIN, status=201)
async def add_target(call: SiteCall) -> Body:
    """Add a target; the secret of a webhook is in this answer only."""
    body = await call.body()
    kind = target_kind(body.get("kind"))
    [name] = required_texts(body, "name")
    url, user_id = optional_text(body, "url"), optional_text(body, "userId")
    targets = call.services.alerts.targets
    added = await targets.add(call.site_id, kind, name, call.context, url=url, user_id=user_id)
    secret = {} if added.secret is None else {"secret": added.secret}
    return {"success": True, "number": added.number, **secret}


@ENDPOINTS.of_site("DELETE", "/alerts/targets/{target}", Access.ADMIN)
async def remove_target(call: SiteCall) -> None:
    """Remove a target, also from the rules that tell it."""
    number = call.number("target", AlertTargetNotFound)
    await call.services.alerts.targets.remove(call.site_id, number, call.context)


@ENDPOINTS.of_site("POST", "/alerts/targets/{target}/test", Access.ADMIN, status=202)
async def try_target(call: SiteCall) -> None:
    """Queue a test for a target; the list of targets shows how it fares."""
    number = call.number("target", AlertTargetNotFound)
    await call.services.alerts.targets.test(call.grant.site_record, number)
