"""Opens and checks a call before it is sent, for every client."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from attrs import frozen

from footfall.client.delivery.call_ledger import CallLedger
from footfall.client.delivery.pending_call import PendingCall
from footfall.client.errors import ClientClosed, FootfallError
from footfall.client.event.payload import Payload, Properties, TrackingEvent, custom_event, pageview
from footfall.client.options import Settings

log = logging.getLogger("footfall.client")


class Calls:
    """Opens a pending call for each call of the client; an invalid one is settled at once."""

    def __init__(
        self, settings: Settings, ledger: CallLedger, stamp: Callable[[str], Mapping[str, Any]]
    ) -> None:
        self.closed = False
        self._site_id = str(settings.site_id)
        self._ledger = ledger
        self._stamp = stamp
        if settings.debug:
            _show_log()

    def pageview(self, payload: Payload | None, properties: Properties | None) -> PendingCall:
        """Open the call of a pageview."""
        return self._open(lambda: pageview(self._site_id, payload, properties))

    def event(self, name: str, payload: Payload | None, properties: Properties | None) -> PendingCall:
        """Open the call of a custom event."""
        return self._open(lambda: custom_event(self._site_id, name, payload, properties))

    def _open(self, build: Callable[[], TrackingEvent]) -> PendingCall:
        call = self._ledger.add()
        try:
            if self.closed:
                raise ClientClosed("The client is closed")
            event = build()
        except FootfallError as error:
            self._ledger.settle(call, error)
        else:
            event_id = str(uuid4())
            call.carry(event, event_id, self._stamp(event_id))
            log.debug("%s %s", event_id, _Shown(event))
        return call


def no_stamp(_event_id: str) -> Mapping[str, Any]:
    """Add no field: an event sent at once has its key in a header, and the time of its arrival."""
    return {}


def late_stamp(event_id: str) -> Mapping[str, Any]:
    """Add the id and the time of an event that is sent later, in a batch."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"event_id": event_id, "timestamp": now.replace("+00:00", "Z")}


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
