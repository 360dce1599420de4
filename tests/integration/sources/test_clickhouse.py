"""Plausible and Rybbit: the HTTP interface of ClickHouse, and files of each format, bring the same rows."""

from collections import Counter
from datetime import UTC, datetime

import duckdb
import pytest
from attrs import evolve

from footfall.adapters.sources import plausible, rybbit
from footfall.adapters.sources.clickhouse import open_database, open_file
from footfall.adapters.sources.opening import recognise
from footfall.application.ports.imports import LeftOut, LeftOutRow, SourceRow, UnreadableRow, UnreadableSource
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType
from tests.integration.sources.clickhouse_store import FILL_PLAUSIBLE, FILL_RYBBIT, PLAUSIBLE, RYBBIT, serve

ROWS = 3_000
FORMATS = {"csv": "CSVWithNames", "tsv": "TSVWithNames", "parquet": "Parquet"}
SERVICES = {"plausible": plausible.EVENTS, "rybbit": rybbit.EVENTS}


@pytest.fixture(scope="module")
def clickhouse(tmp_path_factory):
    """A session of chdb with the tables of both services; one process has one."""
    from chdb.session import Session  # noqa: PLC0415 - a heavy import, for these tests only

    session = Session(str(tmp_path_factory.mktemp("clickhouse")))
    session.query("create database services")
    session.query("use services")
    for statement in (PLAUSIBLE, FILL_PLAUSIBLE.format(rows=ROWS), RYBBIT, FILL_RYBBIT.format(rows=ROWS)):
        session.query(statement)
    yield session
    session.close()


@pytest.fixture
def server(clickhouse):
    running, [url] = serve(clickhouse, "services")
    running.url = url
    yield running
    running.shutdown()
    running.server_close()


def written(clickhouse, folder, service, ending):
    path = folder / f"{service}.{ending}"
    answer = clickhouse.query(f"select * from {SERVICES[service].table}", FORMATS[ending])
    path.write_bytes(answer.bytes())
    return path


