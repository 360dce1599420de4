"""Commands about the funnels of a site."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import funnel_stream
from footfall.application.ports.system import Identifiers
from footfall.domain.exceptions import FunnelNotFound, TooManyFunnels
from footfall.domain.funnels import funnel
from footfall.domain.funnels.checking import check_plan
from footfall.domain.funnels.funnel import MAX_FUNNELS, Funnel, FunnelPlan


@frozen(kw_only=True)
class FunnelCommands:
    """Defines, redefines and deletes funnels."""

    streams: DecideAndAppend
    identifiers: Identifiers

    async def define(self, site_id: int, plan: FunnelPlan, context: CommandContext) -> int:
        """Define a funnel of a site and return its id.

        Raises:
            SiteNotFound: there is no such site.
            TooManyFunnels: the site has 50 funnels.
            Invalid: a step names a goal that the site does not have, or visitors cannot be followed over days.

        """
        await self._check(site_id, plan)
        if len(self.streams.directory.funnels_of(site_id)) >= MAX_FUNNELS:
            raise TooManyFunnels(MAX_FUNNELS)
        funnel_id = await self.identifiers.next_funnel()
        events = funnel.define(funnel_id, site_id=site_id, plan=plan)
        await self.streams.create(funnel_stream(funnel_id), events, context)
        return funnel_id

    async def redefine(self, site_id: int, funnel_id: int, plan: FunnelPlan, context: CommandContext) -> None:
        """Replace a funnel of a site as a whole.

        Raises:
            FunnelNotFound: the site has no such funnel.
            Invalid: a step names a goal that the site does not have, or visitors cannot be followed over days.

        """
        await self._check(site_id, plan)
        await self._change(site_id, funnel_id, lambda state: funnel.redefine(state, plan), context)

    async def delete(self, site_id: int, funnel_id: int, context: CommandContext) -> None:
        """Delete a funnel of a site permanently.

        Raises:
            FunnelNotFound: the site has no such funnel.

        """
        await self._change(site_id, funnel_id, funnel.delete, context)

    async def _check(self, site_id: int, plan: FunnelPlan) -> None:
        record = await self.streams.directory.present_site(site_id)
        goals = (goal_record.goal for goal_record in self.streams.directory.goals_of(site_id))
        rules = {goal.goal_id: goal.rule for goal in goals}
        check_plan(plan, rules, reach=record.site.config.visitor_reach)

    async def _change(
        self,
        site_id: int,
        funnel_id: int,
        decide: Callable[[Funnel | None], Sequence[Any]],
        context: CommandContext,
    ) -> None:
        def decide_own(state: Funnel | None) -> Sequence[Any]:
            if state is None or state.site_id != site_id:
                raise FunnelNotFound
            return decide(state)

        await self.streams.change(funnel_stream(funnel_id), funnel.apply, decide_own, context)
