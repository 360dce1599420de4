"""The history of a stream for people: who, when, what changed; secrets are never in it."""

from typing import Any

from attrs import fields, has

from footfall.application.journal import EVENT_TYPES
from footfall.application.ports import RecordedEvent

_NAMES = {event_type: name for name, event_type in EVENT_TYPES.items()}


def describe(recorded: RecordedEvent) -> dict[str, Any]:
    """Return one event as a row: version, time, type, who caused it, and its data without secrets."""
    return {
        "version": recorded.version,
        "at": recorded.metadata.recorded_at.isoformat(),
        "type": _NAMES[type(recorded.event)],
        "userId": recorded.metadata.actor.user_id,
        "keyPrefix": recorded.metadata.actor.key_prefix,
        "requestId": recorded.metadata.request_id,
        "data": _shown(recorded.event),
    }


def _shown(value: Any) -> Any:
    if not has(type(value)):
        return list(value) if isinstance(value, tuple) else value
    shown = {}
    for attribute in fields(type(value)):
        part = getattr(value, attribute.name)
        # What has no place in a repr is a secret; None in a set of changes is what did not change.
        if attribute.repr is not False and part is not None:
            shown[attribute.name] = _shown(part)
    return shown
