"""Commands about the goals of a site."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import goal_stream
from footfall.application.ports.system import Identifiers
from footfall.domain.exceptions import (
    GoalAlerted,
    GoalNotFound,
    Invalid,
    TooManyGoals,
)
from footfall.domain.goals import goal
from footfall.domain.goals.goal import MAX_GOALS, Goal, PageGroupRule, Rule
from footfall.domain.goals.value import Marks, decide_value


@frozen(kw_only=True)
class GoalCommands:
    """Defines, redefines and deletes goals."""

    streams: DecideAndAppend
    identifiers: Identifiers

    async def define(
        self, site_id: int, *, name: str | None, rule: Rule, context: CommandContext, marks: Marks = ()
    ) -> int:
        """Define a goal of a site and return its id; `marks` say which properties of its events are money.

        Raises:
            SiteNotFound: there is no such site.
            TooManyGoals: the site has 200 goals.
            Invalid: the name or the group of pages is refused, or a mark; errors of marks name `value` and its fields.

        """
        await self._require_group(site_id, rule)
        if len(self.streams.directory.goals_of(site_id)) >= MAX_GOALS:
            raise TooManyGoals(MAX_GOALS)
        goal.define(0, site_id=site_id, name=name, rule=rule)
        await self._mark(site_id, rule, marks, context)
        goal_id = await self.identifiers.next_goal()
        events = goal.define(goal_id, site_id=site_id, name=name, rule=rule)
        await self.streams.create(goal_stream(goal_id), events, context)
        return goal_id

    async def redefine(
        self,
        site_id: int,
        goal_id: int,
        *,
        name: str | None,
        rule: Rule,
        context: CommandContext,
        marks: Marks = (),
    ) -> None:
        """Replace a goal of a site as a whole; `marks` say which properties of its events are money.

        Raises:
            GoalNotFound: the site has no such goal.
            GoalAlerted: alert rules count it, and the rule is one by a group of pages, which they do not count.
            Invalid: the name or the group of pages is refused, or a mark; errors of marks name `value` and its fields.

        """
        await self._require_group(site_id, rule)
        if marks:
            # What would refuse the goal refuses its marks, too.
            record = self.streams.directory.goal(goal_id)
            goal.redefine(_own(None if record is None else record.goal, site_id), name=name, rule=rule)
            await self._mark(site_id, rule, marks, context)

        def decide(state: Goal) -> Sequence[Any]:
            self._require_countable(state, rule)
            return goal.redefine(state, name=name, rule=rule)

        await self._change(site_id, goal_id, decide, context)

    async def delete(self, site_id: int, goal_id: int, context: CommandContext) -> None:
        """Delete a goal of a site permanently."""
        await self._change(site_id, goal_id, goal.delete, context)

    async def _require_group(self, site_id: int, rule: Rule) -> None:
        """Raise SiteNotFound when there is no such site, Invalid when it does not have the group of pages of a rule."""
        record = await self.streams.directory.present_site(site_id)
        if isinstance(rule, PageGroupRule) and rule.group not in record.site.page_groups.names:
            raise Invalid({"config.pageGroup": [f"this site has no group of pages {rule.group}"]})

    def _require_countable(self, former: Goal, rule: Rule) -> None:
        """Raise GoalAlerted where alert rules count a goal and cannot do so by its new rule: they would fall silent."""
        if isinstance(rule, PageGroupRule) and not isinstance(former.rule, PageGroupRule):
            names = self.streams.directory.alerts(former.site_id).counting(former.goal_id)
            if names:
                raise GoalAlerted(names)

    async def _mark(self, site_id: int, rule: Rule, marks: Marks, context: CommandContext) -> None:
        """Mark properties of the events of a rule as money, or as no money, before the goal itself is stored.

        A mark alone does no harm, and a request that is sent again after a failure repeats none.
        """
        if marks:
            await self.streams.change_site(
                site_id, lambda site: decide_value(site.currencies, rule, marks), context
            )

    async def _change(
        self,
        site_id: int,
        goal_id: int,
        decide: Callable[[Goal], Sequence[Any]],
        context: CommandContext,
    ) -> None:
        def decide_own(state: Goal | None) -> Sequence[Any]:
            return decide(_own(state, site_id))

        await self.streams.change(goal_stream(goal_id), goal.apply, decide_own, context)


def _own(state: Goal | None, site_id: int) -> Goal:
    if state is None or state.site_id != site_id:
        raise GoalNotFound
    return state
