"""Commands about the aliases of a site."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.site_lookup import is_of_others
from footfall.domain.exceptions import AliasTaken
from footfall.domain.sites import aliases


@frozen(kw_only=True)
class AliasCommands:
    """Gives aliases to sites and takes them away."""

    streams: DecideAndAppend

    async def add(self, site_id: int, name: str, context: CommandContext) -> None:
        """Give a site another alias.

        Raises:
            SiteNotFound: there is no such site.
            AliasTaken: another site has it, also as its id, or a site of another organization has this domain.
            Invalid, TooManyAliases: as `add` of domain/sites/aliases.py does.

        """
        await self._require_free(site_id, name)
        await self.streams.change_site(site_id, lambda site: aliases.add(site.aliases, name), context)
        try:
            await self._require_free(site_id, name)
        except AliasTaken:
            # Where two sites took it at the same time, the first in the journal keeps it.
            await self.remove(site_id, name, context)
            raise

    async def remove(self, site_id: int, name: str, context: CommandContext) -> None:
        """Take an alias away from a site.

        Raises:
            SiteNotFound: there is no such site.
            AliasNotFound: it does not have it.

        """
        await self.streams.change_site(site_id, lambda site: aliases.remove(site.aliases, name), context)

    async def _require_free(self, site_id: int, name: str) -> None:
        await self.streams.directory.catch_up()
        if is_of_others(self.streams.directory, name, site_id):
            raise AliasTaken
