"""Exports of Google Analytics 4: lines and columns as its published schema for BigQuery has them."""

import gzip

import duckdb
import orjson
from attrs import evolve

from footfall.adapters.sources import ga4
from footfall.entrypoints.composition.commands.command_adapters import PLACE_CODES

AT = 1_704_067_140_000_000
SECOND = 1_000_000
PAGE = {"page_location": "https://shop.example/pricing?plan=pro#top", "ga_session_id": 1704067140}
SCHEMA = {
    "event_date": "varchar",
    "event_timestamp": "bigint",
    "event_name": "varchar",
    "event_params": (
        'struct("key" varchar, "value" struct(string_value varchar, int_value bigint, float_value float,'
        " double_value double))[]"
    ),
    "user_id": "varchar",
    "user_pseudo_id": "varchar",
    "stream_id": "varchar",
    "device": (
        "struct(category varchar, operating_system varchar, operating_system_version varchar, language varchar,"
        " web_info struct(browser varchar, browser_version varchar, hostname varchar))"
    ),
    "geo": "struct(country varchar, region varchar, city varchar)",
    "collected_traffic_source": (
        "struct(manual_source varchar, manual_medium varchar, manual_campaign_name varchar, gclid varchar)"
    ),
    "ecommerce": "struct(purchase_revenue double, transaction_id varchar)",
    "batch_event_index": "bigint",
}


def value(given):
    kinds = {str: "string_value", int: "int_value", float: "double_value"}
    return {kinds[type(given)]: given}


def event(name="page_view", *, at=AT, params=PAGE, **columns):
    return {
        "event_date": "20231231",
        "event_timestamp": at,
        "event_name": name,
        "event_params": [{"key": key, "value": value(given)} for key, given in params.items()],
        "user_pseudo_id": "123.456",
        "stream_id": "7",
        **columns,
    }


def integers_as_text(document):
    """Return a row as BigQuery writes it: integers of 64 bits are texts in its JSON."""
    if isinstance(document, dict):
        return {key: integers_as_text(given) for key, given in document.items()}
    if isinstance(document, list):
        return [integers_as_text(given) for given in document]
    return str(document) if type(document) is int else document


def as_json(path, events):
    path.write_bytes(b"".join(orjson.dumps(integers_as_text(one)) + b"\n" for one in events))
    return path


def as_gzip(path, events):
    as_json(path, events)
    path.write_bytes(gzip.compress(path.read_bytes()))
    return path


def as_parquet(path, events):
    lines = as_json(path.with_suffix(".lines"), events)
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in SCHEMA.items())
    duckdb.sql(
        f"copy (select * from read_json('{lines}', columns={{{columns}}}, format='newline_delimited'))"
        f" to '{path}' (format parquet)"
    )
    return path


FORMATS = {"events.json": as_json, "events-000000000000.gz": as_gzip, "events.parquet": as_parquet}


def written(folder, *events, name="events.json"):
    return FORMATS.get(name, as_json)(folder / name, events)


def opened(*paths, stream=None, rows=10_000):
    """Return files as a source that puts so many rows in order at a time."""
    source = ga4.open_files(paths, stream, PLACE_CODES)
    return evolve(source, table=evolve(source._table, rows_of_a_range=rows))


def read(source, mark=None):
    return [row for piece in source.pieces(mark) for row in piece.rows]
