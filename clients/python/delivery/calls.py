"""Opens and checks a call before it is sent, for every client."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any
from uuid import uuid4

from attrs import frozen

from footfall.client.delivery.call_ledger import CallLedger
from footfall.client.delivery.pending_call import PendingCall
from footfall.client.errors import ClientClosed, FootfallError, InvalidEvent, QueueFull
from footfall.client.event.events import Events
from footfall.client.event.payload import TrackingEvent, instant
from footfall.client.options import Settings

# A mistake in code that every request runs must not use up the rate limit, which pageviews need.
MOST_ERRORS = 100
_SPAN = 60.0
Build = Callable[[Events], TrackingEvent]

log = logging.getLogger("footfall.client")


class Calls:
    """Opens a pending call for each call of the client; an invalid one is settled at once."""

    def __init__(
        self, settings: Settings, ledger: CallLedger, stamp: Callable[[str], Mapping[str, Any]]
    ) -> None:
        self.closed = False
        self._events = Events(str(settings.site_id), settings.sent_defaults, settings.environment)
        self._errors = 0
        self._errors_since = -_SPAN
        self._ledger = ledger
        self._stamp = stamp
        if settings.debug:
            _show_log()

    def open(self, build: Build) -> PendingCall:
        """Open the call of an event."""
        call = self._ledger.add()
        try:
            event = self._built(build)
        except FootfallError as error:
            self._ledger.settle(call, error)
        else:
            event_id = event.get("event_id") or str(uuid4())
            call.carry(event, event_id, {**self._stamp(event_id), **event})
            log.debug("%s %s", event_id, _Shown(event))
        return call

    def _built(self, build: Build) -> TrackingEvent:
        if self.closed:
            raise ClientClosed("The client is closed")
        try:
            return build(self._events)
        except FootfallError:
            raise
        except Exception as fault:
            # An argument failed when it was read, such as a mapping that the caller wrote.
            raise InvalidEvent("The event cannot be read") from fault

    def admit_error(self) -> None:
        """Count an error.

        Raises:
            QueueFull: there were too many in the last minute.

        """
        if (now := monotonic()) - self._errors_since >= _SPAN:
            self._errors, self._errors_since = 0, now
        self._errors += 1
        if self._errors > MOST_ERRORS:
            raise QueueFull(f"More than {MOST_ERRORS} errors in a minute")


def no_stamp(_event_id: str) -> Mapping[str, Any]:
    """Add no field: an event sent at once has its key in a header, and the time of its arrival."""
    return {}


def late_stamp(event_id: str) -> Mapping[str, Any]:
    """Add the id and the time of an event that is sent later, in a batch."""
    return {"event_id": event_id, "timestamp": instant(datetime.now(UTC))}


def _show_log() -> None:
    log.setLevel(logging.DEBUG)
    if not log.hasHandlers():
        log.addHandler(logging.StreamHandler())


@frozen
class _Shown:
    """An event as a line of the log without its address, formatted only when the log is on."""

    _event: TrackingEvent

    def __str__(self) -> str:
        return json.dumps({name: value for name, value in self._event.items() if name != "ip_address"})
