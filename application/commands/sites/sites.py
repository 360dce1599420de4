"""Commands about sites: registration, settings, limits, private links, deletion."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.cells import CellTraffic
from footfall.application.ports.system import Identifiers, Randomness
from footfall.domain.cells.cell import MAIN, choose
from footfall.domain.exceptions import OrganizationNotFound, SiteNotFound, existing
from footfall.domain.sites import site, user_signatures
from footfall.domain.sites.configuration import ConfigChanges, ListSetting
from footfall.domain.sites.sharing import private_link_key
from footfall.domain.sites.site import Site


@frozen(kw_only=True)
class SiteCommands:
    """Registers, changes and deletes sites."""

    streams: DecideAndAppend
    identifiers: Identifiers
    randomness: Randomness
    cell_traffic: CellTraffic

    async def register(
        self,
        organization_id: str,
        *,
        name: str,
        domain: str,
        created_by: str,
        context: CommandContext,
        changes: ConfigChanges | None = None,
        cell: str | None = None,
    ) -> int:
        """Register a site of an organization and return its numeric id.

        Where there are cells, its traffic is in the wanted one, or in the open one with the least traffic.

        Raises:
            OrganizationNotFound: there is no such organization.
            CellRefused: the wanted cell is not there or closed, or no open cell answers.
            Invalid: the name, the domain or a setting breaks a rule.

        """
        await self.streams.directory.catch_up()
        if self.streams.directory.organization(organization_id) is None:
            raise OrganizationNotFound
        events = await self.decide_new(
            organization_id, name=name, domain=domain, created_by=created_by, changes=changes, cell=cell
        )
        site_id: int = events[0].site_id
        await self.streams.create(site_stream(site_id), events, context)
        return site_id

    async def decide_new(
        self,
        organization_id: str,
        *,
        name: str,
        domain: str,
        created_by: str,
        changes: ConfigChanges | None = None,
        cell: str | None = None,
    ) -> Sequence[Any]:
        """Return the first events of a site as `register` stores them, of an organization that may be new as well.

        Raises:
            CellRefused, Invalid: as for `register`.

        """
        chosen = await self._cell_of_new_site(cell)
        return site.register(
            await self.identifiers.next_site(),
            public_id=self.randomness.public_id(),
            organization_id=organization_id,
            name=name,
            domain=domain,
            created_by=created_by,
            changes=changes,
            cell=chosen,
        )

    async def configure(self, site_id: int, changes: ConfigChanges, context: CommandContext) -> Site:
        """Change the supplied settings of a site and return it."""
        return await self._change(site_id, lambda state: site.configure(state, changes), context)

    async def add_entries(
        self, site_id: int, setting: ListSetting, entries: Sequence[str], context: CommandContext
    ) -> Site:
        """Add entries to a list setting of a site and return the site."""
        return await self._change(site_id, lambda state: site.add_entries(state, setting, entries), context)

    async def remove_entry(
        self, site_id: int, setting: ListSetting, entry: str, context: CommandContext
    ) -> Site:
        """Remove an entry from a list setting of a site and return the site."""
        return await self._change(site_id, lambda state: site.remove_entry(state, setting, entry), context)

    async def rename(
        self, site_id: int, *, name: str | None, domain: str | None, context: CommandContext
    ) -> Site:
        """Give a site another name or domain and return it."""
        return await self._change(
            site_id, lambda state: site.rename(state, name=name, domain=domain), context
        )

    async def limit_pageviews(self, site_id: int, limit: int | None, context: CommandContext) -> Site:
        """Set or lift the monthly pageview limit of a site and return it."""
        return await self._change(site_id, lambda state: site.limit_pageviews(state, limit), context)

    async def retain(self, site_id: int, days: int | None, context: CommandContext) -> Site:
        """Set the days for which the hits of a site are kept, None for always, and return the site."""
        return await self._change(site_id, lambda state: site.retain(state, days), context)

    async def generate_private_link(
        self, site_id: int, *, digest: str, sealed: str, context: CommandContext
    ) -> Site:
        """Give a site a new private link and return the site."""
        return await self.streams.change_site(
            site_id, lambda _: private_link_key.generate(digest=digest, sealed=sealed), context
        )

    async def revoke_private_link(self, site_id: int, context: CommandContext) -> Site:
        """Remove the private link of a site and return it."""
        return await self.streams.change_site(
            site_id, lambda state: private_link_key.revoke(state.private_link), context
        )

    async def issue_user_secret(self, site_id: int, context: CommandContext) -> Site:
        """Give a site a new secret for signatures of users and return the site."""
        return await self.streams.change_site(
            site_id, lambda state: user_signatures.issue(state.user_secrets), context
        )

    async def revoke_user_secret(self, site_id: int, context: CommandContext) -> Site:
        """Make no signature of a user valid any more and return the site."""
        return await self.streams.change_site(
            site_id, lambda state: user_signatures.revoke(state.user_secrets), context
        )

    async def set_currency(
        self, site_id: int, event_name: str, key: str, currency: str | None, context: CommandContext
    ) -> None:
        """Mark a property of custom events as money of a currency, or as no money."""
        await self._change(
            site_id, lambda state: site.set_currency(state, event_name, key, currency), context
        )

    async def delete(self, site_id: int, context: CommandContext) -> None:
        """Delete a site permanently."""
        await self.streams.change(site_stream(site_id), site.apply, site.delete, context)

    async def _cell_of_new_site(self, wanted: str | None) -> str | None:
        cells = self.streams.directory.state.cells
        if not cells and wanted is None:
            return None
        traffic = await self.cell_traffic.recent() if wanted is None else {}
        sites = Counter(record.site.cell or MAIN for record in self.streams.directory.sites())
        return choose(cells, traffic, sites, wanted)

    async def _change(
        self, site_id: int, decide: Callable[[Site | None], Sequence[Any]], context: CommandContext
    ) -> Site:
        state = await self.streams.change(site_stream(site_id), site.apply, decide, context)
        return existing(state, SiteNotFound)
