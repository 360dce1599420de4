"""Commands about the segments of a site."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.sites import segment
from footfall.domain.sites.segment import Condition, SegmentEvent
from footfall.domain.sites.sharing.shared_links import require_unshared
from footfall.domain.sites.site import Site


@frozen(kw_only=True)
class SegmentCommands:
    """Defines, redefines and deletes segments; callers have asked `changeable_segment` of application/access."""

    streams: DecideAndAppend

    async def define(
        self,
        site_id: int,
        *,
        name: str,
        owner: str | None,
        conditions: Sequence[Condition],
        context: CommandContext,
    ) -> int:
        """Define a segment of the site, or a personal one of its owner, and return its number.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: the name breaks a rule.
            TooManySegments: there are 100 of them.

        """
        changed = await self.streams.change_site(
            site_id,
            lambda site: segment.define(site.segments, name=name, owner=owner, conditions=conditions),
            context,
        )
        return changed.segments.last

    async def redefine(
        self,
        site_id: int,
        number: int,
        *,
        name: str,
        conditions: Sequence[Condition],
        context: CommandContext,
    ) -> None:
        """Replace a segment as a whole."""
        await self.streams.change_site(
            site_id,
            lambda site: segment.redefine(site.segments, number, name=name, conditions=conditions),
            context,
        )

    async def delete(self, site_id: int, number: int, *, context: CommandContext) -> None:
        """Delete a segment permanently.

        Raises:
            SegmentShared: a link of the site shows it.

        """

        def decide(site: Site) -> Sequence[SegmentEvent]:
            require_unshared(site.links, number)
            return segment.delete(site.segments, number)

        await self.streams.change_site(site_id, decide, context)
