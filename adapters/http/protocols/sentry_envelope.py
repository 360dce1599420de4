"""Envelopes of Sentry SDKs: decompressed within a limit, of which events alone are read.

See docs/track/protocols/sentry.md.
"""

import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import brotli
import orjson
from attrs import field, frozen

from footfall.adapters.http.wire.bodies import MAX_ENVELOPE

# SDKs send up to 100 sessions at once, and what they report of themselves beside them.
MOST_ITEMS = 200
LONGEST_HEADER = 16 * 1024

EVENT = "event"
# What of an envelope is not kept, by the types of its items.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        **{
            kind: kind
            for kind in ("transaction", "span", "attachment", "client_report", "check_in", "feedback", "log", "profile")
        },
        **dict.fromkeys(("session", "sessions"), "session"),
        **dict.fromkeys(("replay_event", "replay_recording", "replay_video"), "replay"),
        **dict.fromkeys(("statsd", "metric_buckets", "trace_metric"), "metric"),
        "otel_log": "log",
        "profile_chunk": "profile",
        "user_report": "feedback",
    }
)  # fmt: skip
OTHER = "other"

# Zlib finds out itself whether it is the form of gzip or its own.
_EITHER = zlib.MAX_WBITS | 32
_PLAIN = frozenset({"", "identity"})
_EVENT_ID = re.compile(r"[0-9a-f]{32}")
_NEW_LINE = b"\n"
_NEW_LINES = re.compile(rb"\n*")


class UnreadableEnvelope(ValueError):
    """The body is none of this protocol; the text says why."""


class UnknownEncoding(ValueError):
    """The body is compressed in another way than gzip, deflate and Brotli."""


class TooLarge(ValueError):
    """The body has more than 1 MiB without its compression."""


@frozen(repr=False)
class Envelope:
    """The text of the event of an envelope, if any, the id in its header, and the kinds of items that are not kept."""

    event: bytes | None = None
    event_id: str | None = None
    ignored: Sequence[str] = field(factory=tuple)

    def opened(self) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return the event, decoded, and its id; that in the header takes precedence.

        Raises:
            Unreadable: the event is no JSON object, or its id is none.

        """
        event = None if self.event is None else _object(self.event, EVENT)
        return event, self.event_id or _event_id(event or {})


def decompressed(body: bytes, encoding: str | None) -> bytes:
    """Return a body without the compression that its header names, of which little more than 1 MiB is ever read.

    Brotli takes up to 20 MiB of memory for that, as it looks back that far.

    Raises:
        UnknownEncoding: it is neither gzip, deflate nor Brotli.
        TooLarge: it has more than 1 MiB.
        Unreadable: it is not in this form, or not whole.

    """
    named = (encoding or "").strip().lower()
    if named in _PLAIN:
        return body
    if named not in _READERS:
        raise UnknownEncoding
    try:
        plain, is_whole = _READERS[named](body)
    except (zlib.error, brotli.error):
        raise UnreadableEnvelope("failed to decode the compressed body") from None
    if len(plain) > MAX_ENVELOPE:
        raise TooLarge
    if not is_whole:
        raise UnreadableEnvelope("the compressed body does not end where it should")
    return plain


def _inflated(body: bytes) -> tuple[bytes, bool]:
    """Return the beginning of what a body holds, and whether the body ends there."""
    reader = zlib.decompressobj(_EITHER)
    plain = reader.decompress(body, MAX_ENVELOPE + 1)
    return plain, reader.eof and not reader.unused_data


def _without_brotli(body: bytes) -> tuple[bytes, bool]:
    """Do the same with Brotli, in which Sentry's SDK for Python compresses where it finds that package."""
    reader = brotli.Decompressor()
    return reader.process(body, output_buffer_limit=MAX_ENVELOPE + 1), reader.is_finished()


_READERS: Mapping[str, Callable[[bytes], tuple[bytes, bool]]] = {
    **dict.fromkeys(("gzip", "x-gzip", "deflate"), _inflated),
    "br": _without_brotli,
}


def read_event(body: bytes) -> Envelope:
    """Return the event of the older endpoint, which is sent without an envelope."""
    return Envelope(body)


def read_envelope(body: bytes) -> Envelope:
    """Return an envelope, of which the headers alone are decoded.

    Raises:
        Unreadable: a header is no JSON object or too long, lengths disagree, or there is more than one event.

    """
    header, at = _header(body, 0, "envelope header")
    events: list[bytes] = []
    ignored: list[str] = []
    while (at := _past_blank_lines(body, at)) < len(body):
        if len(events) + len(ignored) == MOST_ITEMS:
            raise UnreadableEnvelope(f"an envelope has at most {MOST_ITEMS} items")
        kind, begin, end = _item(body, at)
        if kind == EVENT:
            events.append(body[begin:end])
        else:
            ignored.append(KINDS.get(kind, OTHER))
        at = end
    if len(events) > 1:
        raise UnreadableEnvelope("an envelope has at most one event")
    return Envelope(events[0] if events else None, _event_id(header), ignored)


def _item(body: bytes, at: int) -> tuple[str, int, int]:
    """Return the type of the item at a place, and where its content begins and ends."""
    header, begin = _header(body, at, "item header")
    kind, length = header.get("type"), header.get("length")
    if not isinstance(kind, str):
        raise UnreadableEnvelope("an item header has no type")
    if length is None:
        end = body.find(_NEW_LINE, begin)
        return kind, begin, len(body) if end < 0 else end
    if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length <= len(body) - begin:
        raise UnreadableEnvelope("the length of an item is not that of its content")
    end = begin + length
    if body[end : end + 1] not in (b"", _NEW_LINE):
        raise UnreadableEnvelope("an item does not end with its line")
    return kind, begin, end


def _header(body: bytes, at: int, name: str) -> tuple[dict[str, Any], int]:
    """Return the object on the line at a place, and where the next line begins."""
    end = body.find(_NEW_LINE, at, at + LONGEST_HEADER + 1)
    if end < 0:
        end = len(body)
    if end - at > LONGEST_HEADER:
        raise UnreadableEnvelope(f"the {name} has more than {LONGEST_HEADER:,} bytes")
    return _object(body[at:end], name), min(end + 1, len(body))


def _past_blank_lines(body: bytes, at: int) -> int:
    lines = _NEW_LINES.match(body, at)
    return at if lines is None else lines.end()


def _object(text: bytes, name: str) -> dict[str, Any]:
    """Return the object of a text in JSON, with halves of surrogate pairs and whatever numbers Python reads."""
    try:
        try:
            decoded = orjson.loads(text)
        except orjson.JSONDecodeError:
            # SDKs cut texts, also in the middle of a character. The digits of numbers, of which few are read, are not
            # counted here: for half a million of them that takes 0.2 s instead of 0.04 s.
            decoded = json.loads(text)
    except (ValueError, RecursionError):
        decoded = None
    if not isinstance(decoded, dict):
        raise UnreadableEnvelope(f"the {name} is no JSON object")
    return decoded


def _event_id(named: Mapping[str, Any]) -> str | None:
    """Return the id in its form without hyphens.

    Raises:
        Unreadable: it is no UUID.

    """
    value = named.get("event_id")
    if value is None:
        return None
    text = value.replace("-", "").lower() if isinstance(value, str) else ""
    if _EVENT_ID.fullmatch(text) is None:
        raise UnreadableEnvelope("event_id must be a UUID")
    return text
