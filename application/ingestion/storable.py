"""Which decoded JSON values can be stored as properties (docs/track/ingestion.md#payload)."""

import math
from typing import Any

from footfall.domain.text import text_fault

MAX_ERROR_PROPERTIES = 65_536
MAX_DEPTH = 64


def unstorable(value: Any) -> str | None:
    """Say why a decoded JSON value cannot be stored, or None; PostgreSQL's jsonb knows no NUL and no infinity."""
    level = [value]
    for _ in range(MAX_DEPTH):
        if fault := next((fault for part in level if (fault := _scalar_error(part))), None):
            return fault
        level = [part for container in level for part in _parts(container)]
        if not level:
            return None
    return f"must not be nested more than {MAX_DEPTH} levels"


def _scalar_error(value: Any) -> str | None:
    if isinstance(value, str):
        return text_fault(value, maximum=MAX_ERROR_PROPERTIES)
    if isinstance(value, float) and not math.isfinite(value):
        return "must not contain numbers that are too large"
    return None


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []
