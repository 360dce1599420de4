"""Targets of alerts over HTTP (docs/alerts/alerts.md#targets)."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.alerts.bodies import target_body, target_kind
from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.site_bodies import optional_text, required_texts
from footfall.application.access.authorization import Access
from footfall.application.alerts.targets import AlertTargets
from footfall.application.journal.directory import Directory
from footfall.domain.exceptions import AlertTargetNotFound


@frozen
class AlertTargetList(Resource):
    """GET and POST /api/sites/<site_id>/alerts/targets."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    _directory: Directory
    _targets: AlertTargets

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the targets by their numbers, without their addresses."""
        grant = await self._admitted(req, self.access_get, site)
        targets = self._directory.alerts(grant.site_id).targets
        states = await self._targets.states(grant.site_id)
        data = [target_body(targets[number], states.get(number)) for number in sorted(targets)]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add a target; the secret of a webhook is in this answer only."""
        grant = await self._admitted(req, self.access_post, site)
        body = await json_object(req)
        kind = target_kind(body.get("kind"))
        [name] = required_texts(body, "name")
        added = await self._targets.add(
            grant.site_id,
            kind,
            name,
            command_context(req, grant.actor),
            url=optional_text(body, "url"),
            user_id=optional_text(body, "userId"),
        )
        secret = {} if added.secret is None else {"secret": added.secret}
        answer(resp, falcon.HTTP_201, {"success": True, "number": added.number, **secret})


@frozen
class AlertTargetDetail(Resource):
    """DELETE /api/sites/<site_id>/alerts/targets/<number>."""

    access_delete = Access.ADMIN

    _targets: AlertTargets

    async def on_delete(self, req: Request, resp: Response, site: str, target: str) -> None:
        """Remove a target, also from the rules that tell it."""
        grant = await self._admitted(req, self.access_delete, site)
        context = command_context(req, grant.actor)
        await self._targets.remove(grant.site_id, path_id(target, AlertTargetNotFound), context)
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class AlertTargetTest(Resource):
    """POST /api/sites/<site_id>/alerts/targets/<number>/test."""

    access_post = Access.ADMIN

    _targets: AlertTargets

    async def on_post(self, req: Request, resp: Response, site: str, target: str) -> None:
        """Queue a test for a target; the list of targets shows how it fares."""
        grant = await self._admitted(req, self.access_post, site)
        await self._targets.test(grant.site_record, path_id(target, AlertTargetNotFound))
        answer(resp, falcon.HTTP_202, {"success": True})
