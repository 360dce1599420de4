"""Segments over HTTP (docs/read/segments.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access, Grant
from footfall.application.access.readers import Reader, checked_conditions
from footfall.application.access.segments import changeable_segment
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.directory import Directory
from footfall.application.journal.interface_names import condition_documents
from footfall.domain.exceptions import AccessDenied, Invalid, SegmentNotFound
from footfall.domain.sites.segment import Condition, Segment
from footfall.domain.traffic.filters import ExpressionCompiler, parse_filters


@frozen
class SegmentList(Resource):
    """GET and POST /api/sites/<site_id>/segments."""

    access_get = Access.VIEWER
    access_post = Access.VIEWER

    _directory: Directory
    _commands: Commands
    _expressions: ExpressionCompiler

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the segments of the site and the caller's own, by their numbers."""
        grant = await self._admitted(req, self.access_get, site)
        segments = Reader.of(grant).segments
        data = [_segment_body(number, segment) for number, segment in sorted(segments.items())]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a segment: a personal one, or one of the site, which members may define."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        body = await json_object(req)
        personal = body.get("personal", True)
        if not isinstance(personal, bool):
            raise Invalid({"personal": ["must be true or false"]})
        if not personal and not grant.relation.edits:
            raise AccessDenied
        name, conditions = _definition(body, grant, self._directory, self._expressions)
        number = await self._commands.segments.define(
            grant.site_id,
            name=name,
            owner=_user_of(grant) if personal else None,
            conditions=conditions,
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_201, {"success": True, "segmentId": number})


@frozen
class SegmentDetail(Resource):
    """PUT and DELETE /api/sites/<site_id>/segments/<segment_id>."""

    access_put = Access.VIEWER
    access_delete = Access.VIEWER

    _directory: Directory
    _commands: Commands
    _expressions: ExpressionCompiler

    async def on_put(self, req: Request, resp: Response, site: str, segment: str) -> None:
        """Replace name and filters of a segment; whether it is personal stays."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        number, body = _changeable(grant, segment), await json_object(req)
        name, conditions = _definition(body, grant, self._directory, self._expressions)
        await self._commands.segments.redefine(
            grant.site_id,
            number,
            name=name,
            conditions=conditions,
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_200, {"success": True, "segmentId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, segment: str) -> None:
        """Delete a segment for good."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        number = _changeable(grant, segment)
        context = command_context(req, grant.actor)
        await self._commands.segments.delete(grant.site_id, number, context=context)
        answer(resp, falcon.HTTP_200, {"success": True})


def _changeable(grant: Grant, text: str) -> int:
    """Return the number of a segment that the caller may change."""
    number = path_id(text, SegmentNotFound)
    changeable_segment(grant.site_record.site, number, _user_of(grant), edits=grant.relation.edits)
    return number


def _user_of(grant: Grant) -> str | None:
    return None if grant.caller is None else grant.caller.user_id


def _definition(
    body: Mapping[str, Any], grant: Grant, directory: Directory, expressions: ExpressionCompiler
) -> tuple[str, tuple[Condition, ...]]:
    [name] = required_texts(body, "name")
    goals, funnels = directory.goals_of(grant.site_id), directory.funnels_of(grant.site_id)
    reader = Reader.of(grant, goals, expressions, funnels=funnels)
    return name, checked_conditions(reader, parse_filters(body.get("filters")))


def _segment_body(number: int, segment: Segment) -> dict[str, Any]:
    return {
        "segmentId": number,
        "name": segment.name,
        "personal": segment.owner is not None,
        "filters": condition_documents(segment.conditions),
    }
