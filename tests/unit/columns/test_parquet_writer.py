"""Files as reports want them: what their groups of rows tell about themselves."""

import csv

import duckdb

from footfall.adapters.columns.files.parquet_writer import ParquetWriter
from footfall.adapters.columns.row_making import HIT_COLUMNS
from footfall.domain.traffic.session import SESSION_ATTRIBUTES

# More than a group of rows holds.
MANY = 90_000
STARTED = "2026-03-01 12:00:00+00"
SESSION = {
    **dict.fromkeys(("session_id", "visitor_id", "signed_visitor_id"), 1),
    **dict.fromkeys(("started_at", "ended_at"), STARTED),
    "pageviews": MANY,
    "custom_events": MANY,
    **dict.fromkeys(("performance_measures", "outbound_clicks", "errors"), 0),
    **dict.fromkeys(SESSION_ATTRIBUTES, "x"),
}
HIT = {
    **dict.fromkeys(HIT_COLUMNS),
    **dict.fromkeys(("position", "visitor_id"), 1),
    "occurred_at": STARTED,
    "type": "pageview",
    **dict.fromkeys(("pathname", "page_title", "event_name", "querystring"), "x"),
}


def test_groups_of_rows_tell_which_types_they_hold(tmp_path):
    save(tmp_path / "sessions.csv", [SESSION])
    save(tmp_path / "owners.csv", [{"session_id": 1, "visitor_id": 1, "started_at": STARTED}])
    types = [kind for kind in ("pageview", "custom_event") for _ in range(MANY)]
    save(
        tmp_path / "hits.csv",
        [HIT | {"position": 1 + place, "type": kind} for place, kind in enumerate(types)],
    )

    with ParquetWriter.opened(tmp_path) as writer:
        writer.write_hits(tmp_path / "hits.parquet")

    # Reports leave out groups by these.
    with duckdb.connect() as connection:
        told = connection.execute(
            "select stats_min_value, stats_max_value from parquet_metadata($path) where path_in_schema = 'type'",
            {"path": str(tmp_path / "hits.parquet")},
        ).fetchall()
    assert told == [("custom_event", "custom_event"), ("custom_event", "pageview"), ("pageview", "pageview")]


def save(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
