"""What every client does with a call before anything is sent."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from footfall.client.entry import Entry
from footfall.client.errors import ClientClosed, FootfallError
from footfall.client.ledger import Ledger
from footfall.client.options import Settings
from footfall.client.payload import Payload, Properties, TrackingEvent, custom_event, pageview

log = logging.getLogger("footfall.client")


class Calls:
    """Opens an entry for each call; one that cannot be sent is settled at once."""

    def __init__(self, settings: Settings, ledger: Ledger, stamp: Callable[[str], Mapping[str, Any]]) -> None:
        self.closed = False
        self._site_id = str(settings.site_id)
        self._ledger = ledger
        self._stamp = stamp
        if settings.debug:
            _show_log()

    def pageview(self, payload: Payload | None) -> Entry:
        """Open the entry of a pageview."""
        return self._open(lambda: pageview(self._site_id, payload))

    def event(self, name: str, payload: Payload | None, properties: Properties | None) -> Entry:
        """Open the entry of a custom event."""
        return self._open(lambda: custom_event(self._site_id, name, payload, properties))

    def _open(self, build: Callable[[], TrackingEvent]) -> Entry:
        entry = self._ledger.add()
        try:
            if self.closed:
                raise ClientClosed("The client is closed")
            event = build()
        except FootfallError as error:
            self._ledger.settle(entry, error)
        else:
            event_id = str(uuid4())
            entry.carry(event, event_id, self._stamp(event_id))
            log.debug("%s %s", event_id, _Shown(event))
        return entry


def no_stamp(_event_id: str) -> Mapping[str, Any]:
    """Add nothing: the key travels in a header and the service's clock is right for what is sent at once."""
    return {}


def late_stamp(event_id: str) -> Mapping[str, Any]:
    """Add what an event needs that is sent later than it happened, and together with others."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"event_id": event_id, "timestamp": now.replace("+00:00", "Z")}


def _show_log() -> None:
    log.setLevel(logging.DEBUG)
    if not log.hasHandlers():
        log.addHandler(logging.StreamHandler())


class _Shown:
    """An event as a line of the log, made only when somebody reads it; never with an address."""

    def __init__(self, event: TrackingEvent) -> None:
        self._event = event

    def __str__(self) -> str:
        return json.dumps({name: value for name, value in self._event.items() if name != "ip_address"})
