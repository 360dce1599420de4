"""Sites over HTTP (docs/share/administration.md)."""

from functools import partial
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.adapters.http.wire.site_bodies import config_changes, optional_text
from footfall.application.access.authorization import Access, Relation
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_documents import (
    config_document,
    switches_document,
    warnings_document,
)
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import Invalid, SiteNotFound, existing
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.configuration import SETTINGS, ListSetting

EXCLUSIONS = {
    "excluded-ips": ListSetting.EXCLUDED_IPS,
    "excluded-countries": ListSetting.EXCLUDED_COUNTRIES,
    "excluded-paths": ListSetting.EXCLUDED_PATHS,
    "excluded-hosts": ListSetting.EXCLUDED_HOSTS,
    "excluded-user-agents": ListSetting.EXCLUDED_USER_AGENTS,
}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "", Access.VIEWER)
async def show_site(call: SiteCall) -> Body:
    """Answer with the site, flat."""
    return site_body(call.grant.site_record, call.grant.relation)


@ENDPOINTS.of_site("PUT", "", Access.ADMIN, parameters=Unlisted.IGNORED)
async def rename_site(call: SiteCall) -> Body:
    """Give the site another name, another domain, or both."""
    body = await call.body()
    name, domain = optional_text(body, "name"), optional_text(body, "domain")
    if name is None and domain is None:
        raise Invalid({}, "No fields to update")
    await call.services.commands.sites.rename(call.site_id, name=name, domain=domain, context=call.context)
    await call.services.directory.catch_up()
    record = existing(call.services.directory.site(str(call.site_id)), SiteNotFound)
    return site_body(record, call.grant.relation)


@ENDPOINTS.of_site("DELETE", "", Access.ADMIN, parameters=Unlisted.IGNORED)
async def delete_site(call: SiteCall) -> None:
    """Delete the site for good; its data is erased in the background."""
    await call.services.commands.sites.delete(call.site_id, call.context)


@ENDPOINTS.of_site("PUT", "/config", Access.ADMIN, parameters=Unlisted.IGNORED)
async def configure_site(call: SiteCall) -> Body:
    """Change the supplied settings, and no other."""
    changes = config_changes(await call.body())
    state = await call.services.commands.sites.configure(call.site_id, changes, call.context)
    return {
        "success": True,
        "message": "Site configuration updated",
        "config": config_document(state.config),
        **warnings_document(state.config, locates=call.services.locates()),
    }


@ENDPOINTS.of_site("PUT", "/aliases/{alias:path}", Access.ADMIN)
async def add_alias(call: SiteCall) -> None:
    """Give the site an alias, once however often it is asked (docs/track/protocols/README.md)."""
    await call.services.commands.aliases.add(call.site_id, call.path["alias"], call.context)


@ENDPOINTS.of_site("DELETE", "/aliases/{alias:path}", Access.ADMIN)
async def remove_alias(call: SiteCall) -> None:
    """Take an alias away from the site."""
    await call.services.commands.aliases.remove(call.site_id, call.path["alias"], call.context)


async def _show_exclusions(call: SiteCall, *, name: str) -> Body:
    """Answer with the exclusions of the site in one setting."""
    config = call.site.config
    warnings = warnings_document(config, locates=call.services.locates()).get("warnings", {})
    body = {"success": True, name: config_document(config)[name]}
    return body | ({"warnings": {name: warnings[name]}} if name in warnings else {})


for _address, _setting in EXCLUSIONS.items():
    ENDPOINTS.of_site("GET", f"/{_address}", Access.VIEWER)(
        partial(_show_exclusions, name=SETTINGS[_setting].name)
    )


def site_body(record: SiteRecord, relation: Relation | Role) -> dict[str, Any]:
    """Return a site as the interface shows it to a caller; members see its aliases."""
    site = record.site
    return {
        "id": site.public_id,
        "siteId": site.site_id,
        "name": site.name,
        "domain": site.domain,
        "createdAt": instant_text(record.created_at),
        "updatedAt": instant_text(record.updated_at),
        "createdBy": site.created_by,
        "organizationId": site.organization_id,
        "isOwner": relation.administers,
        **({"aliases": list(site.aliases)} if relation.edits else {}),
        **switches_document(site.config),
    }
