"""The command by which the history of a site learns that a visitor was erased."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.sites.visitor_erasures import VisitorErased, decide_erased


@frozen(kw_only=True)
class VisitorErasureCommands:
    """Tells the history of a site of erasures, each once."""

    streams: DecideAndAppend

    async def require(self, site_id: int) -> None:
        """Refuse a site that is not there.

        Raises:
            SiteNotFound: there is no such site, or it was deleted.
            StoreUnavailable: the journal cannot be reached.

        """
        await self.streams.change_site(site_id, lambda _: [], CommandContext())

    async def tell(self, site_id: int, erased: VisitorErased, context: CommandContext) -> None:
        """Append that an erasure took place.

        Raises:
            SiteNotFound: there is no such site.

        """
        await self.streams.change_site(
            site_id, lambda site: decide_erased(site.visitor_erasures, erased), context
        )
