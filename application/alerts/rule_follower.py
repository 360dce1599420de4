"""The follower of a rule: judges its windows, records firings and notifies targets.

See docs/alerts/alerts.md#evaluation.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain

from attrs import evolve, frozen

from footfall.application.alerts.measured_windows import (
    AlertMeasures,
    AlertNotMeasurable,
    Round,
    recent_windows,
)
from footfall.application.alerts.messages import AlertNews
from footfall.application.alerts.notifier import AlertNotifier
from footfall.application.commands.alerts import AlertCommands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.alerts.watches import Watch
from footfall.application.ports.journal import StoreUnavailable, StreamSetAside
from footfall.domain.alerts.firing_decision import Progress, Transition, step
from footfall.domain.alerts.firings import Firing, OverReason
from footfall.domain.alerts.judged_windows import Judged, Window
from footfall.domain.alerts.plan import AlertWindow
from footfall.domain.alerts.rules import AlertRule
from footfall.domain.exceptions import DomainError, GoalSetAside, Invalid
from footfall.domain.periods.period import Period

# After the end of a window, for hits that are on their way.
SETTLING = timedelta(minutes=1)
# After a longer outage the windows before are left out.
LATE = timedelta(days=2)
# Queues know for longer what was told.
TOLD_AGAIN = timedelta(days=1)
# A store that is away, or a rule that cannot be measured, is asked again after so long.
RETRY = timedelta(minutes=1)
# A rule takes no longer than this; one that would is asked again after the pause.
LIMIT_SECONDS = 10.0
PAUSE = timedelta(minutes=10)
STORE_AWAY = "the store does not answer"

_log = logging.getLogger(__name__)

_LENGTHS = {
    AlertWindow.FIFTEEN_MINUTES: timedelta(minutes=15),
    AlertWindow.HOUR: timedelta(hours=1),
    # With a clock change.
    AlertWindow.DAY: timedelta(hours=25),
}
_OPERATOR = CommandContext()


@frozen(kw_only=True)
class AlertFollower:
    """Follows rules one at a time.

    A window is judged once. What it makes of the rule is appended to the journal, then told, then the watch moves on:
    after a crash the next worker goes on with what the journal knows, and neither it nor a target hears of it twice.
    """

    directory: Directory
    measures: AlertMeasures
    commands: AlertCommands
    notifier: AlertNotifier
    limit_seconds: float = LIMIT_SECONDS

    def beginning(self, site_id: int, rule: AlertRule, now: datetime) -> Watch | None:
        """Return a watch that begins with the window that is running now; None when there is no such site."""
        record = self.directory.site(str(site_id))
        if record is None:
            return None
        length = _LENGTHS[rule.plan.window]
        before = _windows(record, rule, Period(now - 3 * length, now))
        return self._moved(record, rule, before[-1].period.end if before else now, Progress())

    async def end_changed(self, watch: Watch, now: datetime) -> Watch | None:
        """End the firing of a rule that is changed or not active any more, and tell of it.

        Returns None; the watch, which waits, where the firings of the rule cannot be read or changed now.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        try:
            await self._end_changed(watch, now)
        except StreamSetAside:
            return self._waiting(watch, now + RETRY, STORE_AWAY, StreamSetAside)
        except DomainError as refusal:
            return self._waiting(watch, now + RETRY, _explained(refusal), type(refusal))
        return None

    async def follow(self, watch: Watch, horizon: datetime, one_round: Round) -> Watch:
        """Judge the windows of a rule that have ended, and return its watch after them."""
        record, rule = self._record_and_rule(watch.site_id, watch.rule)
        if record is None or rule is None or rule.revision != watch.revision:
            # The next round begins anew with it, or forgets it.
            return evolve(watch, due_at=horizon + RETRY)
        try:
            async with asyncio.timeout(self.limit_seconds):
                watch = await self._caught_up(record, rule, watch)
                period = Period(max(watch.until, horizon - LATE), horizon - SETTLING)
                return await self._followed(record, rule, watch, period, one_round)
        except TimeoutError:
            obstacle = f"it takes longer than {self.limit_seconds:g} seconds to measure"
            return self._waiting(watch, horizon + PAUSE, obstacle, TimeoutError)
        except StoreUnavailable:
            return self._waiting(watch, horizon + RETRY, STORE_AWAY, StoreUnavailable)
        except DomainError as refusal:
            return self._waiting(watch, horizon + RETRY, _explained(refusal), type(refusal))

    async def _end_changed(self, watch: Watch, now: datetime) -> None:
        site_id, number = watch.site_id, watch.rule
        record, rule = self._record_and_rule(site_id, number)
        if record is None or rule is None:
            return
        untold = self._untold(watch)
        if untold is not None:
            await self.notifier.tell(AlertNews(record=record, rule=rule, firing=untold, is_changed=True))
        at = Judged(Window(Period(now, now), now), None, None)
        after = await self.commands.end(site_id, number, at, OverReason.CHANGED, _OPERATOR)
        last = after.latest.get(after.last)
        if last is None or last.over_at is None or last.over_reason is not OverReason.CHANGED:
            return
        if now - last.over_at <= TOLD_AGAIN:
            await self.notifier.tell(AlertNews(record=record, rule=rule, firing=last, is_changed=True))

    def _record_and_rule(self, site_id: int, number: int) -> tuple[SiteRecord | None, AlertRule | None]:
        alerts = self.directory.state.alerts.get(str(site_id))
        return self.directory.site(str(site_id)), alerts.rules.get(number) if alerts else None

    def _untold(self, watch: Watch) -> Firing | None:
        """Return the latest firing if targets may not know of its beginning, or of its end by calm windows."""
        firings = self.directory.firings(watch.site_id, watch.rule)
        last = firings.latest.get(firings.last)
        if last is None or last.over_reason is OverReason.CHANGED or not _is_ahead(last, watch):
            return None
        return last

    def _waiting(self, watch: Watch, due_at: datetime, obstacle: str, failure: type[Exception]) -> Watch:
        """Let a rule wait: a cell that is away, or a stream that cannot be read, keeps no other rules waiting."""
        _log.warning(
            "an alert rule waits",
            extra={"site": watch.site_id, "rule": watch.rule, "failure": failure.__name__},
        )
        return evolve(watch, due_at=due_at, obstacle=obstacle)

    async def _caught_up(self, record: SiteRecord, rule: AlertRule, watch: Watch) -> Watch:
        """Return the watch after the last window that the journal knows, of which targets are told in any case.

        A worker that died, or whose time was over, left it behind. The window is not judged again: late hits may have
        changed what it shows.
        """
        last = self._untold(watch)
        if last is None:
            return watch
        # However late: a target that is not told the beginning is not told the end either.
        await self.notifier.tell(AlertNews(record=record, rule=rule, firing=last))
        until = max(watch.until, last.over_at or last.end)
        return evolve(watch, until=until, progress=Progress(firing=last.over_at is None))

    async def _followed(
        self, record: SiteRecord, rule: AlertRule, watch: Watch, period: Period, one_round: Round
    ) -> Watch:
        try:
            judged = await self.measures.judged_now(record, rule.plan, period, one_round)
        except (AlertNotMeasurable, GoalSetAside, Invalid) as refusal:
            return evolve(self._skipped(record, rule, watch, period), obstacle=_explained(refusal))
        progress = watch.progress
        for judgement in judged:
            progress = await self._stepped(record, rule, progress, judgement)
        until = judged[-1].window.period.end if judged else period.start
        return self._moved(record, rule, until, progress)

    async def _stepped(
        self, record: SiteRecord, rule: AlertRule, progress: Progress, judgement: Judged
    ) -> Progress:
        after, transition = step(progress, judgement)
        if transition is None:
            return after
        site_id = record.site.site_id
        if transition is Transition.OPENS:
            targets = await self.notifier.reached(record.site, rule.plan.targets)
            firings = await self.commands.fire(site_id, rule.number, judgement, _OPERATOR, targets=targets)
        else:
            firings = await self.commands.end(site_id, rule.number, judgement, OverReason.CALM, _OPERATOR)
        firing = firings.latest.get(firings.last)
        if firing is not None:
            await self.notifier.tell(AlertNews(record=record, rule=rule, firing=firing))
        return after

    def _skipped(self, record: SiteRecord, rule: AlertRule, watch: Watch, period: Period) -> Watch:
        windows = _windows(record, rule, period)
        return self._moved(record, rule, windows[-1].period.end if windows else watch.until, watch.progress)

    def _moved(self, record: SiteRecord, rule: AlertRule, until: datetime, progress: Progress) -> Watch:
        """Return the watch of a rule that is evaluated up to a time, due when the next window has settled."""
        length = _LENGTHS[rule.plan.window]
        following = _windows(record, rule, Period(until, until + 3 * length))
        end = following[0].period.end if following else until + length
        return Watch(
            site_id=record.site.site_id,
            rule=rule.number,
            revision=rule.revision,
            until=until,
            due_at=end + SETTLING,
            progress=progress,
        )


def _windows(record: SiteRecord, rule: AlertRule, period: Period) -> Sequence[Window]:
    return recent_windows(period, rule.plan.window, record.site.zone)


def _is_ahead(firing: Firing, watch: Watch) -> bool:
    """Whether the journal knows more of the latest firing than the watch, as after a worker that died between them."""
    is_running = firing.over_at is None
    return (firing.over_at or firing.end) > watch.until or is_running != watch.progress.firing


def _explained(refusal: DomainError) -> str:
    errors: Iterable[str] = chain.from_iterable(getattr(refusal, "field_errors", {}).values())
    return "; ".join([*errors, *getattr(refusal, "form_errors", [])]) or refusal.message
