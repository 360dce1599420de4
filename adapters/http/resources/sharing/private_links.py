"""The private link of a site over HTTP (docs/share/administration.md)."""

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Invalid

GENERATE = "generate_private_link_key"
REVOKE = "revoke_private_link_key"
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/private-link-config", Access.MEMBER)
async def show_key(call: SiteCall) -> Body:
    """Answer with the key; with null when the site has no link, or the secret of the server is another one."""
    return _body(call.services.link_keys.key_of(call.site))


@ENDPOINTS.of_site("POST", "/private-link-config", Access.ADMIN, parameters=Unlisted.IGNORED)
async def change_key(call: SiteCall) -> Body:
    """Generate a new key in place of the old one, or revoke it."""
    action = (await call.body()).get("action")
    if action == GENERATE:
        return _body(await call.services.link_keys.generate(call.site_id, call.context))
    if action != REVOKE:
        raise Invalid({"action": [f"must be {GENERATE} or {REVOKE}"]})
    await call.services.commands.sites.revoke_private_link(call.site_id, call.context)
    return _body(None)


def _body(key: str | None) -> Body:
    return {"success": True, "data": {"privateLinkKey": key}}
