"""Rounds of evaluation: alert rules are evaluated as their windows end (docs/alerts/alerts.md#evaluation)."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import define, evolve, field

from footfall.application.alerts.activity import SiteActivity
from footfall.application.alerts.answer_cache import AnswerCache
from footfall.application.alerts.measured_windows import Round
from footfall.application.alerts.round_robin import take_turns
from footfall.application.alerts.rule_follower import RETRY, STORE_AWAY, AlertFollower
from footfall.application.journal.directory import Directory
from footfall.application.ports.alerts.watches import AlertWatches, Watch
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.alerts.rules import SiteAlerts

POLL_SECONDS = 5.0
# The worker that evaluated rules last keeps answers: others leave it so much time to go on.
PATIENCE = timedelta(seconds=15)
# Rules of so many organizations are evaluated at a time, one of each.
AT_ONCE = 2
# An organization whose rules take longer goes on in the next round.
TURN_SECONDS = 10.0
# A store that does not say by then how far its reports are is away.
STORE_SECONDS = 3.0

_log = logging.getLogger(__name__)


@define(kw_only=True)
class AlertEvaluation:
    """Evaluates due rules; any number of workers may run it, the lock lets one work.

    The rules of an organization follow each other, and organizations take turns of a limited time side by side, so
    that rules that take long keep those of no other organization waiting. Rules of a store that is away are not asked.
    """

    directory: Directory
    watches: AlertWatches
    follower: AlertFollower
    activity: SiteActivity
    freshness: Freshness
    clock: Clock
    turn_seconds: float = TURN_SECONDS
    store_seconds: float = STORE_SECONDS
    _synced: Mapping[str, SiteAlerts] | None = field(default=None, init=False)
    # The time at which rules are asked again that could not begin anew.
    _again: datetime | None = field(default=None, init=False)
    _cache: AnswerCache = field(factory=AnswerCache, init=False)
    # The time at which rules that this worker has evaluated are due again; None when another worker evaluates them.
    _expected: datetime | None = field(default=None, init=False)

    async def run(self) -> None:
        """Evaluate due rules every few seconds until cancelled."""
        while True:
            try:
                while await self.work():
                    pass
            except StoreUnavailable:
                _log.warning("alert rules cannot be evaluated yet, the store is unavailable")
            await asyncio.sleep(POLL_SECONDS)

    async def work(self) -> int:
        """Evaluate what is due, each organization for a limited time, and return the number of rules looked at.

        Raises:
            StoreUnavailable: the store cannot be reached; the rest stays due.

        """
        alerts = self.directory.state.alerts
        if not alerts and not self._synced:
            return 0
        if alerts is self._synced and not await self._is_due():
            return 0
        async with self.watches.lock() as lent:
            if lent is None:
                self._expected = None
                return 0
            # Another worker may know more; with less, this one would set watches back.
            await self.directory.catch_up()
            alerts = self.directory.state.alerts
            if alerts is not self._synced or (self._again is not None and self.clock.now() >= self._again):
                self._again = await self._sync(alerts)
                self._synced = alerts
            return await self._evaluate_due()

    async def _is_due(self) -> bool:
        """Whether this worker should evaluate rules now."""
        now, expected = self.clock.now(), self._expected
        if await self.watches.due(now if expected else now - PATIENCE, limit=1):
            return True
        if expected and now >= expected:
            self._expected = None
        return False

    async def _sync(self, alerts: Mapping[str, SiteAlerts]) -> datetime | None:
        """Begin to watch rules that are new or changed, and forget those that are gone or not active.

        Returns when those are asked again whose former firings could not be ended; None when there are none.
        """
        revisions, now = await self.watches.revisions(), self.clock.now()
        present = {
            (int(site), rule.number): rule
            for site, alerts_of_site in alerts.items()
            for rule in alerts_of_site.rules.values()
            if rule.plan.active
        }
        gone = revisions.keys() - present.keys()
        changed = {key for key, rule in present.items() if revisions.get(key) != rule.revision}
        former = sorted(gone | (changed & revisions.keys()))
        waiting = {key: watch for key in former if (watch := await self._ended(key, now))}
        await self.watches.forget(sorted(gone - waiting.keys()))
        began = [
            self.follower.beginning(site_id, present[site_id, number], now)
            for site_id, number in sorted(changed - waiting.keys())
        ]
        await self.watches.save([watch for watch in [*began, *waiting.values()] if watch is not None])
        return now + RETRY if waiting else None

    async def _ended(self, key: tuple[int, int], now: datetime) -> Watch | None:
        """End what a rule told before it was changed, and return its watch if it has to wait for that."""
        site_id, number = key
        watch = (await self.watches.of_site(site_id)).get(number)
        # That of a site that was erased meanwhile is gone.
        return None if watch is None else await self.follower.end_changed(watch, now)

    async def _evaluate_due(self) -> int:
        now = self.clock.now()
        due = await self.watches.due(now)
        horizons = await self._horizons(due, now)
        away = await self._leave([watch for watch in due if watch.site_id not in horizons], now)
        ready = [
            watch for watch in due if watch.site_id in horizons and watch.due_at <= horizons[watch.site_id]
        ]
        if not ready:
            return away
        self._cache.forget(now)
        quiet = await self.activity.quiet(ready, horizons)
        one_round = Round(now=now, cache=self._cache, quiet_sites=quiet)
        taken = await take_turns(
            self._by_organization(ready),
            lambda watch: self.follower.follow(watch, horizons[watch.site_id], one_round),
            at_once=AT_ONCE,
            seconds=self.turn_seconds,
        )
        await self.watches.save(taken.results)
        self._expected = min((watch.due_at for watch in taken.results), default=None)
        for failure in taken.failures:
            raise failure
        return away + len(taken.results)

    async def _leave(self, watches: Sequence[Watch], now: datetime) -> int:
        """Let rules wait whose stores do not answer, and return how many they are."""
        if watches:
            _log.warning("alert rules wait for a store that does not answer", extra={"rules": len(watches)})
            await self.watches.save(
                [evolve(watch, due_at=now + RETRY, obstacle=STORE_AWAY) for watch in watches]
            )
        return len(watches)

    async def _horizons(self, due: Sequence[Watch], now: datetime) -> Mapping[int, datetime]:
        """Return until when hits that arrived are in the reports, for each site whose store answers.

        Each store is asked once, all of them at the same time.
        """
        cells = {watch.site_id: self.directory.cell_of(watch.site_id) for watch in due}
        one_of_each = {cell: site_id for site_id, cell in cells.items()}
        horizons = await asyncio.gather(*(self._horizon(site_id, now) for site_id in one_of_each.values()))
        reached = dict(zip(one_of_each, horizons, strict=True))
        return {site_id: horizon for site_id, cell in cells.items() if (horizon := reached[cell]) is not None}

    async def _horizon(self, site_id: int, now: datetime) -> datetime | None:
        try:
            async with asyncio.timeout(self.store_seconds):
                return now - timedelta(seconds=(await self.freshness.lag(site_id)).seconds)
        except (StoreUnavailable, TimeoutError):
            return None

    def _by_organization(self, watches: Sequence[Watch]) -> Iterable[Sequence[Watch]]:
        organizations: dict[str, list[Watch]] = {}
        for watch in watches:
            record = self.directory.site(str(watch.site_id))
            organizations.setdefault(record.site.organization_id if record else "", []).append(watch)
        return organizations.values()
