"""Alerts in memory: where rules stand, the addresses of targets, the queue of requests, and series."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import define, evolve, field, frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.alerts.watches import Watch
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    RequestState,
    StoredAddress,
    TargetAddress,
    WebhookRequest,
)
from footfall.application.ports.journal import Metadata
from footfall.domain.alerts.window_values import first_conversions, largest_paints
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.traffic.report_query import ReportQuery


@define
class MemoryAlertWatches:
    """AlertWatches over a dict; one worker at a time holds its lock."""

    _watches: dict[tuple[int, int], Watch] = field(factory=dict, init=False)
    _lock: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def due(self, now: datetime, *, limit: int | None = None) -> Sequence[Watch]:
        """Return the watches that are due."""
        due = [watch for watch in self._watches.values() if watch.due_at <= now]
        return sorted(due, key=lambda watch: (watch.due_at, watch.site_id, watch.rule))[:limit]

    async def revisions(self) -> Mapping[tuple[int, int], int]:
        """Return the revision that each watched rule stands at."""
        return {place: watch.revision for place, watch in self._watches.items()}

    async def save(self, watches: Sequence[Watch]) -> None:
        """Store watches."""
        self._watches |= {(watch.site_id, watch.rule): watch for watch in watches}

    async def forget(self, rules: Sequence[tuple[int, int]]) -> None:
        """Forget the watches of rules."""
        for place in rules:
            self._watches.pop(place, None)

    async def of_site(self, site_id: int) -> Mapping[int, Watch]:
        """Return the watches of a site by the numbers of the rules."""
        return {rule: watch for (site, rule), watch in self._watches.items() if site == site_id}

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[object | None]:
        """Lend the lock."""
        if self._lock.locked():
            yield None
            return
        async with self._lock:
            yield self


@define
class MemoryWebhooks:
    """TargetAddresses and WebhookQueue over dicts."""

    _journal: MemoryEventStore = field(factory=MemoryEventStore)
    addresses: dict[tuple[int, int], TargetAddress] = field(factory=dict, init=False, repr=False)
    requests: dict[str, WebhookRequest] = field(factory=dict, init=False)
    _states: dict[str, RequestState] = field(factory=dict, init=False)
    _due: dict[str, datetime] = field(factory=dict, init=False)

    async def add(
        self, site_id: int, target: int, address: TargetAddress, added: StreamAppend, metadata: Metadata
    ) -> None:
        """Store the address of a new target."""
        await self._journal.append_all(added, metadata)
        self.addresses[site_id, target] = address

    async def remove(self, site_id: int, target: int, removed: StreamAppend, metadata: Metadata) -> None:
        """Forget the address of a target and the requests to it."""
        await self._journal.append_all(removed, metadata)
        self.addresses.pop((site_id, target), None)
        for key in list(self.requests):
            if self._place(key) == (site_id, target):
                self._forget(key)

    async def enqueue(self, request: WebhookRequest, *, at: datetime) -> None:
        """Store a request unless its key is there."""
        if request.key not in self.requests:
            self.requests[request.key] = request
            self._states[request.key] = RequestState(outcome="waiting", queued_at=at, attempts=0)
            self._due[request.key] = at

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a request is due."""
        return any(at <= now and not self._is_held(key) for key, at in self._due.items())

    async def claim(
        self, now: datetime, *, until: datetime, limit: int, without: Collection[int] = ()
    ) -> Sequence[DueRequest]:
        """Return due requests, which are due again at a time."""
        first: dict[int, str] = {}
        for key, at in sorted(self._due.items(), key=lambda item: (item[1], item[0])):
            if at <= now and self.requests[key].site_id not in without and not self._is_held(key):
                first.setdefault(self.requests[key].site_id, key)
        chosen = list(first.values())[:limit]
        self._due |= dict.fromkeys(chosen, until)
        due = [self._due_request(key) for key in chosen]
        return sorted(due, key=lambda request: (request.queued_at, request.request.key))

    async def record_delivered(self, key: str, *, at: datetime) -> None:
        """Store that the target accepted a request."""
        self._finish(key, "delivered", at, None)

    async def postpone(self, key: str, *, until: datetime, reason: str) -> None:
        """Store a failed attempt."""
        if key in self._due:
            self._due[key] = until
            state = self._states[key]
            self._states[key] = evolve(state, attempts=state.attempts + 1, reason=reason)

    async def give_up(self, key: str, *, at: datetime, reason: str) -> None:
        """Store that a request is not tried any more."""
        self._finish(key, "given-up", at, reason)

    async def latest(self, site_id: int) -> Mapping[int, RequestState]:
        """Return the latest request to each target of a site."""
        latest: dict[int, RequestState] = {}
        by_time = sorted(self._states.items(), key=lambda item: item[0], reverse=True)
        for key, state in sorted(by_time, key=lambda item: item[1].queued_at):
            if self.requests[key].site_id == site_id:
                latest[self.requests[key].target] = state
        return latest

    async def forget_finished(self, *, delivered_before: datetime, given_up_before: datetime) -> None:
        """Forget old requests, but for the latest to each target if it was delivered."""
        old = [
            key
            for key, state in self._states.items()
            if (at := state.finished_at) is not None
            and (
                at < given_up_before
                if state.outcome == "given-up"
                else at < delivered_before and self._is_followed(key)
            )
        ]
        for key in old:
            self._forget(key)

    async def read(self) -> Sequence[StoredAddress]:
        """Return all addresses."""
        return [StoredAddress(*place, address) for place, address in sorted(self.addresses.items())]

    def _due_request(self, key: str) -> DueRequest:
        request, state = self.requests[key], self._states[key]
        address = self.addresses.get((request.site_id, request.target), TargetAddress(""))
        former = self._states.get(request.after or "")
        return DueRequest(
            request=request,
            address=address,
            queued_at=state.queued_at,
            attempts=state.attempts,
            former_failure=former.reason if former is not None and former.outcome == "given-up" else None,
        )

    def _is_held(self, key: str) -> bool:
        return self.requests[key].after in self._due

    def _is_followed(self, key: str) -> bool:
        """Whether its target had a request after this one."""
        place, at = self._place(key), self._states[key].queued_at
        return any(
            self._place(other) == place and state.queued_at > at for other, state in self._states.items()
        )

    def _place(self, key: str) -> tuple[int, int]:
        return self.requests[key].site_id, self.requests[key].target

    def _finish(self, key: str, outcome: str, at: datetime, reason: str | None) -> None:
        if key in self._states:
            self._due.pop(key, None)
            attempts = self._states[key].attempts + 1
            self._states[key] = evolve(
                self._states[key], outcome=outcome, finished_at=at, attempts=attempts, reason=reason
            )

    def _forget(self, key: str) -> None:
        for table in (self.requests, self._states, self._due):
            table.pop(key, None)


@frozen
class MemoryWindowReports:
    """WindowReports: the functions of the domain over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def first_conversions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[int]:
        """Return the sessions that converted for the first time, by bucket."""
        return first_conversions(
            goal.rule, self._log.hits_of(site_id), query.period, size, zone, query.filters
        )

    async def paints(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[float | None]:
        """Return the 75th percentile of the measures of LCP, by bucket."""
        return largest_paints(self._log.hits_of(site_id), query.period, size, zone, query.filters)
