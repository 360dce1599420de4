"""Makes rows of files and fresh rows: the CSV of the store, and the columns that DuckDB computes from it."""

from collections.abc import Mapping
from pathlib import Path

from footfall.adapters.columns.sql_files import compose, over, select
from footfall.domain.traffic.filters import SESSION_PARAMETERS
from footfall.domain.traffic.session import SESSION_ATTRIBUTES
from footfall.domain.traffic.web_vitals import METRICS

# A line holds at most an event: its texts, doubled where they consist of quotes, and twice what it has of properties.
LONGEST_LINE = 4 << 20
READ_BUFFER = 8 << 20

# How many hits a session has, by type.
COUNTS = ("pageviews", "custom_events", "performance_measures", "outbound_clicks", "errors")

Columns = Mapping[str, str]

SESSION_COLUMNS: Columns = {
    **dict.fromkeys(("session_id", "visitor_id", "signed_visitor_id"), "BIGINT"),
    **dict.fromkeys(("started_at", "ended_at"), "TIMESTAMPTZ"),
    **dict.fromkeys(COUNTS, "INTEGER"),
    **dict.fromkeys(SESSION_ATTRIBUTES, "VARCHAR"),
}
HIT_COLUMNS: Columns = {
    **dict.fromkeys(("position", "visitor_id"), "BIGINT"),
    "occurred_at": "TIMESTAMPTZ",
    "type": "VARCHAR",
    **dict.fromkeys(("pathname", "page_title", "event_name", "querystring", "release"), "VARCHAR"),
    "screen_width": "DOUBLE",
    **dict.fromkeys(METRICS, "DOUBLE"),
    **{f"{metric}_class": "SMALLINT" for metric in METRICS},
    **dict.fromkeys(("url", "error_message", "properties_json", "properties", "measures"), "VARCHAR"),
}
# Those of the relations that queries read: fresh rows come with most of them, and those of files are made.
FRESH_COLUMNS: Mapping[str, Columns] = {
    "session": {
        **SESSION_COLUMNS,
        "quarters": "TIMESTAMPTZ[]",
        **dict.fromkeys(("quarter_pageviews", "quarter_custom_events"), "INTEGER[]"),
        "engaged_ms": "BIGINT",
        "engaged_pageviews": "INTEGER",
    },
    "hit": {
        "session_id": "BIGINT",
        **HIT_COLUMNS,
        "properties": "STRUCT(key VARCHAR, kind VARCHAR, text VARCHAR, decimal VARCHAR)[]",
        "measures": "STRUCT(position BIGINT, engaged_ms INTEGER, scroll_percent SMALLINT)[]",
        "signed_visitor_id": "BIGINT",
        **dict.fromkeys(("until_next", "engaged_ms"), "INTEGER"),
        "scroll_percent": "SMALLINT",
    },
}
# The columns of hits that are attributes of their sessions: of fresh rows the sessions alone have these.
OF_SESSION: Mapping[str, str] = {f"session_{name}": name for name in SESSION_PARAMETERS}
MADE_COLUMNS: Mapping[str, Columns] = {
    **FRESH_COLUMNS,
    "hit": {**FRESH_COLUMNS["hit"], **dict.fromkeys(OF_SESSION, "VARCHAR")},
}


def has_columns(path: Path, columns: Columns) -> bool:
    """Return whether a CSV file of the store has these columns, in this order."""
    with path.open("rb") as file:
        return file.readline().decode().rstrip("\n").split(",") == list(columns)


def csv_parameters(path: Path, columns: Columns) -> dict[str, object]:
    """Return the values of the parameters by which a CSV file of the store is read."""
    return {"path": str(path), "columns": dict(columns), "longest": LONGEST_LINE, "buffer": READ_BUFFER}


def sessions(pages: str) -> str:
    """Return the query of the sessions with what `hits` tell of them; `pages` is that of what was reported."""
    engaged = over(compose("making/engaged"), pages=pages)
    return over(compose("making/sessions"), touched=compose("making/touched"), engaged=engaged)


def hits(placed: str) -> str:
    """Return the query of the hits with the attributes of their sessions, from a query of those with sessions."""
    columns = ", ".join(f"{name} as {column}" for column, name in OF_SESSION.items())
    attributes = select("sessions", columns=f"session_id, signed_visitor_id, {columns}")
    return over(compose("making/hits"), placed=placed, attributes=attributes)