def read(source, mark=None):
    return [row for piece in source.pieces(mark) for row in piece.rows]


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("service", SERVICES)
def test_a_file_of_each_format_brings_the_same_as_the_database(server, clickhouse, tmp_path, service, ending):
    path = written(clickhouse, tmp_path, service, ending)

    database = open_database(SERVICES[service], server.url, "7")
    file = open_file(SERVICES[service], path, "7")

    assert Counter(map(repr, read(file))) == Counter(map(repr, read(database)))
    assert (file.key, file.total()) == (database.key, database.total()) == ("7", ROWS - ROWS // 97)
    assert not [row for row in read(file) if isinstance(row, UnreadableRow)]


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("service", SERVICES)
def test_a_file_of_each_format_is_recognised(clickhouse, tmp_path, service, ending):
    path = written(clickhouse, tmp_path, service, ending)

    assert recognise([str(path)]) == service


def test_events_of_plausible_keep_what_it_has(server):
    rows = read(open_database(plausible.EVENTS, server.url, "7"))

    types = Counter(str(row.type) for row in rows)
    assert types.keys() == {"pageview", "custom_event", "outbound", "engagement"}
    assert {row.reason for row in rows if isinstance(row, LeftOutRow)} == {LeftOut.NOT_CARRIED}
    known = [row for row in rows if isinstance(row, SourceRow)]
    assert [row.occurred_at for row in known] == sorted(row.occurred_at for row in known)
    assert known[0].occurred_at.tzinfo is UTC
    assert {row.pathname for row in known} == {"/", "/日本語/💩", "/a\tb\\c", "/preise"}
    assert {row.referrer for row in known} == {None, "https://google.com/search"}
    assert {(row.country, row.region, row.city) for row in known} == {(None, None, None), ("DE", "BY", None)}
    assert {(row.browser, row.operating_system) for row in known} == {
        ("Edge", "Linux"),
        ("Safari", "Mac OS X"),
        (None, None),
        ("Chrome", "iOS"),
    }
    assert {row.device_type for row in known} == {
        DeviceType.DESKTOP,
        DeviceType.MOBILE,
        DeviceType.UNKNOWN,
    }
    assert {row.utm for row in known} == {None, Utm(source="news")}
    assert {row.click_id for row in known} == {None, "gclid"}
    orders = [row for row in known if row.type is HitType.CUSTOM_EVENT]
    assert {row.event_name for row in orders} == {"Bestellung"}
    assert {str(row.properties) for row in orders} == {
        str({"plan": 'pro "x"', "it's": "ä\\b"}),
        str({"plan": 'pro "x"', "it's": "ä\\b", "revenue": 19.9, "currency": "EUR"}),
    }
    [link] = {str(row.properties) for row in known if row.type is HitType.OUTBOUND}
    assert link == "{'url': 'https://elsewhere.example/?a=1'}"


def test_events_of_rybbit_keep_what_it_has(server):
    rows = read(open_database(rybbit.EVENTS, server.url, "7"))

    assert {str(row.type) for row in rows} == {*map(str, HitType), "copy"}
    known = [row for row in rows if isinstance(row, SourceRow)]
    assert {row.querystring for row in known} == {None, "utm_source=news&utm_medium=email"}
    assert {(row.country, row.region, row.city, row.latitude) for row in known} == {
        (None, None, None, None),
        ("DE", "BY", "München", 48.1),
    }
    assert {(row.screen_width, row.screen_height) for row in known} == {(None, None), (1920, 1080)}
    assert {row.operating_system for row in known} == {"Mac OS X"}
    assert {str(row.user_id)[:6] for row in known} == {"None", "kunde-"}
    [order] = {str(row.properties) for row in known if row.type is HitType.CUSTOM_EVENT}
    assert order == str({"paid": True, "plan": "pro", "price": 19.5})
    [error] = {(row.event_name, str(row.properties)) for row in known if row.type is HitType.ERROR}
    assert error == ("TypeError", str({"lineNumber": 7, "message": 'x is not "defined"'}))
    assert {(row.lcp, row.cls, row.inp) for row in known if row.type is HitType.PERFORMANCE} == {
        (1234.5, 0.0, None)
    }


def test_events_without_a_visitor_are_visitors_of_their_own(server):
    rows = read(open_database(plausible.EVENTS, server.url, "7"))

    alone = [row.visitor for row in rows if isinstance(row, SourceRow) and " " in row.visitor]

    assert len(alone) == len(set(alone)) > 1


@pytest.mark.parametrize("ending", [None, "csv", "parquet"])
@pytest.mark.parametrize("service", SERVICES)
def test_each_mark_resumes_exactly(server, clickhouse, tmp_path, service, ending):
    if ending is None:
        source = open_database(SERVICES[service], server.url, "7")
    else:
        source = open_file(SERVICES[service], written(clickhouse, tmp_path, service, ending), "7")
    source = evolve(source, rows_of_a_piece=700)
    whole = [repr(row) for row in read(source)]

    done = 0
    for piece in source.pieces(None):
        done += len(piece.rows)
        assert [repr(row) for row in read(source, piece.mark)] == whole[done:]

    assert done == len(whole) == source.total()


@pytest.mark.parametrize("service", SERVICES)
def test_one_of_several_sites_has_to_be_named(server, service):
    with pytest.raises(UnreadableSource, match="has 2 sites: name one with --source-site: 7, 8"):
        open_database(SERVICES[service], server.url, None)


def test_credentials_go_in_a_header_and_are_not_shown(server):
    source = open_database(plausible.EVENTS, server.url, "7")

    assert source.description == "services at 127.0.0.1"
    assert "geheim" not in repr(source)
    assert server.authorizations == {"Basic bGVzZXI6Z2VoZWlt"}


@pytest.mark.parametrize(
    "url", ["http://leser:geheim@127.0.0.1:1/x", "http://", "http://leser:geheim@[bad/x"]
)
def test_a_database_that_cannot_be_asked_is_refused_without_its_password(url):
    with pytest.raises(UnreadableSource) as refusal:
        open_database(plausible.EVENTS, url, "7")

    assert "geheim" not in str(refusal.value)


def test_a_database_without_the_table_is_refused(server, clickhouse):
    clickhouse.query("rename table events to elsewhere")
    try:
        with pytest.raises(UnreadableSource, match="answers with status 500"):
            open_database(rybbit.EVENTS, server.url, "7")
    finally:
        clickhouse.query("rename table elsewhere to events")


def test_a_file_without_its_columns_is_refused(tmp_path):
    path = tmp_path / "events.csv"
    path.write_text("timestamp,name\n2024-01-01 00:00:00,pageview\n")

    with pytest.raises(UnreadableSource, match=r"events\.csv has no column site_id"):
        open_file(plausible.EVENTS, path, None)


def test_a_row_with_a_value_of_another_kind_is_named_by_its_place(tmp_path):
    path = tmp_path / "events.csv"
    header = "timestamp,site_id,session_id,user_id,pathname,type,lat\n"
    path.write_text(f"{header}2024-01-01 00:00:00,7,s,u,/,pageview,geheim\nnever,7,s,u,/,pageview,0\n")

    undated, unreadable = read(open_file(rybbit.EVENTS, path, None))

    assert (undated.place, undated.fault) == ("events.csv, row 2", "it has no time")
    assert (unreadable.place, unreadable.fault) == (
        "events.csv, row 1",
        "one of its values is missing or of another kind",
    )


@pytest.mark.parametrize(
    ("column", "readable"),
    [
        ("'/a' as pathname", True),
        ("17 as pathname", True),
        ("'/a'::blob as pathname", True),
        ("null as pathname", True),
        ("true as pathname", False),
        ("['/a'] as pathname", False),
        ("'/a' as pathname, 'nan'::double as lat", False),
        ("'/a' as pathname, {'a': 1} as props", True),
        ("'/a' as pathname, '{\"a\": [' as props", False),
    ],
)
def test_parquet_with_columns_of_other_types_is_read_or_named_by_its_row(tmp_path, column, readable):
    path = tmp_path / "events.parquet"
    duckdb.sql(
        "select timestamptz '2024-01-01 01:00:00+01' as timestamp, 7::utinyint as site_id, 's' as session_id,"
        f" 5::ubigint as user_id, 'pageview' as type, {column}"
    ).write_parquet(str(path))

    [row] = read(open_file(rybbit.EVENTS, path, None))

    assert isinstance(row, SourceRow) is readable
    if readable:
        assert (row.visitor, row.occurred_at) == ("5", datetime(2024, 1, 1, tzinfo=UTC))
    else:
        assert (row.place, row.fault) == (
            "events.parquet, row 1",
            "one of its values is missing or of another kind",
        )


@pytest.mark.parametrize(
    ("time", "year"),
    [
        ("1704067200", 2024),
        ("2024-01-01 00:00:00.123", 2024),
        ("0001-01-01 00:00:00", 1),
        ("9999-12-31 23:59:59", 9999),
        ("10000-01-01 00:00:00", None),
        ("0044-03-15 00:00:00 (BC)", None),
        ("infinity", None),
        ("99999999999999999", None),
        ("-1", 1969),
        ("", None),
        ("\\N", None),
    ],
)
def test_times_of_any_year_are_read_or_named_by_their_row(tmp_path, time, year):
    path = tmp_path / "events.csv"
    path.write_text(f'timestamp,site_id,session_id,user_id,pathname,type\n"{time}",7,s,u,/,pageview\n')

    [row] = read(open_file(rybbit.EVENTS, path, None))

    assert (row.occurred_at.year if isinstance(row, SourceRow) else None) == year


def test_sites_of_a_file_that_are_no_numbers_are_counted_and_not_shown(tmp_path):
    path = tmp_path / "events.csv"
    header = "timestamp,site_id,session_id,user_id,pathname,type\n"
    path.write_text(header + "".join(f"2024-01-01 00:00:00,geheim{n},s,u,/,\n" for n in range(30)))

    with pytest.raises(UnreadableSource, match="the source has more than 20 sites: name one") as refusal:
        open_file(rybbit.EVENTS, path, None)

    assert "geheim" not in str(refusal.value)
