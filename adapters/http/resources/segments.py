"""Segments over HTTP (docs/read/segments.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.adapters.http.wire.site_bodies import required_texts
from footfall.application.access.authorization import Access, Grant
from footfall.application.access.readers import Reader, checked_conditions
from footfall.application.access.segments import changeable_segment
from footfall.application.journal.interface_documents import condition_documents
from footfall.domain.exceptions import AccessDenied, Invalid, SegmentNotFound
from footfall.domain.sites.segment import Condition, Segment
from footfall.domain.traffic.filters import parse_filters

ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/segments", Access.VIEWER)
async def list_segments(call: SiteCall) -> Body:
    """Answer with the segments of the site and the caller's own, by their numbers."""
    segments = Reader.of(call.grant).segments
    return {"data": [_segment_body(number, segment) for number, segment in sorted(segments.items())]}


@ENDPOINTS.of_site("POST", "/segments", Access.VIEWER, status=201, parameters=Unlisted.IGNORED)
async def define_segment(call: SiteCall) -> Body:
    """Define a segment: a personal one, or one of the site, which members may define."""
    body = await call.body()
    personal = body.get("personal", True)
    if not isinstance(personal, bool):
        raise Invalid({"personal": ["must be true or false"]})
    if not personal and not call.grant.relation.edits:
        raise AccessDenied
    name, conditions = _definition(body, call)
    owner = _user_of(call.grant) if personal else None
    number = await call.services.commands.segments.define(
        call.site_id, name=name, owner=owner, conditions=conditions, context=call.context
    )
    return {"success": True, "segmentId": number}


@ENDPOINTS.of_site("PUT", "/segments/{segment}", Access.VIEWER, parameters=Unlisted.IGNORED)
async def redefine_segment(call: SiteCall) -> Body:
    """Replace name and filters of a segment; whether it is personal stays."""
    number, body = _changeable(call), await call.body()
    name, conditions = _definition(body, call)
    await call.services.commands.segments.redefine(
        call.site_id, number, name=name, conditions=conditions, context=call.context
    )
    return {"success": True, "segmentId": number}


@ENDPOINTS.of_site("DELETE", "/segments/{segment}", Access.VIEWER, parameters=Unlisted.IGNORED)
async def delete_segment(call: SiteCall) -> None:
    """Delete a segment for good."""
    number = _changeable(call)
    await call.services.commands.segments.delete(call.site_id, number, context=call.context)


def _changeable(call: SiteCall) -> int:
    """Return the number of a segment that the caller may change."""
    number = call.number("segment", SegmentNotFound)
    changeable_segment(call.site, number, _user_of(call.grant), edits=call.grant.relation.edits)
    return number


def _user_of(grant: Grant) -> str | None:
    return None if grant.caller is None else grant.caller.user_id


def _definition(body: Mapping[str, Any], call: SiteCall) -> tuple[str, tuple[Condition, ...]]:
    [name] = required_texts(body, "name")
    directory, expressions = call.services.directory, call.services.reports.expressions
    goals, funnels = directory.goals_of(call.site_id), directory.funnels_of(call.site_id)
    reader = Reader.of(call.grant, goals, expressions, funnels=funnels)
    return name, checked_conditions(reader, parse_filters(body.get("filters")))


def _segment_body(number: int, segment: Segment) -> dict[str, Any]:
    return {
        "segmentId": number,
        "name": segment.name,
        "personal": segment.owner is not None,
        "filters": condition_documents(segment.conditions),
    }
