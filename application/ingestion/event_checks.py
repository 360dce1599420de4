"""The pipeline of tracking events: the checks and lookups that an event passes on its way into the log, in order."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from inspect import iscoroutinefunction
from typing import Any

from attrs import field, frozen

from footfall.application.access.key_lookup import ApiKeys
from footfall.application.ingestion.batch import MOST_IN_A_BATCH, batch_payloads
from footfall.application.ingestion.domain_check import domain_mismatch
from footfall.application.ingestion.draft import Draft
from footfall.application.ingestion.enrichment import Enrichment
from footfall.application.ingestion.idempotency_keys import idempotency_key
from footfall.application.ingestion.limit_cache import LimitCache, describe_limit
from footfall.application.ingestion.measures import host_and_path, measure_beside
from footfall.application.ingestion.payload_rules import (
    BATCH_KEY_RULE,
    EVENT_ID_RULE,
    JsonDecoder,
    TrackedType,
    parse_track,
    valid_batch_key,
    valid_event_id,
)
from footfall.application.ingestion.refused_bots import refused_bot_of
from footfall.application.ingestion.results import DROPPED, OF_ADMISSIONS, STORED, DropReason, TrackResult
from footfall.application.journal.directory import Directory
from footfall.application.journal.site_lookup import find_tracked_site
from footfall.application.ports.enrichment import (
    BotAddresses,
    Device,
    Geolocation,
    Location,
    Networks,
    UserAgents,
)
from footfall.application.ports.journal import StreamSetAside
from footfall.application.ports.traffic_log import Intake, PartialAdmission, Submission
from footfall.domain.exceptions import Invalid
from footfall.domain.number import number_errors
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.sites.user_signatures import is_signed, user_secret
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit
from footfall.domain.tracking.engagement import EngagementReport, MeasureType
from footfall.domain.tracking.event_time import is_timely
from footfall.domain.tracking.hit import HitType, LocatedBy

# An enumeration takes longer to name a member than a module to find one.
_ENGAGEMENT, _PERFORMANCE = MeasureType.ENGAGEMENT, HitType.PERFORMANCE
_SWITCHES: Mapping[TrackedType, str] = {
    HitType.PERFORMANCE: "web_vitals",
    HitType.ERROR: "track_errors",
    HitType.OUTBOUND: "track_outbound",
}

# A step returns the event, with its additions, or the reason why the event is dropped.
Passed = Draft | TrackResult
Step = Callable[[Draft], Passed] | Callable[[Draft], Coroutine[Any, Any, Passed]]


@frozen(kw_only=True)
class Pipeline:
    """The steps of single events and of batches, and the store at their end (docs/track/ingestion.md)."""

    directory: Directory
    api_keys: ApiKeys
    limits: LimitCache
    user_agents: UserAgents
    geolocation: Geolocation
    networks: Networks
    bot_addresses: BotAddresses
    countries_of_zones: Mapping[str, str]
    enrichment: Enrichment
    intake: Intake
    compile_patterns: PatternCompiler
    secret: bytes = field(repr=False)
    decode_json: JsonDecoder
    _event_steps: Sequence[tuple[Any, bool]] = field(init=False, repr=False)
    _batch_steps: Sequence[tuple[Any, bool]] = field(init=False, repr=False)

    @_event_steps.default
    def event_steps(self) -> Sequence[tuple[Any, bool]]:
        """Return the steps of an event, alone or in a batch."""
        return _prepared(
            self.parse,
            self.authenticate,
            self.find_site,
            self.check_membership,
            self.check_timestamp,
            self.check_rate_limit,
            self.describe_visitor,
            self.drop_bots,
            self.check_domain,
            self.drop_switched_off_types,
            self.drop_excluded_addresses,
            self.drop_excluded_user_agents,
            self.locate,
            self.drop_excluded_countries,
            self.locate_by_time_zone,
            self.check_signature,
            self.build_hit,
            self.drop_excluded_pages,
            self.check_monthly_limit,
        )

    @_batch_steps.default
    def batch_steps(self) -> Sequence[tuple[Any, bool]]:
        """Return the steps of the request that brings a batch, before those of its events."""
        return _prepared(self.parse_batch, self.require_key, self.authenticate, self.check_rate_limit)

    async def check(self, event: Draft) -> None:
        """Take an event through its steps, up to the one that drops it.

        Raises:
            StoreUnavailable: a step needs the store, which does not answer.

        """
        await _run(self._event_steps, event)

    async def check_batch(self, batch: Draft) -> None:
        """Take the request of a batch through its steps.

        Raises:
            StoreUnavailable: a step needs the store, which does not answer.

        """
        await _run(self._batch_steps, batch)

    async def store(self, request: Draft, events: Sequence[Draft]) -> list[TrackResult]:
        """Store the events of a request that passed, charge its key, and return the result of every event.

        The key is charged for a request whose events were all dropped, too. A request that the rate limit refuses is
        dropped as a whole.

        Raises:
            StoreUnavailable: nothing was stored.
            CommitUnknown: it is not known yet whether the events were stored.

        """
        pending = tuple([event.pending for event in events if event.dropped is None])
        if not pending and request.charge is None:
            return [event.dropped or STORED for event in events]
        admission = await self.intake.submit(Submission(pending, request.charge))
        if request.charge is not None:
            self.limits.record_rate(request.charge.key_id, admission.rate, request.received_at)
        if admission.rate_limited:
            request.dropped = TrackResult(reason=DropReason.RATE_LIMITED, rate=admission.rate)
            return [request.dropped] * len(events)
        if isinstance(admission, PartialAdmission):
            _mark_doubts(events, admission.in_doubt)
        outcomes = iter(admission.outcomes)
        return [event.dropped or self._stored(event.pending, next(outcomes)) for event in events]

    def _stored(self, pending: PendingHit, outcome: AdmissionOutcome) -> TrackResult:
        if outcome is AdmissionOutcome.OVER_LIMIT:
            self.limits.record_full_month(pending)
            return _over_limit(pending)
        return OF_ADMISSIONS[outcome]

    def parse(self, event: Draft) -> Passed:
        """Read the payload; all its errors are reported together."""
        if not isinstance(event.payload, dict):
            return TrackResult(reason=DropReason.INVALID, form_errors=("Event must be a JSON object",))
        field_errors = {}
        name = event.origin.idempotency_key
        if name is not None and event.batch is None and not valid_event_id(name):
            field_errors["Idempotency-Key"] = [EVENT_ID_RULE]
        try:
            event.request = parse_track(event.payload, self.decode_json)
        except Invalid as refusal:
            return _invalid({**refusal.field_errors, **field_errors}, refusal.form_errors)
        return _invalid(field_errors) if field_errors else event

    def parse_batch(self, batch: Draft) -> Passed:
        """Check the list of events and the name of the batch; the events themselves are read one by one."""
        field_errors = number_errors(
            {name: value for name, value in batch.payload.items() if name != "events"}
        )
        if not batch_payloads(batch.payload):
            field_errors["events"] = [f"must be a list of 1 to {MOST_IN_A_BATCH} events"]
        name = batch.origin.idempotency_key
        if name is not None and not valid_batch_key(name):
            field_errors["Idempotency-Key"] = [BATCH_KEY_RULE]
        return _invalid(field_errors) if field_errors else batch

    def require_key(self, batch: Draft) -> Passed:
        """Drop a batch without an API key; those of foreign protocols need none."""
        is_open = batch.secret is not None or batch.protocol is not None
        return batch if is_open else DROPPED[DropReason.INVALID_KEY]

    async def authenticate(self, event: Draft) -> Passed:
        """Find the API key, where there is one; an event in a batch has that of its request."""
        if event.batch is not None:
            event.key = event.batch.key
        elif (secret := event.secret) is not None:
            event.key = await self.api_keys.find(secret, event.received_at)
            if event.key is None:
                return DROPPED[DropReason.INVALID_KEY]
        return event

    async def find_site(self, event: Draft) -> Passed:
        """Find the site, in the journal too before a missing one is believed."""
        reference = event.request.site
        record = self.directory.site(reference)
        if record is None and reference:
            try:
                record = await find_tracked_site(self.directory, reference)
            except StreamSetAside:
                return DROPPED[DropReason.UNAVAILABLE]
        if record is None:
            return DROPPED[DropReason.SITE_NOT_FOUND]
        event.record = record
        return event

    def check_membership(self, event: Draft) -> Passed:
        """Drop events of a key whose owner may not send events to the site: strangers and viewers."""
        if event.key is None:
            return event
        role = self.directory.role_on(event.key.user_id, event.record.site)
        return event if role is not None and role.edits else DROPPED[DropReason.ACCESS_DENIED]

    def check_timestamp(self, event: Draft) -> Passed:
        """Drop events that a key dates too far ahead or behind; without a key the time is that of arrival."""
        at = event.request.timestamp
        if event.key is None or at is None or is_timely(at, event.received_at):
            return event
        return _invalid({"timestamp": ["must be at most 5 minutes ahead of the server and 30 days behind"]})

    def check_rate_limit(self, request: Draft) -> Passed:
        """Drop requests of a key that certainly has nothing left; the store decides about the others."""
        if request.key is None or request.batch is not None:
            return request
        if rate := self.limits.exhausted_rate(request.key.key_id, request.received_at):
            return TrackResult(reason=DropReason.RATE_LIMITED, rate=rate)
        request.charge = self.limits.charge(request.key.key_id, request.received_at)
        return request

    def describe_visitor(self, event: Draft) -> Passed:
        """Find out address, user agent and device; the body's address counts with a key only."""
        origin, request = event.origin, event.request
        event.address = origin.address if event.key is None else request.ip_address or origin.address
        event.user_agent = request.user_agent or origin.user_agent
        event.device = self.user_agents.parse(event.user_agent)
        # The user agent of a connection that is a program's describes no visitor.
        of_program = event.device.bot or event.device.browser is None
        if of_program and request.user_agent is None and (event.key is not None or event.is_of_server):
            event.user_agent = ""
            # A visitor without a user agent is a bot, also when a server tells of their request.
            event.device = self.user_agents.parse("") if request.judge_bots else Device()
        return event

    def drop_bots(self, event: Draft) -> Passed:
        """Drop bots, unless the site stores them; those of an authenticated event where its sender asks for that."""
        bot = event.device.bot_name
        if bot is None:
            return event
        if event.key is None or event.request.ip_address is not None:
            event.bot_verified = self.bot_addresses.verify(bot, event.address)
        is_vouched = event.key is not None and not event.request.judge_bots
        if is_vouched or not event.record.site.config.block_bots:
            return event
        event.refused_bot = refused_bot_of(event, bot, self.compile_patterns)
        return DROPPED[DropReason.BOT if event.key is None else DropReason.JUDGED_BOT]

    def check_domain(self, event: Draft) -> Passed:
        """Drop events without a key that come from elsewhere than the site's domain."""
        mismatch = None if event.key is not None else domain_mismatch(event)
        return TrackResult(reason=DropReason.DOMAIN, form_errors=(mismatch,)) if mismatch else event

    def drop_switched_off_types(self, event: Draft) -> Passed:
        """Drop events without a key of a type that the site does not collect."""
        switch = None if event.key is not None else _SWITCHES.get(event.request.type)
        if switch is None or getattr(event.record.site.config, switch):
            return event
        return DROPPED[DropReason.DISABLED]

    def drop_excluded_addresses(self, event: Draft) -> Passed:
        """Drop events from an address that the site excludes."""
        return DROPPED[DropReason.EXCLUDED_IP] if event.record.excludes_address(event.address) else event

    def drop_excluded_user_agents(self, event: Draft) -> Passed:
        """Drop events of a browser or program that the site excludes."""
        excluded = event.record.excludes_user_agent(event.user_agent, self.compile_patterns)
        return DROPPED[DropReason.EXCLUDED_USER_AGENT] if excluded else event

    def locate(self, event: Draft) -> Passed:
        """Find out where the address is, and whether it is one of servers; that of a sender with a key is its own.

        So is that of a server without a key. A measure has no place: only an excluded country is looked for.
        """
        if event.request.type is _ENGAGEMENT and not event.record.excluded_countries:
            event.location = Location()
            return event
        event.location = self.geolocation.locate(event.address)
        if event.location.country is not None:
            event.located_by = LocatedBy.DATABASE
        of_visitor = event.key is None and not event.is_of_server
        if of_visitor or event.request.ip_address is not None:
            event.network = self.networks.network(event.address)
        return event

    def drop_excluded_countries(self, event: Draft) -> Passed:
        """Drop events from a country that the site excludes."""
        country = event.location.country
        if country and country in event.record.excluded_countries:
            return DROPPED[DropReason.EXCLUDED_COUNTRY]
        return event

    def locate_by_time_zone(self, event: Draft) -> Passed:
        """Take the country of the browser's time zone where no location database is installed.

        It is what the browser says, so that it comes too late to exclude an event.
        """
        zone = event.request.time_zone
        if zone is not None and not self.geolocation.locates():
            country = self.countries_of_zones.get(zone)
            if country is not None:
                event.location, event.located_by = Location(country=country), LocatedBy.TIME_ZONE
        return event

    def check_signature(self, event: Draft) -> Passed:
        """Find out whether the backend of the site vouches for the user; a wrong signature is as good as none."""
        request, secrets = event.request, event.record.site.user_secrets
        if request.user_signature is not None and request.user_id is not None and secrets.is_valid:
            own = user_secret(self.secret, site_id=event.record.site.site_id, number=secrets.number)
            event.has_signed_user = is_signed(own, user_id=request.user_id, signature=request.user_signature)
        return event

    async def build_hit(self, event: Draft) -> Passed:
        """Build the hit, with the name by which it is stored once and the limit of its site; or the measure."""
        limit = event.record.site.monthly_limit
        if event.request.type is _ENGAGEMENT:
            measure = await self.enrichment.measure(event)
            if measure is None:
                return DROPPED[DropReason.NO_PAGEVIEW]
            # Totals change nothing when they are repeated: they need no name.
            name = idempotency_key(event, self.secret) if isinstance(measure, EngagementReport) else None
            event.pending = PendingHit(measure, name, limit)
            return event
        hit = await self.enrichment.hit(event)
        beside = measure_beside(event, self.secret) if event.request.type is _PERFORMANCE else None
        event.pending = PendingHit(hit, idempotency_key(event, self.secret), limit, beside)
        return event

    def drop_excluded_pages(self, event: Draft) -> Passed:
        """Drop events of a host or a path that the site excludes; they are compared as they would be stored."""
        record = event.record
        if not (record.site.config.excluded_hosts or record.site.config.excluded_paths):
            return event
        hostname, pathname = host_and_path(event)
        if record.excludes_host(hostname, self.compile_patterns):
            return DROPPED[DropReason.EXCLUDED_HOST]
        if record.excludes_path(pathname, self.compile_patterns):
            return DROPPED[DropReason.EXCLUDED_PATH]
        return event

    def check_monthly_limit(self, event: Draft) -> Passed:
        """Drop events of a site whose month is certainly full; the store decides about the others.

        An event with a name may have been stored before the month was full, and the store decides
        whether a request with a key is charged.
        """
        pending = event.pending
        if event.key is None and pending.idempotency is None and self.limits.month_is_full(pending):
            return _over_limit(pending)
        return event


def _mark_doubts(events: Sequence[Draft], in_doubt: Mapping[int, asyncio.Future[bool]]) -> None:
    submitted = [event for event in events if event.dropped is None]
    for index, committed in in_doubt.items():
        submitted[index].in_doubt = committed


async def _run(steps: Sequence[tuple[Any, bool]], draft: Draft) -> None:
    for step, waits in steps:
        passed = await step(draft) if waits else step(draft)
        if passed is not draft:
            draft.dropped = passed
            return


def _prepared(*steps: Step) -> Sequence[tuple[Any, bool]]:
    """Return each step with whether it is a coroutine function."""
    return [(step, iscoroutinefunction(step)) for step in steps]


def _invalid(field_errors: dict[str, list[str]], form_errors: Sequence[str] = ()) -> TrackResult:
    return TrackResult(reason=DropReason.INVALID, field_errors=field_errors, form_errors=tuple(form_errors))


def _over_limit(pending: PendingHit) -> TrackResult:
    return TrackResult(reason=DropReason.OVER_LIMIT, form_errors=(describe_limit(pending),))
