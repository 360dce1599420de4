"""Batches: how many events one request may bring (docs/track/ingestion.md#batches)."""

from typing import Any

MOST_IN_A_BATCH = 500


def batch_payloads(payload: Any) -> list[Any]:
    """Return the events of a batch; none when there are too many, or anything else than a list."""
    events = payload.get("events")
    return events if isinstance(events, list) and len(events) <= MOST_IN_A_BATCH else []
