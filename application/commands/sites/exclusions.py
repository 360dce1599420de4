"""Commands about the standing exclusions of a site."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.sites import standing_exclusions
from footfall.domain.sites.segment import Condition


@frozen(kw_only=True)
class ExclusionCommands:
    """Defines, changes and removes the rules that leave sessions out of reports."""

    streams: DecideAndAppend

    async def define(
        self, site_id: int, *, name: str, conditions: Sequence[Condition], context: CommandContext
    ) -> int:
        """Define a rule, which is enabled, and return its number.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: the name breaks a rule, or there are none or too many conditions.
            TooManyExclusionRules: there are 20 of them.

        """
        changed = await self.streams.change_site(
            site_id,
            lambda site: standing_exclusions.define(site.exclusions, name=name, conditions=conditions),
            context,
        )
        return changed.exclusions.last

    async def change(
        self,
        site_id: int,
        number: int,
        *,
        context: CommandContext,
        name: str | None = None,
        conditions: Sequence[Condition] | None = None,
        enabled: bool | None = None,
    ) -> None:
        """Change what is given of a rule.

        Raises:
            ExclusionRuleNotFound: there is no such rule.
            SiteNotFound, Invalid: as `define` does.

        """
        await self.streams.change_site(
            site_id,
            lambda site: standing_exclusions.change(
                site.exclusions, number, name=name, conditions=conditions, enabled=enabled
            ),
            context,
        )

    async def remove(self, site_id: int, number: int, *, context: CommandContext) -> None:
        """Remove a rule; what it left out is counted again."""
        await self.streams.change_site(
            site_id, lambda site: standing_exclusions.remove(site.exclusions, number), context
        )
