"""Commands about the goals of a site."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import goal_stream
from footfall.application.ports.system import Identifiers
from footfall.domain.exceptions import GoalNotFound, TooManyGoals
from footfall.domain.goals import goal
from footfall.domain.goals.goal import MAX_GOALS, Goal, Rule


@frozen(kw_only=True)
class GoalCommands:
    """Defines, redefines and deletes goals."""

    streams: DecideAndAppend
    directory: Directory
    identifiers: Identifiers

    async def define(self, site_id: int, *, name: str | None, rule: Rule, context: CommandContext) -> int:
        """Define a goal of a site and return its id.

        Raises:
            SiteNotFound: there is no such site.
            TooManyGoals: the site has 200 goals.

        """
        await self.directory.present_site(site_id)
        if len(self.directory.goals_of(site_id)) >= MAX_GOALS:
            raise TooManyGoals(MAX_GOALS)
        goal_id = await self.identifiers.next_goal()
        events = goal.define(goal_id, site_id=site_id, name=name, rule=rule)
        await self.streams.create(goal_stream(goal_id), events, context)
        return goal_id

    async def redefine(
        self, site_id: int, goal_id: int, *, name: str | None, rule: Rule, context: CommandContext
    ) -> None:
        """Replace a goal of a site as a whole."""
        await self._change(
            site_id, goal_id, lambda state: goal.redefine(state, name=name, rule=rule), context
        )

    async def delete(self, site_id: int, goal_id: int, context: CommandContext) -> None:
        """Delete a goal of a site permanently."""
        await self._change(site_id, goal_id, goal.delete, context)

    async def _change(
        self,
        site_id: int,
        goal_id: int,
        decide: Callable[[Goal | None], Sequence[Any]],
        context: CommandContext,
    ) -> None:
        def decide_own(state: Goal | None) -> Sequence[Any]:
            if state is None or state.site_id != site_id:
                raise GoalNotFound
            return decide(state)

        await self.streams.change(goal_stream(goal_id), goal.apply, decide_own, context)
