"""Decisions of members about groups of errors (docs/errors/error-groups.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.application.access.authorization import Access
from footfall.application.commands.known_error_groups import KnownErrorGroups
from footfall.application.reports.query_parameters import parse_instant
from footfall.domain.error_tracking.decisions import checked_fingerprints
from footfall.domain.exceptions import Invalid
from footfall.domain.number import whole_number

STATES = ("open", "resolved", "muted")


@frozen
class _Decision(Resource):
    """A decision, with the groups that it is about."""

    _groups: KnownErrorGroups


@frozen
class ErrorGroupState(_Decision):
    """PUT /api/sites/<site_id>/errors/<group>/state."""

    access_put = Access.MEMBER

    async def on_put(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Resolve or mute a group, or take that back."""
        grant = await self._admitted(req, self.access_put, site)
        body = await json_object(req)
        context, state = command_context(req, grant.actor), _state(body)
        mute = _mute(body) if state == "muted" else {}
        next_release = _next_release(body)
        commands = await self._groups.commands(grant.site_id, group)
        match state:
            case "resolved":
                await commands.resolve(grant.site_id, group, context, next_release=next_release)
            case "muted":
                await commands.mute(grant.site_id, group, context, **mute)
            case _:
                await commands.reopen(grant.site_id, group, context)
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class ErrorGroupAssignee(_Decision):
    """PUT /api/sites/<site_id>/errors/<group>/assignee."""

    access_put = Access.MEMBER

    async def on_put(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Assign a group to a member, or to none."""
        grant = await self._admitted(req, self.access_put, site)
        body = await json_object(req)
        user_id = body.get("userId")
        if "userId" not in body or not isinstance(user_id, str | None):
            raise Invalid({"userId": ["is required: the id of a user who may see this site, or null"]})
        commands = await self._groups.commands(grant.site_id, group)
        await commands.assign(grant.site_id, group, user_id, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class ErrorGroupMerge(_Decision):
    """POST /api/sites/<site_id>/errors/<group>/merge."""

    access_post = Access.MEMBER

    async def on_post(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Make other groups part of this one."""
        grant = await self._admitted(req, self.access_post, site)
        groups = checked_fingerprints("groups", (await json_object(req)).get("groups"))
        commands = await self._groups.commands(grant.site_id, group, *groups)
        await commands.merge(grant.site_id, group, groups, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class ErrorGroupSeparation(_Decision):
    """POST /api/sites/<site_id>/errors/<group>/separate."""

    access_post = Access.MEMBER

    async def on_post(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Make merged groups groups of their own again."""
        grant = await self._admitted(req, self.access_post, site)
        groups = checked_fingerprints("groups", (await json_object(req)).get("groups"))
        commands = await self._groups.commands(grant.site_id, group)
        await commands.separate(grant.site_id, group, groups, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class ErrorGroupComments(_Decision):
    """POST /api/sites/<site_id>/errors/<group>/comments."""

    access_post = Access.MEMBER

    async def on_post(self, req: Request, resp: Response, site: str, group: str) -> None:
        """Comment on a group."""
        grant = await self._admitted(req, self.access_post, site)
        text = (await json_object(req)).get("text")
        if not isinstance(text, str):
            raise Invalid({"text": ["is required and must be a string"]})
        commands = await self._groups.commands(grant.site_id, group)
        comment_id = await commands.comment(grant.site_id, group, text, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_201, {"success": True, "commentId": comment_id})


@frozen
class ErrorGroupComment(_Decision):
    """DELETE /api/sites/<site_id>/errors/<group>/comments/<comment>."""

    access_delete = Access.MEMBER

    async def on_delete(self, req: Request, resp: Response, site: str, group: str, comment: str) -> None:
        """Remove a comment."""
        grant = await self._admitted(req, self.access_delete, site)
        commands = await self._groups.commands(grant.site_id, group)
        await commands.remove_comment(grant.site_id, group, comment, command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def _state(body: Mapping[str, Any]) -> str:
    state = body.get("state")
    if state not in STATES:
        raise Invalid({"state": [f"must be one of {', '.join(STATES)}"]})
    return str(state)


def _next_release(body: Mapping[str, Any]) -> bool:
    next_release = body.get("inNextRelease", False)
    if not isinstance(next_release, bool):
        raise Invalid({"inNextRelease": ["must be true or false"]})
    return next_release


def _mute(body: Mapping[str, Any]) -> dict[str, Any]:
    until, occurrences = body.get("until"), whole_number(body.get("occurrences"))
    if occurrences is None and body.get("occurrences") is not None:
        raise Invalid({"occurrences": ["must be a whole number"]})
    return {"until": None if until is None else parse_instant("until", until), "occurrences": occurrences}
