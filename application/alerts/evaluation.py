"""Evaluates alert rules as their windows end (docs/alerts.md#evaluation)."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import define, evolve, field

from footfall.application.alerts.measuring import AlertMeasures, AlertNotMeasurable
from footfall.application.alerts.messages import AlertNews
from footfall.application.alerts.teller import AlertTeller
from footfall.application.commands.alerts import AlertCommands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.alerts.watches import AlertWatches, Watch
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.alerts.firings import OverReason
from footfall.domain.alerts.judging import Judged, Progress, Turn, Window, step, windows_in
from footfall.domain.alerts.plan import AlertWindow
from footfall.domain.alerts.rules import AlertRule, SiteAlerts
from footfall.domain.exceptions import Conflict, DomainError, GoalSetAside, Invalid
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone

POLL_SECONDS = 5.0
# After the end of a window, for hits that are on their way.
SETTLING = timedelta(minutes=1)
# After a longer outage the windows before are left out.
LATE = timedelta(days=2)
BATCH = 200
# Queues know for longer what was told.
TOLD_AGAIN = timedelta(days=1)
# A store that is away, or a rule that cannot be measured, is asked again after so long.
RETRY = timedelta(minutes=1)

_log = logging.getLogger(__name__)

_LENGTHS = {
    AlertWindow.FIFTEEN_MINUTES: timedelta(minutes=15),
    AlertWindow.HOUR: timedelta(hours=1),
    # With a clock change.
    AlertWindow.DAY: timedelta(hours=25),
}
_OPERATOR = CommandContext()


@define(kw_only=True)
class AlertEvaluation:
    """Evaluates due rules; any number of workers may run it, the lock lets one work.

    A window is judged once. What it makes of the rule is appended to the journal, then told, then the watch moves on:
    after a crash the same window is judged again, and neither the journal nor a target hears of it twice.
    """

    directory: Directory
    watches: AlertWatches
    measures: AlertMeasures
    commands: AlertCommands
    teller: AlertTeller
    freshness: Freshness
    clock: Clock
    _synced: Mapping[str, SiteAlerts] | None = field(default=None, init=False)

    async def run(self) -> None:
        """Evaluate due rules every few seconds until cancelled."""
        while True:
            try:
                await self.work()
            except StoreUnavailable:
                _log.warning("alert rules cannot be evaluated yet, the store is unavailable")
            await asyncio.sleep(POLL_SECONDS)

    async def work(self) -> int:
        """Evaluate what is due, and return the number of rules that were looked at.

        Raises:
            StoreUnavailable: the store cannot be reached; the rest stays due.

        """
        alerts = self.directory.state.alerts
        if not alerts and not self._synced:
            return 0
        is_new = alerts is not self._synced
        if not is_new and not await self.watches.due(self.clock.now(), limit=1):
            return 0
        async with self.watches.lock() as lent:
            if lent is None:
                return 0
            # Another worker may know more; with less, this one would set watches back.
            await self.directory.catch_up()
            alerts = self.directory.state.alerts
            if alerts is not self._synced:
                await self._sync(alerts)
                self._synced = alerts
            return await self._evaluate_due()

    async def _sync(self, alerts: Mapping[str, SiteAlerts]) -> None:
        """Begin to watch rules that are new or changed, and forget those that are gone or not active."""
        known, now = await self.watches.revisions(), self.clock.now()
        present = {
            (int(site), rule.number): rule
            for site, one in alerts.items()
            for rule in one.rules.values()
            if rule.plan.active
        }
        for place in known.keys() - present.keys():
            await self._end_changed(*place, now)
        await self.watches.forget(sorted(known.keys() - present.keys()))
        changed = [place for place, rule in present.items() if known.get(place) != rule.revision]
        for place in changed:
            if place in known:
                await self._end_changed(*place, now)
        began = [self._beginning(site_id, present[site_id, number], now) for site_id, number in changed]
        await self.watches.save([one for one in began if one is not None])

    def _beginning(self, site_id: int, rule: AlertRule, now: datetime) -> Watch | None:
        """Return a watch that begins with the window that is running now."""
        record = self.directory.site(str(site_id))
        if record is None:
            return None
        length = _LENGTHS[rule.plan.window]
        before = windows_in(Period(now - 3 * length, now), rule.plan.window, _zone(record))
        until = before[-1].period.end if before else now
        return self._moved(record, rule, until, Progress())

    async def _end_changed(self, site_id: int, number: int, now: datetime) -> None:
        record, alerts = self.directory.site(str(site_id)), self.directory.state.alerts.get(str(site_id))
        rule = alerts.rules.get(number) if alerts else None
        if record is None or rule is None:
            return
        at = Judged(Window(Period(now, now), now), None, None)
        after = await self.commands.end(site_id, number, at, OverReason.CHANGED, _OPERATOR)
        last = after.latest.get(after.last)
        is_told = last is None or last.over_at is None or now - last.over_at > TOLD_AGAIN
        if last is not None and last.over_reason is OverReason.CHANGED and not is_told:
            await self.teller.tell(AlertNews(record=record, rule=rule, firing=last))

    async def _evaluate_due(self) -> int:
        looked_at = 0
        while True:
            now = self.clock.now()
            due = await self.watches.due(now, limit=BATCH)
            # Hits that arrived before it are in the read models.
            horizon = now - timedelta(seconds=(await self.freshness.lag()).seconds) if due else now
            ready = [one for one in due if one.due_at <= horizon]
            looked_at += len(ready)
            await self.watches.save([await self._evaluated(one, horizon) for one in ready])
            if len(due) < BATCH or not ready:
                return looked_at

    async def _evaluated(self, watch: Watch, horizon: datetime) -> Watch:
        """Judge the windows of a rule that have ended, and return its watch after them."""
        record = self.directory.site(str(watch.site_id))
        alerts = self.directory.state.alerts.get(str(watch.site_id))
        rule = alerts.rules.get(watch.rule) if alerts else None
        if record is None or rule is None or rule.revision != watch.revision:
            # The next round begins anew with it, or forgets it.
            return evolve(watch, due_at=horizon + RETRY)
        period = Period(max(watch.until, horizon - LATE), horizon - SETTLING)
        try:
            return await self._followed(record, rule, watch, period)
        except (StoreUnavailable, Conflict) as failure:
            # A cell that is away, or a stream that cannot be read, keeps no rules of other sites waiting.
            _log.warning(
                "an alert rule waits",
                extra={"site": watch.site_id, "rule": rule.number, "failure": type(failure).__name__},
            )
            return evolve(watch, due_at=horizon + RETRY, obstacle="the store does not answer")

    async def _followed(self, record: SiteRecord, rule: AlertRule, watch: Watch, period: Period) -> Watch:
        try:
            judged = await self.measures.judged(record, rule.plan, period)
        except (AlertNotMeasurable, GoalSetAside, Invalid) as refusal:
            return evolve(self._skipped(record, rule, watch, period), obstacle=_explained(refusal))
        progress = watch.progress
        for one in judged:
            progress = await self._stepped(record, rule, progress, one)
        until = judged[-1].window.period.end if judged else period.start
        return self._moved(record, rule, until, progress)

    async def _stepped(
        self, record: SiteRecord, rule: AlertRule, progress: Progress, one: Judged
    ) -> Progress:
        after, turn = step(progress, one)
        if turn is None:
            return after
        site_id = record.site.site_id
        if turn is Turn.OPENS:
            firings = await self.commands.fire(site_id, rule.number, one, _OPERATOR)
        else:
            firings = await self.commands.end(site_id, rule.number, one, OverReason.CALM, _OPERATOR)
        firing = firings.latest.get(firings.last)
        if firing is not None:
            await self.teller.tell(AlertNews(record=record, rule=rule, firing=firing))
        return after

    def _skipped(self, record: SiteRecord, rule: AlertRule, watch: Watch, period: Period) -> Watch:
        windows = windows_in(period, rule.plan.window, _zone(record))
        return self._moved(record, rule, windows[-1].period.end if windows else watch.until, watch.progress)

    def _moved(self, record: SiteRecord, rule: AlertRule, until: datetime, progress: Progress) -> Watch:
        """Return the watch of a rule that is evaluated up to a time, due when the next window has settled."""
        length = _LENGTHS[rule.plan.window]
        following = windows_in(Period(until, until + 3 * length), rule.plan.window, _zone(record))
        end = following[0].period.end if following else until + length
        return Watch(
            site_id=record.site.site_id,
            rule=rule.number,
            revision=rule.revision,
            until=until,
            due_at=end + SETTLING,
            progress=progress,
        )


def _zone(record: SiteRecord) -> ZoneInfo:
    return parse_zone(record.site.config.time_zone)


def _explained(refusal: DomainError) -> str:
    errors: Sequence[str] = [one for some in getattr(refusal, "field_errors", {}).values() for one in some]
    return "; ".join([*errors, *getattr(refusal, "form_errors", [])]) or refusal.message
