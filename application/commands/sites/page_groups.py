"""Commands about the groups of pages of a site."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.sites import page_groups


@frozen(kw_only=True)
class PageGroupCommands:
    """Replaces the rules of the groups of pages."""

    streams: DecideAndAppend

    async def arrange(self, site_id: int, rules: Sequence[GroupRule], context: CommandContext) -> None:
        """Replace the rules of the groups of pages, with their order.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: as `checked` of domain/sites/page_groups.py does.

        """
        await self.streams.change_site(
            site_id, lambda site: page_groups.arrange(site.page_groups, rules), context
        )
