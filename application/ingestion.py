"""Ingestion: from tracking events as somebody sent them to hits in the traffic log, or to the reasons why not."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import evolve

from footfall.application.directory import Directory
from footfall.application.judgement import Judge, Sender
from footfall.application.keyring import Keyring
from footfall.application.limits import KnownLimits, describe_limit
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Clock, Intake, StoreUnavailable, Submission
from footfall.application.tracking import (
    EVENT_ID_RULE,
    JsonDecoder,
    TrackRequest,
    parse_track,
    valid_event_id,
)
from footfall.application.verdict import Answer, BatchAnswer, Verdict, counted
from footfall.domain.admission import Charge, Entry, Fate
from footfall.domain.api_key import ApiKey, digest_of
from footfall.domain.errors import Invalid
from footfall.domain.rate_limit import RateState, instant

MOST_IN_A_BATCH = 500

_STORED = Answer(verdict=Verdict.STORED)
_FATES = {
    Fate.STORED: _STORED,
    Fate.REPLAYED: Answer(verdict=Verdict.REPLAYED),
    Fate.KEY_REUSED: Answer(verdict=Verdict.KEY_REUSED),
    Fate.UNSTORABLE: Answer(verdict=Verdict.INVALID, form_errors=("The store cannot hold this event",)),
}
_UNAVAILABLE = Answer(verdict=Verdict.UNAVAILABLE)
_INVALID_KEY = Answer(verdict=Verdict.INVALID_KEY)
_SITE_NOT_FOUND = Answer(verdict=Verdict.SITE_NOT_FOUND)
_ACCESS_DENIED = Answer(verdict=Verdict.ACCESS_DENIED)


# The site that an event names (0: none that exists), and its entry or the answer that refuses it.
_Judged = tuple[int, Entry | Answer]


class Ingestion:
    """Decides about tracking events and brings the admitted ones to the intake; every one of them is counted."""

    def __init__(
        self,
        *,
        directory: Directory,
        keyring: Keyring,
        judge: Judge,
        intake: Intake,
        outcomes: Outcomes,
        limits: KnownLimits,
        clock: Clock,
        decode_json: JsonDecoder,
    ) -> None:
        self._directory = directory
        self._keyring = keyring
        self._judge = judge
        self._intake = intake
        self._outcomes = outcomes
        self._limits = limits
        self._clock = clock
        self._decode_json = decode_json

    async def track(self, payload: Mapping[str, Any], sender: Sender) -> Answer:
        """Return what became of the event of a decoded JSON object; when it is stored, it is durable."""
        now = self._clock.now()
        key: ApiKey | None = None
        try:
            request = self._parse(payload, sender)
            secret = _presented(sender.key, request.api_key)
            if secret is not None:
                key = await self._required_key(secret, now)
            site_id, result = await self._judged(request, sender, key, now)
            if key is not None:
                answer = await self._settle_vouched(result, key, now)
            elif isinstance(result, Entry):
                answer = await self._settle(result)
            else:
                answer = result
        except Invalid as refusal:
            site_id = self._named_site(payload)
            key = self._known_key(_presented(sender.key, payload.get("api_key")), now)
            answer = _invalid(refusal)
        except _KeyRefused:
            site_id, answer = self._named_site(payload), _INVALID_KEY
        except StoreUnavailable:
            site_id, answer = self._named_site(payload), _UNAVAILABLE
        if answer is not _STORED:
            self._outcomes.count(counted(site_id, answer.verdict), now)
        return answer if key is None else self._rated(answer, key, now)

    async def track_batch(self, payload: Mapping[str, Any], sender: Sender) -> BatchAnswer:
        """Return what became of each event of a decoded JSON object `{"events": [...]}`; a key is needed."""
        now = self._clock.now()
        secret = _presented(sender.key, payload.get("api_key"))
        events: list[Any] = [None]  # what cannot be read counts as one event
        try:
            events = _events(payload)
            key = await self._required_key(secret or "", now)
            answer = await self._track_all(events, sender, key, now)
        except Invalid as refusal:
            answer = BatchAnswer(refusal=_invalid(refusal))
        except _KeyRefused:
            answer = BatchAnswer(refusal=_INVALID_KEY)
        except StoreUnavailable:
            answer = BatchAnswer(refusal=_UNAVAILABLE)
        if answer.refusal is None:
            return answer
        for event in events:
            self._outcomes.count(counted(self._named_site(event), answer.refusal.verdict), now)
        return evolve(answer, rate=answer.rate or self._rate_of(secret, now))

    def malformed(self, sender: Sender) -> RateState | None:
        """Count a request whose body could not be read as an event, and return what is left to its sender's key."""
        now = self._clock.now()
        self._outcomes.count(counted(0, Verdict.INVALID), now)
        return self._rate_of(sender.key, now)

    def seconds_until_free(self, rate: RateState | None) -> int:
        """Return the whole seconds until something is given back to a key."""
        return 0 if rate is None else rate.reset(instant(self._clock.now()))

    async def _track_all(self, events: list[Any], sender: Sender, key: ApiKey, now: datetime) -> BatchAnswer:
        if rate := self._limits.rate_limited(key.key_id, now):
            return BatchAnswer(refusal=Answer(verdict=Verdict.RATE_LIMITED, rate=rate), rate=rate)
        # A name that came with the request is that of no event in it.
        unnamed = evolve(sender, idempotency_key=None)
        judged = [await self._judged_event(event, unnamed, key, now) for event in events]
        entries = tuple(result for _, result in judged if isinstance(result, Entry))
        admission = await self._intake.submit(Submission(entries, self._charge(key, now)))
        self._limits.rate_seen(key.key_id, admission.rate, now)
        if admission.rate_limited:
            refusal = Answer(verdict=Verdict.RATE_LIMITED, rate=admission.rate)
            return BatchAnswer(refusal=refusal, rate=admission.rate)
        fates = iter(admission.fates)
        results = tuple(
            self._answer(result, next(fates)) if isinstance(result, Entry) else result for _, result in judged
        )
        for (site_id, _), answer in zip(judged, results, strict=True):
            if answer.verdict is not Verdict.STORED:
                self._outcomes.count(counted(site_id, answer.verdict), now)
        return BatchAnswer(results=results, rate=self._limits.rate(key.key_id, now))

    async def _judged_event(self, event: Any, sender: Sender, key: ApiKey, now: datetime) -> _Judged:
        if not isinstance(event, dict):
            return 0, Answer(verdict=Verdict.INVALID, form_errors=("Event must be a JSON object",))
        try:
            request = parse_track(event, self._decode_json)
        except Invalid as refusal:
            return self._named_site(event), _invalid(refusal)
        return await self._judged(request, sender, key, now)

    async def _judged(
        self, request: TrackRequest, sender: Sender, key: ApiKey | None, now: datetime
    ) -> _Judged:
        # Nearly always the site is known here, and looking is cheaper than a coroutine that has nothing to wait for.
        listed = self._directory.site(request.site)
        if listed is None and request.site:
            listed = await self._directory.find_site(request.site)
        if listed is None:
            return 0, _SITE_NOT_FOUND
        site_id = listed.site.site_id
        if key is None:
            return site_id, await self._judge.unvouched(request, sender, listed, now)
        if self._directory.role(key.user_id, listed.site.organization_id) is None:
            return site_id, _ACCESS_DENIED
        return site_id, await self._judge.vouched(request, sender, listed, now)

    async def _settle(self, entry: Entry) -> Answer:
        """Let the store decide what only the store can know: quota, and what was there before."""
        # One with a name may have been stored before the month was full.
        if entry.idempotency is None and self._limits.over_limit(entry):
            return _over_limit(entry)
        admission = await self._intake.submit(Submission((entry,)))
        return self._answer(entry, admission.fates[0])

    async def _settle_vouched(self, result: Entry | Answer, key: ApiKey, now: datetime) -> Answer:
        """Let the store decide about the rate of a key, too."""
        if isinstance(result, Answer) and result.verdict in _BEFORE_THE_RATE_LIMIT:
            return result
        if rate := self._limits.rate_limited(key.key_id, now):
            return Answer(verdict=Verdict.RATE_LIMITED, rate=rate)
        charge = self._charge(key, now)
        if isinstance(result, Answer) and charge is None:
            return result
        entries = (result,) if isinstance(result, Entry) else ()
        admission = await self._intake.submit(Submission(entries, charge))
        self._limits.rate_seen(key.key_id, admission.rate, now)
        if admission.rate_limited:
            return Answer(verdict=Verdict.RATE_LIMITED, rate=admission.rate)
        return result if isinstance(result, Answer) else self._answer(result, admission.fates[0])

    def _answer(self, entry: Entry, fate: Fate) -> Answer:
        if fate is Fate.OVER_LIMIT:
            self._limits.quota_exhausted(entry)
            return _over_limit(entry)
        return _FATES[fate]

    def _charge(self, key: ApiKey, now: datetime) -> Charge | None:
        limit = self._limits.rate_limit
        return None if limit is None else Charge(key.key_id, limit, instant(now))

    def _rated(self, answer: Answer, key: ApiKey, now: datetime) -> Answer:
        return answer if answer.rate else evolve(answer, rate=self._limits.rate(key.key_id, now))

    def _parse(self, payload: Mapping[str, Any], sender: Sender) -> TrackRequest:
        if sender.idempotency_key is None or valid_event_id(sender.idempotency_key):
            return parse_track(payload, self._decode_json)
        faults = {"Idempotency-Key": [EVENT_ID_RULE]}
        try:
            parse_track(payload, self._decode_json)
        except Invalid as refusal:
            raise Invalid({**refusal.faults, **faults}, refusal.message, forms=refusal.forms) from None
        raise Invalid(faults, "Invalid payload")

    async def _required_key(self, secret: str, now: datetime) -> ApiKey:
        key = await self._keyring.find(secret, now)
        if key is None:
            raise _KeyRefused
        return key

    def _known_key(self, secret: str | None, now: datetime) -> ApiKey | None:
        key = None if secret is None else self._directory.key(digest_of(secret))
        return key if key is not None and key.valid_at(now) else None

    def _rate_of(self, secret: str | None, now: datetime) -> RateState | None:
        key = self._known_key(secret, now)
        return None if key is None else self._limits.rate(key.key_id, now)

    def _named_site(self, event: Any) -> int:
        """Return the site that a refused event names; 0 when there is none, without asking the store."""
        reference = event.get("site_id") if isinstance(event, dict) else None
        listed = self._directory.site(str(reference)) if isinstance(reference, str | int) else None
        return 0 if listed is None else listed.site.site_id


class _KeyRefused(Exception):
    pass


_BEFORE_THE_RATE_LIMIT = {Verdict.SITE_NOT_FOUND, Verdict.ACCESS_DENIED, Verdict.INVALID}


def _presented(header: str | None, body: Any) -> str | None:
    """Return the key of a request: the header's, an empty one too, else the one in the body."""
    if header is not None:
        return header
    return body if isinstance(body, str) and body else None


def _events(payload: Mapping[str, Any]) -> list[Any]:
    events = payload.get("events")
    if not isinstance(events, list) or not 1 <= len(events) <= MOST_IN_A_BATCH:
        fault = f"must be a list of 1 to {MOST_IN_A_BATCH} events"
        raise Invalid({"events": [fault]}, "Invalid payload")
    return events


def _invalid(refusal: Invalid) -> Answer:
    return Answer(verdict=Verdict.INVALID, field_errors=refusal.faults, form_errors=tuple(refusal.forms))


def _over_limit(entry: Entry) -> Answer:
    return Answer(verdict=Verdict.OVER_LIMIT, form_errors=(describe_limit(entry),))
