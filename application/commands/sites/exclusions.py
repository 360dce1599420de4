"""Commands about the standing exclusions of a site."""

from collections.abc import Callable, Sequence

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.commands.sites.changed_parts import change_part
from footfall.domain.sites import standing_exclusions
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.standing_exclusions import ExclusionEvent, StandingExclusions


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
        changed = await self._change(
            site_id,
            lambda state: standing_exclusions.define(state, name=name, conditions=conditions),
            context,
        )
        return changed.last

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
        await self._change(
            site_id,
            lambda state: standing_exclusions.change(
                state, number, name=name, conditions=conditions, enabled=enabled
            ),
            context,
        )

    async def remove(self, site_id: int, number: int, *, context: CommandContext) -> None:
        """Remove a rule; what it left out is counted again."""
        await self._change(site_id, lambda state: standing_exclusions.remove(state, number), context)

    async def _change(
        self,
        site_id: int,
        decide: Callable[[StandingExclusions], Sequence[ExclusionEvent]],
        context: CommandContext,
    ) -> StandingExclusions:
        changed = await change_part(self.streams, site_id, lambda site: decide(site.exclusions), context)
        return changed.exclusions
