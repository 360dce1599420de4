"""The backtest of a rule: when it would have fired in the last 90 days (docs/alerts/alerts.md#preview)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen

from footfall.application.alerts.measured_windows import AlertMeasures
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.alerts.firing_decision import FiredSpan, backtest
from footfall.domain.alerts.judged_windows import Judged, JudgedWeeks, judged_weeks
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.periods.period import Period

DAYS = timedelta(days=90)


@frozen
class Backtest:
    """The judged windows of a period, and the firings in it; no window before `since` has a value."""

    judged: Sequence[Judged]
    fired: Sequence[FiredSpan]
    since: datetime | None

    @property
    def weeks(self) -> JudgedWeeks:
        """How many weeks could be judged, and why not the others."""
        return judged_weeks(self.judged, since=self.since)


@frozen(kw_only=True)
class Backtests:
    """Runs backtests."""

    measures: AlertMeasures
    freshness: Freshness
    clock: Clock

    async def run(self, record: SiteRecord, plan: AlertPlan) -> Backtest:
        """Return the backtest of a rule over the windows of the last 90 days that are over.

        Raises:
            AlertNotMeasurable, GoalSetAside, Invalid: the rule cannot be measured; the message says why.
            StoreUnavailable: the store does not answer.

        """
        await self.freshness.catch_up(record.site.site_id)
        now = self.clock.now()
        since = await self.measures.since(record, plan)
        judged = await self.measures.judged(record, plan, Period(now - DAYS, now), since=since)
        return Backtest(judged, backtest(judged), since)
