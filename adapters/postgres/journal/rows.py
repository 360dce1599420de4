"""Reading of events from rows of the table `event`; one that cannot be read stops none of the others."""

from typing import Any

import orjson

from footfall.application.journal.event_codec import EventCodec, SerializedEvent
from footfall.domain.event_stream import Unreadable


def read_event(codec: EventCodec, event_type: str, schema_version: int, text: str) -> Any:
    """Return the event whose data is the text of a JSON object, `Unreadable` when it cannot be read."""
    try:
        return codec.decode(SerializedEvent(event_type, schema_version, _decoded(text)))
    except Exception:  # noqa: BLE001 - one event must not keep the others from being read
        return Unreadable(event_type)


def _decoded(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        # The codec knows an erased event, and one from a newer version, by type and version alone.
        return None
