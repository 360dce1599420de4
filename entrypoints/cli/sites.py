"""`footfall site`."""

import os
from typing import Any

import click

from footfall.adapters.http.answers import timestamp
from footfall.application.commands import Cause
from footfall.application.directory import ListedSite
from footfall.application.interface_names import config_document
from footfall.domain.errors import OrganizationNotFound, SiteNotFound
from footfall.domain.organization import Role
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import Refused, emit_fields, emit_table, json_option, option
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import with_journal


@click.group()
def site() -> None:
    """Sites: what is tracked."""


@site.command("create")
@option("--organization", required=True, help="Id of the organization.")
@option("--name", required=True, help="Name of the site, 1 to 100 characters.")
@option("--domain", required=True, help="Host name of the site, such as example.com.")
@json_option
def create(organization: str, name: str, domain: str, *, as_json: bool) -> None:
    """Create a site of an organization."""

    async def work(journal: Journal) -> dict[str, Any]:
        site_id = await journal.commands.register_site(
            organization, name=name, domain=domain, created_by=owner_of(journal, organization), cause=Cause()
        )
        return _row(await _find(journal, str(site_id)))

    created = with_journal(read_settings(os.environ), work)
    emit_fields(created, as_json=as_json)


@site.command("list")
@option("--organization", help="Id of an organization; the sites of all unless given.")
@json_option
def list_sites(organization: str | None, *, as_json: bool) -> None:
    """List sites."""

    async def work(journal: Journal) -> list[dict[str, Any]]:
        directory = journal.directory
        if organization is not None and directory.organization(organization) is None:
            raise OrganizationNotFound
        sites = directory.sites() if organization is None else directory.sites_of(organization)
        return [_row(listed) for listed in sites]

    emit_table(with_journal(read_settings(os.environ), work), as_json=as_json)


@site.command("show")
@click.argument("site")
@json_option
def show(site: str, *, as_json: bool) -> None:
    """Show a site and its settings; SITE is its number or its text id."""

    async def work(journal: Journal) -> dict[str, Any]:
        return _details(await _find(journal, site))

    details = with_journal(read_settings(os.environ), work)
    emit_fields(details, as_json=as_json)


@site.command("rename")
@click.argument("site")
@option("--name", help="The new name, 1 to 100 characters.")
@option("--domain", help="The new host name, such as example.com.")
def rename(site: str, name: str | None, domain: str | None) -> None:
    """Give SITE another name, another domain, or both."""
    if name is None and domain is None:
        raise click.UsageError("give --name, --domain or both")

    async def work(journal: Journal) -> None:
        listed = await _find(journal, site)
        await journal.commands.rename_site(listed.site.site_id, name=name, domain=domain, cause=Cause())

    with_journal(read_settings(os.environ), work)


@site.command("limit")
@click.argument("site")
@click.argument("pageviews", type=click.IntRange(min=0), required=False)
@click.option("--clear", is_flag=True, help="Lift the limit.")
def limit(site: str, pageviews: int | None, *, clear: bool) -> None:
    """Limit how many PAGEVIEWS of a month SITE stores, or lift the limit with --clear."""
    if clear == (pageviews is not None):
        raise click.UsageError("give either a number of pageviews or --clear")

    async def work(journal: Journal) -> None:
        listed = await _find(journal, site)
        await journal.commands.limit_pageviews(listed.site.site_id, pageviews, Cause())

    with_journal(read_settings(os.environ), work)


@site.command("delete")
@click.argument("site")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(site: str, *, yes: bool) -> None:
    """Delete SITE and everything that was tracked on it, for good."""
    settings = read_settings(os.environ)
    if not yes:
        found = with_journal(settings, lambda journal: _find(journal, site)).site
        if not click.confirm(f"Delete {found.name} ({found.domain}) and everything tracked on it, for good?"):
            raise Refused("nothing was deleted")

    async def work(journal: Journal) -> None:
        listed = await _find(journal, site)
        await journal.commands.delete_site(listed.site.site_id, Cause())

    with_journal(settings, work)


async def _find(journal: Journal, reference: str) -> ListedSite:
    listed = await journal.directory.find_site(reference)
    if listed is None:
        raise SiteNotFound
    return listed


def owner_of(journal: Journal, organization_id: str) -> str:
    """Return a user who owns an organization.

    Raises:
        OrganizationNotFound: there is none.

    """
    listed = journal.directory.organization(organization_id)
    if listed is None:
        raise OrganizationNotFound
    return next(user for user, role in listed.organization.roles.items() if role is Role.OWNER)


def _row(listed: ListedSite) -> dict[str, Any]:
    site = listed.site
    return {
        "siteId": site.site_id,
        "id": site.public_id,
        "name": site.name,
        "domain": site.domain,
        "organizationId": site.organization_id,
        "monthlyLimit": site.monthly_limit,
    }


def _details(listed: ListedSite) -> dict[str, Any]:
    return (
        _row(listed)
        | {
            "createdAt": timestamp(listed.created_at),
            "updatedAt": timestamp(listed.updated_at),
            "createdBy": listed.site.created_by,
        }
        | config_document(listed.site.config)
        | {"privateLink": listed.site.private_link_key is not None}
    )
