"""Makes rows of files and fresh rows: the CSV of the store, and the columns that DuckDB computes from it."""

from collections.abc import Mapping
from pathlib import Path

from footfall.adapters.columns.sql_files import compose
from footfall.domain.traffic.filters import SESSION_PARAMETERS
from footfall.domain.traffic.session import SESSION_ATTRIBUTES
from footfall.domain.traffic.web_vitals import (
    CLASS_STEPS,
    CLASSES_OF_A_STEP,
    LARGEST,
    METRICS,
    NEXT_STEP_FROM,
    RESOLUTION,
)

# A line holds at most an event: its texts, doubled where they consist of quotes, and twice what it has of properties.
_LONGEST_LINE = 4 << 20
READ_BUFFER = 8 << 20

_COUNTS = ("pageviews", "custom_events", "performance_measures", "outbound_clicks", "errors")

Columns = Mapping[str, str]

SESSION_COLUMNS: Columns = {
    **dict.fromkeys(("session_id", "visitor_id", "signed_visitor_id"), "BIGINT"),
    **dict.fromkeys(("started_at", "ended_at"), "TIMESTAMPTZ"),
    **dict.fromkeys(_COUNTS, "INTEGER"),
    **dict.fromkeys(SESSION_ATTRIBUTES, "VARCHAR"),
}
HIT_COLUMNS: Columns = {
    **dict.fromkeys(("position", "visitor_id"), "BIGINT"),
    "occurred_at": "TIMESTAMPTZ",
    "type": "VARCHAR",
    **dict.fromkeys(("pathname", "page_title", "event_name", "querystring", "release"), "VARCHAR"),
    "screen_width": "DOUBLE",
    **dict.fromkeys(METRICS, "DOUBLE"),
    **dict.fromkeys(("url", "error_message", "properties_json", "properties", "measures"), "VARCHAR"),
}


def has_columns(path: Path, columns: Columns) -> bool:
    """Return whether a CSV file of the store has these columns, in this order."""
    with path.open("rb") as file:
        return file.readline().decode().rstrip("\n").split(",") == list(columns)


def csv_rows(buffer: int = READ_BUFFER) -> str:
    """Return the relation of a CSV file of the store: its parameters are `path` and `columns`."""
    return compose("making/csv", longest=str(_LONGEST_LINE), buffer=str(buffer))


def hits(placed: str) -> str:
    """Return the query of the hits with the attributes of their sessions, from a query of those with sessions."""
    attributes = ", ".join(f"session.{name} as session_{name}" for name in SESSION_PARAMETERS)
    return compose("making/hits", placed=placed, attributes=attributes)


def measures() -> str:
    """Return the statements that make the functions by which measures are classed."""
    # With an exponent DuckDB reads a number as a double.
    limits = [f"when measure < {limit}e0 then {step}" for step, limit in enumerate(NEXT_STEP_FROM)]
    below = limits[: len(CLASS_STEPS) - 1]
    return compose(
        "making/measures",
        largest=str(LARGEST),
        resolution=str(RESOLUTION),
        branches=" ".join((*below, f"else {len(below)}")),
        classes=str(CLASSES_OF_A_STEP),
        widths=str(list(CLASS_STEPS)),
    )
