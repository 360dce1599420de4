"""Commands about the alert rules of a site, their targets and their firings."""

from collections.abc import Callable, Sequence

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append, DecideAndAppend
from footfall.application.journal.stream_names import alerts_stream, firings_stream
from footfall.domain.alerts import firings, rules
from footfall.domain.alerts.firings import FiringEvent, Firings, OverReason
from footfall.domain.alerts.judged_windows import Judged
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.alerts.rules import AlertEvent, SiteAlerts, TargetKind
from footfall.domain.exceptions import Invalid
from footfall.domain.traffic.filters import GROUP_PARAMETERS


@frozen(kw_only=True)
class AlertCommands:
    """Defines, redefines and deletes rules, adds and removes targets, and records firings."""

    streams: DecideAndAppend

    async def define(self, site_id: int, plan: AlertPlan, context: CommandContext) -> int:
        """Define a rule and return its number.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: the plan names a goal, a group of pages or a target that the site does not have.
            TooManyAlertRules: the site has 50 rules.

        """
        await self.check(site_id, plan)
        changed = await self._change(site_id, lambda state: rules.define(state, plan), context)
        return changed.last_rule

    async def redefine(self, site_id: int, number: int, plan: AlertPlan, context: CommandContext) -> None:
        """Replace the plan of a rule.

        Raises:
            AlertRuleNotFound: there is no such rule.
            Invalid: the plan names a goal, a group of pages or a target that the site does not have.

        """
        await self.check(site_id, plan)
        await self._change(site_id, lambda state: rules.redefine(state, number, plan), context)

    async def delete(self, site_id: int, number: int, context: CommandContext) -> None:
        """Delete a rule permanently."""
        await self._change(site_id, lambda state: rules.delete(state, number), context)

    async def add_target(
        self,
        site_id: int,
        kind: TargetKind,
        name: str,
        user_id: str | None,
        context: CommandContext,
        append: Append | None = None,
    ) -> int:
        """Add a target and return its number; `append` stores the event together with the address of the target.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: the name breaks a rule, or the user cannot see the site.
            TooManyAlertTargets: the site has 20 targets.

        """
        record = await self.streams.directory.present_site(site_id)
        if user_id is not None and self.streams.directory.role_on(user_id, record.site) is None:
            raise Invalid({"userId": ["must be a member who can see the site"]})
        changed = await self._change(
            site_id, lambda state: rules.add_target(state, kind, name, user_id), context, append
        )
        return changed.last_target

    async def remove_target(
        self, site_id: int, number: int, context: CommandContext, append: Append | None = None
    ) -> None:
        """Remove a target, also from the rules that tell it; `append` stores the event and forgets the address."""
        await self._change(site_id, lambda state: rules.remove_target(state, number), context, append)

    async def fire(
        self,
        site_id: int,
        rule: int,
        judged: Judged,
        context: CommandContext,
        *,
        targets: Sequence[int],
    ) -> Firings:
        """Record that a rule fires at a window, once however often it is said, and return its firings.

        `targets` are the numbers of the targets that can be told of it now.
        """
        return await self._change_firings(
            site_id, rule, lambda state: firings.fire(state, site_id, rule, judged, targets), context
        )

    async def end(
        self, site_id: int, rule: int, at: Judged, reason: OverReason, context: CommandContext
    ) -> Firings:
        """Record that the firing of a rule is over at the end of a window, and return its firings."""
        end = at.window.period.end
        return await self._change_firings(
            site_id, rule, lambda state: firings.end(state, end, reason), context
        )

    async def acknowledge(self, site_id: int, rule: int, number: int, context: CommandContext) -> None:
        """Record that the actor took note of a firing.

        Raises:
            AlertRuleNotFound, AlertFiringNotFound: there is no such rule or firing.
            AlertFiringOver: it is over.

        """
        await self.streams.directory.catch_up()
        self.streams.directory.alerts(site_id).rule(rule)
        user_id = context.actor.user_id
        await self._change_firings(
            site_id, rule, lambda state: firings.acknowledge(state, number, user_id), context
        )

    async def check(self, site_id: int, plan: AlertPlan) -> None:
        """Raise Invalid when the site does not have what a plan names, SiteNotFound when there is no such site."""
        record = await self.streams.directory.present_site(site_id)
        goals = {record.goal.goal_id: record.query for record in self.streams.directory.goals_of(site_id)}
        if plan.goal_id is not None and plan.goal_id not in goals:
            raise Invalid({"goalId": ["must be the id of a goal of this site"]})
        if plan.goal_id is not None and goals[plan.goal_id].version is None:
            raise Invalid({"goalId": ["must be no goal by a group of pages, which alerts do not count"]})
        groups = record.site.page_groups.names
        named = {
            name
            for condition in plan.filters
            if condition.parameter in GROUP_PARAMETERS
            for name in condition.values
        }
        if missing := sorted(named.difference(groups)):
            raise Invalid({"filters": [f"this site has no group of pages {', '.join(missing)}"]})

    async def _change(
        self,
        site_id: int,
        decide: Callable[[SiteAlerts | None], Sequence[AlertEvent]],
        context: CommandContext,
        append: Append | None = None,
    ) -> SiteAlerts:
        changed = await self.streams.change(alerts_stream(site_id), rules.apply, decide, context, append)
        return changed or SiteAlerts()

    async def _change_firings(
        self,
        site_id: int,
        rule: int,
        decide: Callable[[Firings | None], Sequence[FiringEvent]],
        context: CommandContext,
    ) -> Firings:
        stream = firings_stream(site_id, rule)
        return await self.streams.change(stream, firings.apply, decide, context) or Firings()
