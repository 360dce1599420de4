"""Decisions of members about groups of errors (docs/errors/error-groups.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.error_bodies import error_message
from footfall.application.access.authorization import Access
from footfall.application.commands.error_groups import ErrorGroupCommands
from footfall.application.commands.error_resolution import ErrorResolutions
from footfall.application.commands.known_error_groups import KnownErrorGroups
from footfall.application.reports.query_parameters import parse_instant
from footfall.domain.error_tracking.decisions import checked_fingerprints
from footfall.domain.exceptions import Invalid
from footfall.domain.number import whole_number

STATES = ("open", "resolved", "muted")
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("PUT", "/errors/{group}/state", Access.MEMBER)
async def set_state(call: SiteCall) -> None:
    """Resolve or mute a group, or take that back."""
    body, group = await call.body(), call.path["group"]
    state = _state(body)
    mute = _mute(body) if state == "muted" else {}
    next_release = _next_release(body)
    commands = await _commands(call)
    match state:
        case "resolved":
            await commands.resolve(call.site_id, group, call.context, next_release=next_release)
        case "muted":
            await commands.mute(call.site_id, group, call.context, **mute)
        case _:
            await commands.reopen(call.site_id, group, call.context)


@ENDPOINTS.of_site("PUT", "/errors/{group}/assignee", Access.MEMBER)
async def assign(call: SiteCall) -> None:
    """Assign a group to a member, or to none."""
    body = await call.body()
    user_id = body.get("userId")
    if "userId" not in body or not isinstance(user_id, str | None):
        raise Invalid({"userId": ["is required: the id of a user who may see this site, or null"]})
    commands = await _commands(call)
    await commands.assign(call.site_id, call.path["group"], user_id, call.context)


@ENDPOINTS.of_site("POST", "/errors/{group}/merge", Access.MEMBER)
async def merge(call: SiteCall) -> None:
    """Make other groups part of this one."""
    groups = checked_fingerprints("groups", (await call.body()).get("groups"))
    commands = await _commands(call, *groups)
    await commands.merge(call.site_id, call.path["group"], groups, call.context)


@ENDPOINTS.of_site("POST", "/errors/{group}/separate", Access.MEMBER)
async def separate(call: SiteCall) -> None:
    """Make merged groups groups of their own again."""
    groups = checked_fingerprints("groups", (await call.body()).get("groups"))
    commands = await _commands(call)
    await commands.separate(call.site_id, call.path["group"], groups, call.context)


@ENDPOINTS.of_site("POST", "/errors/{group}/comments", Access.MEMBER, status=201)
async def comment(call: SiteCall) -> Body:
    """Comment on a group."""
    text = (await call.body()).get("text")
    if not isinstance(text, str):
        raise Invalid({"text": ["is required and must be a string"]})
    commands = await _commands(call)
    comment_id = await commands.comment(call.site_id, call.path["group"], text, call.context)
    return {"success": True, "commentId": comment_id}


@ENDPOINTS.of_site("DELETE", "/errors/{group}/comments/{comment}", Access.MEMBER)
async def remove_comment(call: SiteCall) -> None:
    """Remove a comment."""
    commands = await _commands(call)
    await commands.remove_comment(call.site_id, call.path["group"], call.path["comment"], call.context)


@ENDPOINTS.of_site("POST", "/errors/resolve", Access.MEMBER)
async def resolve_message(call: SiteCall) -> None:
    """Mark the cause of the errors with this message as resolved."""
    message, reports = error_message(await call.body()), call.services.reports
    resolutions = ErrorResolutions(
        call.services.commands.error_groups, reports.present.errors, reports.freshness
    )
    await resolutions.resolve(call.site_id, message, call.context)


async def _commands(call: SiteCall, *others: str) -> ErrorGroupCommands:
    """Return the commands of groups once this group and the others are known."""
    reports, commands = call.services.reports, call.services.commands.error_groups
    groups = KnownErrorGroups(commands, reports.present.error_groups, reports.freshness)
    return await groups.commands(call.site_id, call.path["group"], *others)


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
