"""The links of a site over HTTP (docs/share/sharing.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import path_id
from footfall.application.access.authorization import Access
from footfall.application.access.link_uses import LinkTracker
from footfall.application.access.shared_links import require_shareable
from footfall.application.commands.all_commands import Commands
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.application.ports.system import Clock
from footfall.application.reports.query_parameters import parse_instant
from footfall.domain.citations.positions import whole_milliseconds
from footfall.domain.exceptions import Invalid, SharedLinkNotFound
from footfall.domain.number import whole_number
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink
from footfall.domain.sites.site import Site

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


@frozen
class SharedLinkList(Resource):
    """GET and POST /api/sites/<site_id>/links."""

    access_get = Access.MEMBER
    access_post = Access.ADMIN

    _keys: LinkKeys
    _uses: LinkTracker
    _clock: Clock

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the links of the site and their keys: the private link, if there is one, and the others."""
        grant = await self._admitted(req, self.access_get, site)
        site_state, now = grant.site_record.site, self._clock.now()
        private = [] if site_state.private_link is None else [site_state.private_link]
        others = sorted(site_state.links.present.items())
        digests = [link.digest for link in private] + [link.digest for _, link in others]
        used = await self._uses.of(grant.site_id, digests)
        bodies = [_private_body(self._keys.key_of(site_state)) for _ in private]
        for number, link in others:
            key = self._keys.shared_key_of(link)
            bodies.append(_link_body(number, link, key) | {"ended": not link.is_open(now)})
        days = [used.get(digest) for digest in digests]
        data = [
            body | {"lastUsed": None if day is None else day.isoformat()}
            for body, day in zip(bodies, days, strict=True)
        ]
        answer(resp, falcon.HTTP_200, {"data": data})

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Make a link, and answer with its key."""
        grant = await self._admitted(req, self.access_post, site)
        changes = await _changes(await json_object(req), grant.site_record.site, self._keys)
        if "name" not in changes:
            raise Invalid({"name": ["is required and must be a string"]})
        context = command_context(req, grant.actor)
        number, key = await self._keys.make(grant.site_id, LinkTerms(**changes), context)
        answer(resp, falcon.HTTP_201, {"success": True, "linkId": number, "key": key})


@frozen
class SharedLinkDetail(Resource):
    """PATCH and DELETE /api/sites/<site_id>/links/<link_id>."""

    access_patch = Access.ADMIN
    access_delete = Access.ADMIN

    _commands: Commands
    _keys: LinkKeys

    async def on_patch(self, req: Request, resp: Response, site: str, link: str) -> None:
        """Change what the body has of the terms of a link; its key stays."""
        grant = await self._admitted(req, self.access_patch, site)
        number = path_id(link, SharedLinkNotFound)
        changes = await _changes(await json_object(req), grant.site_record.site, self._keys)
        if not changes:
            raise Invalid({}, "No fields to update")
        await self._commands.links.change(
            grant.site_id,
            number,
            lambda terms: evolve(terms, **changes),
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_200, {"success": True, "linkId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, link: str) -> None:
        """Revoke a link at once; the others stay."""
        grant = await self._admitted(req, self.access_delete, site)
        context = command_context(req, grant.actor)
        if link == str(PRIVATE) and grant.site_record.site.private_link is not None:
            await self._commands.sites.revoke_private_link(grant.site_id, context)
        else:
            number = path_id(link, SharedLinkNotFound)
            await self._commands.links.revoke(grant.site_id, number, context=context)
        answer(resp, falcon.HTTP_200, {"success": True})


async def _changes(body: Mapping[str, Any], site: Site, keys: LinkKeys) -> dict[str, Any]:
    """Return the terms that a body has, by the names of their attributes.

    Raises:
        Invalid: one is of another type, or the segment must not be shared.

    """
    given = {name: body[name] for name in _FIELDS if name in body}
    errors = {name: [fault] for name, value in given.items() if (fault := _fault(name, value)) is not None}
    if errors:
        raise Invalid(errors)
    if given.get("segmentId") is not None:
        given["segmentId"] = whole_number(given["segmentId"])
    require_shareable(site, given.get("segmentId"))
    if "panels" in given:
        given["panels"] = tuple(given["panels"])
    if given.get("endsAt") is not None:
        given["endsAt"] = whole_milliseconds(parse_instant("endsAt", given["endsAt"]))
    if given.get("password") is not None:
        given["password"] = await keys.keep_password(given["password"])
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
