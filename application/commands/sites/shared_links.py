"""Commands about the links of a site that share some of its reports."""

from collections.abc import Callable

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.sites.sharing import shared_links
from footfall.domain.sites.sharing.shared_links import LinkTerms


@frozen(kw_only=True)
class SharedLinkCommands:
    """Makes, changes and revokes links; callers have asked `required_segment` of application/access."""

    streams: DecideAndAppend

    async def make(
        self, site_id: int, terms: LinkTerms, *, digest: str, sealed: str, context: CommandContext
    ) -> int:
        """Make a link, of whose key the digest and the sealed form are kept, and return its number.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: the name, a panel, the segment or the end is not accepted.
            TooManySharedLinks: there are 50 of them.

        """
        now = self.streams.clock.now()
        changed = await self.streams.change_site(
            site_id,
            lambda site: shared_links.make(
                site.links, site.segments, terms, digest=digest, sealed=sealed, now=now
            ),
            context,
        )
        return changed.links.last

    async def change(
        self, site_id: int, number: int, decide: Callable[[LinkTerms], LinkTerms], *, context: CommandContext
    ) -> None:
        """Give a link the terms that `decide` makes of its present ones.

        Raises:
            SharedLinkNotFound: there is no such link.
            SiteNotFound, Invalid: as `make` does.

        """
        now = self.streams.clock.now()
        await self.streams.change_site(
            site_id,
            lambda site: shared_links.change(site.links, site.segments, number, decide, now=now),
            context,
        )

    async def revoke(self, site_id: int, number: int, *, context: CommandContext) -> None:
        """Revoke a link; the others stay.

        Raises:
            SharedLinkNotFound: there is no such link.
            SiteNotFound: there is no such site.

        """
        await self.streams.change_site(site_id, lambda site: shared_links.revoke(site.links, number), context)
