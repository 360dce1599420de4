"""The links of a site over HTTP (docs/share/sharing.md)."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.application.access.authorization import Access
from footfall.application.access.shared_links import require_shareable
from footfall.application.reports.query_parameters import parse_instant
from footfall.domain.citations.positions import whole_milliseconds
from footfall.domain.exceptions import Invalid, SharedLinkNotFound, require_valid
from footfall.domain.number import whole_number
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink

# The number of the private link, which is the first of the links of a site.
PRIVATE = 0
_FIELDS: Mapping[str, str] = {
    "name": "name",
    "panels": "panels",
    "segmentId": "segment",
    "endsAt": "ends_at",
    "embed": "embed",
    "password": "password",
}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/links", Access.MEMBER)
async def list_links(call: SiteCall) -> Body:
    """Answer with the links of the site and their keys: the private link, if there is one, and the others."""
    site, keys, now = call.site, call.services.link_keys, call.services.clock.now()
    private = [] if site.private_link is None else [site.private_link]
    others = sorted(site.links.present.items())
    digests = [link.digest for link in private] + [link.digest for _, link in others]
    used = await call.services.link_tracker.of(call.site_id, digests)
    bodies = [_private_body(keys.key_of(site)) for _ in private]
    for number, link in others:
        bodies.append(_link_body(number, link, keys.shared_key_of(link)) | {"ended": not link.is_open(now)})
    days = [used.get(digest) for digest in digests]
    data = [
        body | {"lastUsed": None if day is None else day.isoformat()}
        for body, day in zip(bodies, days, strict=True)
    ]
    return {"data": data}


@ENDPOINTS.of_site("POST", "/links", Access.ADMIN, status=201)
async def make_link(call: SiteCall) -> Body:
    """Make a link, and answer with its key."""
    changes = await _changes(call)
    if "name" not in changes:
        raise Invalid({"name": ["is required and must be a string"]})
    number, key = await call.services.link_keys.make(call.site_id, LinkTerms(**changes), call.context)
    return {"success": True, "linkId": number, "key": key}


@ENDPOINTS.of_site("PATCH", "/links/{link}", Access.ADMIN)
async def change_link(call: SiteCall) -> Body:
    """Change what the body has of the terms of a link; its key stays."""
    number = call.number("link", SharedLinkNotFound)
    changes = await _changes(call)
    if not changes:
        raise Invalid({}, "No fields to update")
    await call.services.commands.links.change(
        call.site_id, number, lambda terms: evolve(terms, **changes), context=call.context
    )
    return {"success": True, "linkId": number}


@ENDPOINTS.of_site("DELETE", "/links/{link}", Access.ADMIN)
async def revoke_link(call: SiteCall) -> None:
    """Revoke a link at once; the others stay."""
    commands = call.services.commands
    if call.path["link"] == str(PRIVATE) and call.site.private_link is not None:
        await commands.sites.revoke_private_link(call.site_id, call.context)
    else:
        number = call.number("link", SharedLinkNotFound)
        await commands.links.revoke(call.site_id, number, context=call.context)


async def _changes(call: SiteCall) -> dict[str, Any]:
    """Return the terms that the body of a request has, by the names of their attributes.

    Raises:
        Invalid: one is of another type, or the segment must not be shared.

    """
    body = await call.body()
    given = {name: body[name] for name in _FIELDS if name in body}
    errors = {name: [fault] for name, value in given.items() if (fault := _fault(name, value)) is not None}
    require_valid(errors)
    if given.get("segmentId") is not None:
        given["segmentId"] = whole_number(given["segmentId"])
    require_shareable(call.site, given.get("segmentId"))
    if "panels" in given:
        given["panels"] = tuple(given["panels"])
    if given.get("endsAt") is not None:
        given["endsAt"] = whole_milliseconds(parse_instant("endsAt", given["endsAt"]))
    if given.get("password") is not None:
        given["password"] = await call.services.link_keys.keep_password(given["password"])
    return {_FIELDS[name]: value for name, value in given.items()}


def _fault(name: str, value: Any) -> str | None:
    match name:
        case "name":
            return None if isinstance(value, str) else "is required and must be a string"
        case "panels":
            is_list = isinstance(value, list) and all(isinstance(panel, str) for panel in value)
            return None if is_list else "must be an array of strings"
        case "segmentId":
            return (
                None
                if value is None or whole_number(value) is not None
                else "must be the number of a segment, or null"
            )
        case "embed":
            return None if isinstance(value, bool) else "must be true or false"
        case "password":
            return None if value is None or isinstance(value, str) else "must be a string, or null"
    return None


def _private_body(key: str | None) -> dict[str, Any]:
    """Return the private link, which opens all that readers outside of the organization see."""
    return {
        "linkId": PRIVATE,
        "name": "Private link",
        "panels": None,
        "segmentId": None,
        "endsAt": None,
        "embed": True,
        "hasPassword": False,
        "key": key,
        "ended": False,
    }


def _link_body(number: int, link: SharedLink, key: str | None) -> dict[str, Any]:
    terms = link.terms
    return {
        "linkId": number,
        "name": terms.name,
        "panels": list(terms.panels),
        "segmentId": terms.segment,
        "endsAt": None if terms.ends_at is None else instant_text(terms.ends_at),
        "embed": terms.embed,
        "hasPassword": terms.password is not None,
        "key": key,
    }
