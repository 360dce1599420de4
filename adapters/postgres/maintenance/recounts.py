"""What is counted anew when some events of a site are erased: by retention, or with an import that is taken back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

# Rows whose sessions are gone.
ERRORS: Sequence[str] = ("recounts/erase_error_occurrences", "recounts/erase_error_sightings")

# Messages of errors, some at a time, up to the moment `before`. Each step reads the result of the step before it.
MESSAGES: Sequence[str] = (
    "recounts/erase_error_sessions",
    "recounts/erase_error_buckets",
    "recounts/count_error_buckets",
    "recounts/erase_error_messages",
    "recounts/count_error_messages",
    "recounts/erase_error_spans",
    "recounts/count_error_days",
    "recounts/count_error_spans",
)

# The sums of a span, after its sessions and messages are right.
SUMS: Sequence[str] = (
    "recounts/erase_traffic_buckets",
    "recounts/count_traffic_buckets",
    "recounts/erase_conversion_buckets",
    "recounts/count_conversion_buckets",
    "recounts/erase_conversion_days",
    "recounts/count_conversion_days",
)

_DAY = timedelta(days=1)
_WITHOUT_BEGINNING = "-infinity"


def span(since: datetime | None, until: datetime, *, day_end: datetime) -> dict[str, Any]:
    """Return a span, from before all events without `since`, as parameters; its last day ends at `day_end`."""
    return {
        "since": since or _WITHOUT_BEGINNING,
        "until": until,
        "day_before": since - _DAY if since else _WITHOUT_BEGINNING,
        "day_end": day_end,
        "day_after": day_end + _DAY,
    }
