"""`footfall site`."""

import os
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_documents import config_document
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import OrganizationNotFound, SiteNotFound, existing
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.cli.output import (
    CommandRefused,
    emit_done,
    emit_fields,
    emit_table,
    json_option,
    option,
)
from footfall.entrypoints.cli.store_commands import on_journal
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings


@click.group()
def site() -> None:
    """Create, show, change and delete sites."""


@site.command("create")
@option("--organization", required=True, help="Id of the organization.")
@option("--name", required=True, help="Name of the site, 1 to 100 characters.")
@option("--domain", required=True, help="Host name of the site, such as example.com.")
@option("--cell", help="Cell of its traffic; the open one with the least traffic unless given.")
@on_journal(emit_fields)
async def create(
    journal: Journal, organization: str, name: str, domain: str, cell: str | None
) -> dict[str, Any]:
    """Create a site of an organization."""
    site_id = await journal.commands.sites.register(
        organization,
        name=name,
        domain=domain,
        created_by=owner_of(journal, organization),
        context=CommandContext(),
        cell=cell,
    )
    return _row(await _find(journal, str(site_id)))


@site.command("list")
@option("--organization", help="Id of an organization; the sites of all unless given.")
@on_journal(emit_table)
async def list_sites(journal: Journal, organization: str | None) -> list[dict[str, Any]]:
    """List sites."""
    directory = journal.directory
    if organization is not None and directory.organization(organization) is None:
        raise OrganizationNotFound
    sites = directory.sites() if organization is None else directory.sites_of(organization)
    return [_row(listed) for listed in sites]


@site.command("show")
@click.argument("site")
@on_journal(emit_fields)
async def show(journal: Journal, site: str) -> dict[str, Any]:
    """Show a site and its settings; SITE is its number or its text id."""
    return _details(await _find(journal, site))


@site.command("rename")
@click.argument("site")
@option("--name", help="The new name, 1 to 100 characters.")
@option("--domain", help="The new host name, such as example.com.")
@json_option
def rename(site: str, name: str | None, domain: str | None, *, as_json: bool) -> None:
    """Give SITE another name, another domain, or both."""
    if name is None and domain is None:
        raise click.UsageError("give --name, --domain or both")

    async def work(journal: Journal) -> dict[str, Any]:
        site_id = (await _find(journal, site)).site.site_id
        await journal.commands.sites.rename(site_id, name=name, domain=domain, context=CommandContext())
        return _row(await _renewed(journal, str(site_id)))

    emit_done(with_journal(read_settings(os.environ), work), as_json=as_json)


@site.command("limit")
@click.argument("site")
@click.argument("pageviews", type=click.IntRange(min=0), required=False)
@option("--clear", is_flag=True, help="Lift the limit.")
@json_option
def limit(site: str, pageviews: int | None, *, clear: bool, as_json: bool) -> None:
    """Limit how many PAGEVIEWS of a month SITE stores, or lift the limit with --clear."""
    if clear == (pageviews is not None):
        raise click.UsageError("give either a number of pageviews or --clear")

    async def work(journal: Journal) -> dict[str, Any]:
        site_id = (await _find(journal, site)).site.site_id
        await journal.commands.sites.limit_pageviews(site_id, pageviews, CommandContext())
        return _row(await _renewed(journal, str(site_id)))

    emit_done(with_journal(read_settings(os.environ), work), as_json=as_json)


@site.command("alias")
@click.argument("site")
@click.argument("name")
@option("--remove", is_flag=True, help="Take the alias away.")
@on_journal(emit_done)
async def alias(journal: Journal, site: str, name: str, *, remove: bool) -> dict[str, Any]:
    """Give SITE the alias NAME, by which scripts of other services call it, or take it away with --remove."""
    site_id, aliases = (await _find(journal, site)).site.site_id, journal.commands.aliases
    await (aliases.remove if remove else aliases.add)(site_id, name, CommandContext())
    return {"siteId": site_id, "aliases": list((await _renewed(journal, site)).site.aliases)}


@site.command("delete")
@click.argument("site")
@option("--yes", is_flag=True, help="Do not ask.")
@json_option
def delete(site: str, *, yes: bool, as_json: bool) -> None:
    """Delete SITE and everything that was tracked on it, for good."""
    settings = read_settings(os.environ)
    if not yes:
        site_to_delete = with_journal(settings, lambda journal: _find(journal, site)).site
        question = (
            f"Delete {site_to_delete.name} ({site_to_delete.domain}) and everything tracked on it, for good?"
        )
        if not click.confirm(question, err=True):
            raise CommandRefused("nothing was deleted")

    async def work(journal: Journal) -> dict[str, Any]:
        listed = await _find(journal, site)
        await journal.commands.sites.delete(listed.site.site_id, CommandContext())
        return {"siteId": listed.site.site_id, "deleted": True}

    emit_done(with_journal(settings, work), as_json=as_json)


async def _renewed(journal: Journal, reference: str) -> SiteRecord:
    # A change that is stored may not have been read.
    await journal.directory.catch_up()
    return await _find(journal, reference)


async def _find(journal: Journal, reference: str) -> SiteRecord:
    return existing(await journal.directory.find_site(reference), SiteNotFound)


def owner_of(journal: Journal, organization_id: str) -> str:
    """Return a user who owns an organization.

    Raises:
        OrganizationNotFound: there is none.

    """
    listed = existing(journal.directory.organization(organization_id), OrganizationNotFound)
    return next(user for user, role in listed.organization.roles.items() if role is Role.OWNER)


def _row(listed: SiteRecord) -> dict[str, Any]:
    site = listed.site
    return {
        "siteId": site.site_id,
        "id": site.public_id,
        "name": site.name,
        "domain": site.domain,
        "organizationId": site.organization_id,
        "monthlyLimit": site.monthly_limit,
    }


def _details(listed: SiteRecord) -> dict[str, Any]:
    return (
        _row(listed)
        | {
            "createdAt": instant_text(listed.created_at),
            "updatedAt": instant_text(listed.updated_at),
            "createdBy": listed.site.created_by,
        }
        | config_document(listed.site.config)
        | {"aliases": list(listed.site.aliases), "privateLink": listed.site.private_link is not None}
    )
