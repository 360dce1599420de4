"""Organizations and their sites over HTTP (docs/share/administration.md)."""

from footfall.adapters.http.resources.endpoint import ORGANIZATION, Body, Endpoints, Unlisted, UserCall
from footfall.adapters.http.resources.sites import site_body
from footfall.adapters.http.wire.parameters import PAGING, page_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.site_bodies import config_changes, required_texts
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import OrganizationRecord
from footfall.application.journal.interface_documents import warnings_document
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import AccessDenied, OrganizationNotFound, SiteNotFound, existing
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 100
ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", "/api/organizations", Access.USER)
async def list_organizations(call: UserCall) -> Body:
    """Answer with the organizations that the caller is a member of."""
    organizations = call.services.directory.organizations_of(call.caller.user_id)
    return {"data": [_organization_body(record, call.caller.user_id) for record in organizations]}


@ENDPOINTS.of_user("PUT", ORGANIZATION, Access.ADMIN, parameters=Unlisted.IGNORED)
async def rename_organization(call: UserCall) -> Body:
    """Give the organization another name."""
    (name,) = required_texts(await call.body(), "name")
    await call.services.commands.organizations.rename(call.organization, name, call.context)
    await call.services.directory.catch_up()
    record = existing(call.services.directory.organization(call.organization), OrganizationNotFound)
    return _organization_body(record, call.caller.user_id)


@ENDPOINTS.of_user("GET", f"{ORGANIZATION}/sites", Access.VIEWER, parameters=PAGING)
async def list_sites(call: UserCall) -> Body:
    """Answer with one page of the sites that the caller may see, the oldest first."""
    page, directory, user_id = page_of(call.req, size=PAGE_SIZE), call.services.directory, call.caller.user_id
    role = existing(directory.role(user_id, call.organization), OrganizationNotFound)
    sites = directory.sites_for(user_id, call.organization)
    return {
        "data": [site_body(record, role) for record in page.of(sites)],
        "meta": page_meta(page, len(sites)),
    }


@ENDPOINTS.of_user("POST", f"{ORGANIZATION}/sites", Access.ADMIN, status=201, parameters=Unlisted.IGNORED)
async def register_site(call: UserCall) -> Body:
    """Register a site of the organization."""
    body = await call.body()
    name, domain = required_texts(body, "name", "domain")
    site_id = await call.services.commands.sites.register(
        call.organization,
        name=name,
        domain=domain,
        created_by=call.caller.user_id,
        context=call.context,
        changes=config_changes(body),
    )
    record = existing(await call.services.directory.find_site(str(site_id)), SiteNotFound)
    warnings = warnings_document(record.site.config, locates=call.services.locates())
    return site_body(record, Role.ADMIN) | warnings


def _organization_body(record: OrganizationRecord, user_id: str) -> Body:
    """Return an organization as one of its members sees it.

    Raises:
        AccessDenied: the user has been removed.

    """
    organization = record.organization
    role = existing(organization.roles.get(user_id), AccessDenied)
    return {
        "organizationId": organization.organization_id,
        "name": organization.name,
        "role": role.value,
        "createdAt": instant_text(record.created_at),
    }
