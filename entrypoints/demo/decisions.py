"""Decisions of the owner of the demonstration: goals, a funnel, a segment, prices, an alert rule, deploys."""

from datetime import datetime
from types import MappingProxyType

from attrs import frozen

from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.funnels.funnel import GoalStep, funnel_plan
from footfall.domain.goals.goal import EventRule, PathRule, Rule
from footfall.domain.sites.segment import Condition
from footfall.entrypoints.demo.errors import deploys
from footfall.entrypoints.demo.shop import ORDER, SIGN_UP

ORDERED = "Order placed"
GOALS = MappingProxyType[str, Rule](
    {
        "Pricing viewed": PathRule("/pricing*"),
        "Signed up": EventRule(SIGN_UP),
        "Large plan": EventRule(SIGN_UP, "plan", "large"),
        ORDERED: EventRule(ORDER),
    }
)
FUNNEL = "Buying shoes"
SEGMENT = "Phones in Germany"
_ON_PHONES = (
    Condition("device_type", "equals", ("mobile", "tablet")),
    Condition("country", "equals", ("DE",)),
)
ALERT = alert_plan(
    name="A bad release",
    metric=AlertMetric.ERRORS,
    window=AlertWindow.DAY,
    condition=AlertCondition.ABOVE,
    value=25,
)
_MONEY = (ORDER, "total")
_CURRENCY = "EUR"
_CONTEXT = CommandContext()


@frozen
class Decider:
    """Decides what has not been decided for a site by an earlier run."""

    _commands: Commands
    _directory: Directory
    _record: SiteRecord

    async def decide(self, *, until: datetime, days: int) -> int:
        """Decide everything for the days before an instant, and return the number of new goals."""
        goals = await self._goals()
        await self._funnel()
        await self._settings()
        await self._alert()
        await self._deploys(until, days)
        return goals

    @property
    def _site_id(self) -> int:
        return self._record.site.site_id

    async def _goals(self) -> int:
        missing = [name for name in GOALS if name not in self._goal_ids()]
        for name in missing:
            await self._commands.goals.define(self._site_id, name=name, rule=GOALS[name], context=_CONTEXT)
        return len(missing)

    def _goal_ids(self) -> dict[str | None, int]:
        return {record.goal.name: record.goal.goal_id for record in self._directory.goals_of(self._site_id)}

    async def _funnel(self) -> None:
        if FUNNEL not in {record.funnel.plan.name for record in self._directory.funnels_of(self._site_id)}:
            ordered = GoalStep(self._goal_ids()[ORDERED])
            plan = funnel_plan(FUNNEL, [PathRule("/products*"), PathRule("/checkout"), ordered])
            await self._commands.funnels.define(self._site_id, plan, _CONTEXT)

    async def _settings(self) -> None:
        site = self._record.site
        if _MONEY not in site.currencies:
            await self._commands.sites.set_currency(self._site_id, *_MONEY, _CURRENCY, _CONTEXT)
        if SEGMENT not in {segment.name for segment in site.segments.present.values()}:
            await self._commands.segments.define(
                self._site_id, name=SEGMENT, owner=None, conditions=_ON_PHONES, context=_CONTEXT
            )

    async def _alert(self) -> None:
        rules = self._directory.alerts(self._site_id).rules.values()
        if ALERT.name not in {rule.plan.name for rule in rules}:
            await self._commands.alerts.define(self._site_id, ALERT, _CONTEXT)

    async def _deploys(self, until: datetime, days: int) -> None:
        marked = {
            annotation.release for annotation in self._directory.annotations(self._site_id).by_id.values()
        }
        for at, release in deploys(until, days):
            if release not in marked:
                await self._commands.annotations.add(self._site_id, _CONTEXT, at=at, release=release)
