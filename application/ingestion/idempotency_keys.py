"""Idempotency: the name by which an event is stored once, and the digest by which its repetition is recognized."""

import hashlib
import json
from operator import attrgetter

from attrs import fields

from footfall.application.ingestion.draft import Draft
from footfall.application.ingestion.payload_rules import TrackRequest
from footfall.domain.tracking.idempotency import IdempotencyKey, name_in_batch

# Separates these digests from visitor hashes, which have the same key.
_PERSON = b"idempotency"
# The site is part of the name, however it is written. What a browser says of its driver and its time zone, and what it
# reports of a page, is no content, nor is a signature or a wish about bots: so an event and its repetition after an
# upgrade are one. To read the values by name and to encode them as a list takes a tenth of the time that a dict of them
# takes.
_NO_CONTENT = frozenset(
    {
        *("api_key", "event_id", "site", "time_zone", "user_signature", "webdriver", "judge_bots"),
        *("pageview_id", "engaged_ms", "scroll_percent"),
    }
)
_encode = json.JSONEncoder(sort_keys=True, default=str).encode  # made anew by each call of `dumps`
_CONTENT = attrgetter(*(field.name for field in fields(TrackRequest) if field.name not in _NO_CONTENT))


def idempotency_key(event: Draft, secret: bytes) -> IdempotencyKey | None:
    """Return the name of an event with its fingerprint; None when its sender gives it no name."""
    in_header, own = event.origin.idempotency_key, event.request.event_id
    name = in_header or own
    if event.batch is not None and in_header is not None:
        name = own or name_in_batch(in_header, event.number)
    if name is None:
        return None
    return IdempotencyKey(event.record.site.site_id, name, fingerprint(event.request, secret))


def fingerprint(request: TrackRequest, secret: bytes) -> bytes:
    """Return a digest of the content of an event, the same however it was written or delivered.

    It is keyed with the server's secret: an event contains addresses and user agents, which can be guessed from an
    unkeyed digest.
    """
    text = _encode(_CONTENT(request))
    return hashlib.blake2b(text.encode(), digest_size=16, key=secret[:64], person=_PERSON).digest()
