"""Changes of a part of a site: its link, secrets, segments, rules and recipients are in the stream of the site."""

from collections.abc import Callable, Sequence

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append, DecideAndAppend
from footfall.application.journal.stream_names import site_stream
from footfall.domain.exceptions import SiteNotFound, existing
from footfall.domain.sites import site
from footfall.domain.sites.site import Site, SiteEvent


async def change_part(
    streams: DecideAndAppend,
    site_id: int,
    decide: Callable[[Site], Sequence[SiteEvent]],
    context: CommandContext,
    append: Append | None = None,
) -> Site:
    """Append what is decided about a site, and return the site.

    Raises:
        SiteNotFound: there is no such site; besides, what `decide` raises.

    """
    changed = await streams.change(
        site_stream(site_id), site.apply, lambda state: site.change_part(state, decide), context, append
    )
    return existing(changed, SiteNotFound)
