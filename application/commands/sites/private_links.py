"""Private links of sites: new keys, and the keys that members see again (docs/administration.md#sharing)."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.sites import SiteCommands
from footfall.application.journal.event_codec import UNSEALED
from footfall.application.ports.system import Randomness, Sealing
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.sites.site import Site


@frozen
class PrivateLinks:
    """Makes links whose keys are stored as a digest and sealed: only with the secret of the server they can be read."""

    _commands: SiteCommands
    _randomness: Randomness
    _sealing: Sealing

    async def generate(self, site_id: int, context: CommandContext) -> str:
        """Give a site a new link in place of an older one, and return its key."""
        key = self._randomness.private_link_key()
        await self._commands.generate_private_link(
            site_id, digest=digest_of(key), sealed=self._sealing.seal(key), context=context
        )
        return key

    def key_of(self, site: Site) -> str | None:
        """Return the key of a site's link; None without a link, or when it was sealed with another secret."""
        if site.private_link is None:
            return None
        sealed = site.private_link.sealed
        if sealed.startswith(UNSEALED):
            return sealed.removeprefix(UNSEALED)
        return self._sealing.open(sealed)
