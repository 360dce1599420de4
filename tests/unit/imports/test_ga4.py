"""Events of Google Analytics 4: lines and columns as its published schema for BigQuery has them."""

import gzip
from datetime import UTC, datetime

import duckdb
import orjson
import pytest

from footfall.adapters.sources import ga4
from footfall.adapters.sources.opening import recognise
from footfall.application.ports.imports import LeftOut, LeftOutRow, SourceRow, UnreadableRow, UnreadableSource
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType
from footfall.entrypoints.composition.commands.command_adapters import PLACE_CODES

AT = 1_704_067_140_000_000
SECOND = 1_000_000
NONE = {"string_value": None, "int_value": None, "float_value": None, "double_value": None}
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


@pytest.fixture
def written(tmp_path):
    return lambda *events, name="events.json": FORMATS.get(name, as_json)(tmp_path / name, events)


def opened(*paths, stream=None):
    return ga4.open_files(paths, stream, PLACE_CODES)


def read(source, mark=None):
    return [row for piece in source.pieces(mark) for row in piece.rows]


@pytest.mark.parametrize("name", FORMATS)
def test_a_pageview_keeps_what_the_export_has_in_each_format(written, name):
    params = {
        **PAGE,
        "page_title": "Pricing",
        "page_referrer": "https://www.google.com/",
        "screen_resolution": "1920x1080",
        "engagement_time_msec": 1200,
        "section": "shop",
        "items_shown": 12,
        "share": 0.5,
    }
    device = {
        "category": "mobile",
        "operating_system": "Macintosh",
        "operating_system_version": "Macintosh Intel 10.15",
        "language": "de-at",
        "web_info": {"browser": "Android Webview", "browser_version": "120.0.0.0"},
    }
    geo = {"country": "Germany", "region": "Bavaria", "city": "Munich"}
    path = written(event(params=params, user_id="customer-1", device=device, geo=geo), name=name)

    [row] = read(opened(path))

    assert recognise([str(path)]) == "ga4"
    assert row == SourceRow(
        type=HitType.PAGEVIEW,
        occurred_at=datetime(2023, 12, 31, 23, 59, tzinfo=UTC),
        visitor="123.456",
        user_id="customer-1",
        hostname="shop.example",
        pathname="/pricing",
        querystring="plan=pro",
        page_title="Pricing",
        referrer="https://www.google.com/",
        language="de-AT",
        screen_width=1920,
        screen_height=1080,
        browser="Chrome Mobile WebView",
        browser_version="120.0.0.0",
        operating_system="Mac OS X",
        operating_system_version="10.15",
        device_type=DeviceType.MOBILE,
        country="DE",
        region="BY",
        city="Munich",
        properties={"section": "shop", "items_shown": 12, "share": 0.5},
    )


def test_clicks_and_downloads_are_outbound_clicks_and_other_events_keep_their_names(written):
    link = {
        "link_url": "https://elsewhere.example/a.pdf",
        "link_domain": "elsewhere.example",
        "link_text": "Brochure",
        "outbound": "true",
        "file_name": "a.pdf",
    }
    path = written(
        event("click", at=AT, params={**PAGE, **link}),
        event("file_download", at=AT + 1, params={**PAGE, **link}),
        event("click", at=AT + 2, params={**PAGE, "button": "buy"}),
        event("sign_up", at=AT + 3, params={**PAGE, "method": "mail", "ga_session_number": 3}),
    )

    click, download, button, sign_up = read(opened(path))

    url = {"url": "https://elsewhere.example/a.pdf", "text": "Brochure", "file_name": "a.pdf"}
    assert (click.type, click.event_name, click.properties) == (HitType.OUTBOUND, None, url)
    assert (download.type, download.properties) == (HitType.OUTBOUND, url)
    assert (button.type, button.event_name, button.properties) == (
        HitType.CUSTOM_EVENT,
        "click",
        {"button": "buy"},
    )
    assert (sign_up.event_name, sign_up.properties) == ("sign_up", {"method": "mail"})


@pytest.mark.parametrize("name", ["session_start", "first_visit", "user_engagement", "scroll", "first_open"])
def test_events_that_no_event_here_is_are_left_out_by_name(written, name):
    [row] = read(opened(written(event(name))))

    assert row == LeftOutRow(datetime(2023, 12, 31, 23, 59, tzinfo=UTC), name, LeftOut.NOT_CARRIED)


@pytest.mark.parametrize(
    ("params", "ecommerce", "expected"),
    [
        ({"value": 19, "currency": "EUR"}, None, {"revenue": 19.0, "currency": "EUR"}),
        ({"currency": "EUR"}, {"purchase_revenue": 7.5}, {"revenue": 7.5, "currency": "EUR"}),
        ({"value": 19.5}, {"purchase_revenue": 7.5}, {"value": 19.5}),
        (
            {"value": 0, "currency": "EUR", "transaction_id": "T1"},
            {"purchase_revenue": 7.5},
            {"revenue": 0.0, "currency": "EUR", "transaction_id": "T1"},
        ),
    ],
)
def test_a_purchase_has_revenue_where_it_has_an_amount_and_a_currency(written, params, ecommerce, expected):
    [row] = read(opened(written(event("purchase", params=params, ecommerce=ecommerce))))

    assert (row.type, row.event_name, row.properties) == (HitType.CUSTOM_EVENT, "purchase", expected)


@pytest.mark.parametrize(
    ("params", "collected", "utm", "click_id"),
    [
        ({"page_location": "https://shop.example/?utm_source=a"}, {"manual_source": "b"}, None, None),
        (
            PAGE,
            {"manual_source": "b", "manual_medium": "email", "manual_campaign_name": "May", "gclid": "x"},
            Utm(source="b", medium="email", campaign="May"),
            "gclid",
        ),
        (PAGE, {"manual_source": "google", "manual_medium": "organic"}, None, None),
        ({**PAGE, "source": "news", "medium": "email", "dclid": "x"}, None, Utm("news", "email"), "dclid"),
        ({**PAGE, "source": "(direct)", "medium": "(none)"}, {}, None, None),
    ],
)
def test_a_campaign_is_that_of_the_address_or_else_the_collected_one(
    written, params, collected, utm, click_id
):
    [row] = read(opened(written(event(params=params, collected_traffic_source=collected))))

    assert (row.utm, row.click_id) == (utm, click_id)


@pytest.mark.parametrize(
    ("geo", "expected"),
    [
        ({"country": "Türkiye", "region": "(not set)", "city": ""}, ("TR", None, None)),
        ({"country": "Hong Kong", "region": "Hong Kong", "city": "(not set)"}, ("HK", None, None)),
        ({"country": "United States", "region": "California", "city": "Oakland"}, ("US", "CA", "Oakland")),
        ({"country": "Atlantis", "region": "California", "city": "Oakland"}, (None, None, "Oakland")),
        ({"country": "France", "region": "Ile-de-France", "city": "Paris"}, ("FR", "IDF", "Paris")),
    ],
)
def test_places_are_found_by_their_names(written, geo, expected):
    [row] = read(opened(written(event(geo=geo))))

    assert (row.country, row.region, row.city) == expected


def test_what_the_export_calls_by_words_for_none_is_unknown(written):
    device = {
        "category": "smart tv",
        "operating_system": "<Other>",
        "operating_system_version": "Web",
        "web_info": {"browser": "(not set)", "hostname": "shop.example"},
    }
    [row] = read(opened(written(event(params={"page_location": "http://[bad"}, device=device))))

    assert (row.hostname, row.pathname) == ("shop.example", None)
    assert (row.browser, row.operating_system, row.operating_system_version) == (None, None, None)
    assert row.device_type is DeviceType.TV


def test_events_without_a_visitor_are_visitors_of_their_own(written):
    path = written(event(user_pseudo_id=None), event(user_pseudo_id=None, at=AT + 1))

    first, second = read(opened(path))

    assert first.visitor != second.visitor


def test_events_of_one_time_are_in_the_order_of_their_request(written):
    path = written(
        event("last", batch_page_id=AT, batch_ordering_id=2, batch_event_index=1),
        event("second", batch_page_id=AT, batch_ordering_id=1, batch_event_index=10),
        event("first", batch_page_id=AT, batch_ordering_id=1, batch_event_index=9),
    )

    assert [row.event_name for row in read(opened(path))] == ["first", "second", "last"]


def test_one_of_several_streams_has_to_be_named(written):
    path = written(event(), event(at=AT + 1, stream_id="8"))

    with pytest.raises(UnreadableSource, match="has 2 sites: name one with --source-site: 7, 8"):
        opened(path)
    assert len(read(opened(path, stream="8"))) == 1
    assert (opened(path, stream="8").key, opened(path, stream="8").total()) == ("8", 1)


def test_odd_rows_are_named_by_their_places_and_hide_no_other(written):
    path = written(event())
    good = path.read_bytes()
    odd = (
        b"no JSON",
        good[:40],
        b"[1]",
        b"\xff\xfe",
        orjson.dumps(event(at=None)),
        orjson.dumps(event(at=10**18)),
        orjson.dumps(event() | {"event_params": "none"}),
        orjson.dumps(event() | {"event_params": [{"key": "a", "value": {"int_value": "x"}}]}),
        orjson.dumps(event() | {"geo": [1]}),
        orjson.dumps(event(stream_id=None)),
        orjson.dumps(event() | {"event_name": {}}),
    )
    path.write_bytes(good + b"\n".join(odd) + b"\n" + orjson.dumps(event("end", at=AT + SECOND)))

    rows = read(opened(path))

    names = [row.event_name for row in rows if isinstance(row, SourceRow)]
    faults = {row.place: row.fault for row in rows if isinstance(row, UnreadableRow)}
    value_fault = "one of its values is missing or of another kind"
    assert names == [None, "end"]
    assert faults == {
        **{f"events.json, row {number}": "it is no event in JSON" for number in (2, 3, 4, 5)},
        "events.json, row 6": "it has no time",
        **{f"events.json, row {number}": value_fault for number in (7, 8, 9, 10, 12)},
        "events.json, row 11": "it names no data stream",
    }


def test_the_ends_of_time_have_their_places(written, monkeypatch):
    monkeypatch.setattr(ga4, "_ROWS_OF_A_RANGE", 1)
    instants = (-(2**63), 0, AT, AT, 2**63 - 1)
    source = opened(written(*(event(at=at) for at in instants)))

    assert [at for at, _ in source._table.rows(None)] == list(instants)
    assert list(source._table.rows(2**63 - 1)) == []


def test_a_line_beyond_what_memory_holds_is_refused_by_its_length(written):
    path = written(event(), event(params={"text": "x" * (40 << 20)}))

    with pytest.raises(UnreadableSource, match=r"events\.json has a line that is too long"):
        opened(path)


def test_an_empty_part_of_a_table_is_passed_over(written):
    path, empty = written(event()), written(name="events-000000000001.gz")
    packed = written(name="events-000000000000.gz")

    assert len(read(opened(empty, path, packed))) == 1
    with pytest.raises(UnreadableSource, match=r"events-000000000001\.gz is empty"):
        opened(empty, packed)


def test_a_number_of_parquet_that_is_none_is_no_fault_of_the_file(written):
    path = written(event(), event(at=AT + 1, ecommerce={"purchase_revenue": 1.0}), name="events.parquet")
    odd = path.with_name("odd.parquet")
    duckdb.sql(
        f"copy (select * replace ({{'purchase_revenue': 'nan'::double, 'transaction_id': ''}} as ecommerce)"
        f" from read_parquet('{path}')) to '{odd}' (format parquet)"
    )

    assert len(read(opened(odd))) == len(read(opened(path))) == 2


def test_repeated_fields_may_be_wrapped_as_some_writers_do(written):
    wrapped = {
        "list": [{"element": {"key": "page_location", "value": {"string_value": "https://a.example/b"}}}]
    }

    [row] = read(opened(written(event() | {"event_params": wrapped})))

    assert (row.hostname, row.pathname) == ("a.example", "/b")


def test_days_in_many_files_or_a_folder_are_one_source_and_each_mark_resumes_exactly(
    written, tmp_path, monkeypatch
):
    monkeypatch.setattr("footfall.adapters.sources.reading.time_order.ROWS_OF_A_PIECE", 3)
    monkeypatch.setattr(ga4, "_ROWS_OF_A_RANGE", 4)
    days = [
        written(
            *(event(f"of_{day}", at=AT + (9 - number) * SECOND + day * 100 * SECOND) for number in range(10)),
            name=f"events_{day}.json",
        )
        for day in range(4)
    ]

    whole = [repr(row) for row in read(opened(*days))]

    assert [repr(row) for row in read(opened(tmp_path))] == whole
    assert len(whole) == 40
    assert opened(*days).description == "events_0.json to events_3.json, 4 files"
    done = 0
    for piece in opened(*days).pieces(None):
        done += len(piece.rows)
        assert [repr(row) for row in read(opened(*days), piece.mark)] == whole[done:]


def test_a_later_import_takes_all_days_or_only_the_new_ones(written):
    first = written(event("first"), name="events_1.json")
    second = written(event("second", at=AT + SECOND), event("third", at=AT + SECOND), name="events_2.json")
    third = written(event("fourth", at=AT + 2 * SECOND), name="events_3.json")
    mark = list(opened(first, second).pieces(None))[-1].mark

    assert len(read(opened(first, second, third), mark)) == 1
    assert len(read(opened(third), mark)) == 1
    with pytest.raises(UnreadableSource, match=r"has 1 of the 3 row\(s\) that were read up to"):
        read(opened(first, third), mark)
    with pytest.raises(UnreadableSource, match="begin with the same row: give one of the two"):
        opened(first, third, first)


def test_a_day_with_unreadable_rows_can_be_added(written):
    first = written(event(), name="events_1.json")
    mark = list(opened(first).pieces(None))[-1].mark
    second = written(event(at=AT + SECOND), name="events_2.json")
    second.write_bytes(second.read_bytes() + b"no JSON\n")

    [row, fault] = read(opened(first, second), mark)

    assert isinstance(row, SourceRow)
    assert fault == UnreadableRow("events_2.json, row 2", "it is no event in JSON")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"# ----------------------------------------\n# Pages and screens\n",
            "which holds sums: sessions, goals",
        ),
        (b'{"dimensionHeaders":[]}\n', "which holds sums: sessions, goals"),
        (b'[{"event_timestamp":"1","event_params":[]}]\n', "is an array of JSON: export it as JSON lines"),
        (b'{"pseudo_user_id":"1"}\n', "holds no events of Google Analytics 4"),
        (b"PAR1 and no more", "is no table in CSV, TSV, Parquet or JSON lines"),
    ],
)
def test_another_file_is_refused_with_the_reason(tmp_path, content, message):
    path = tmp_path / "export"
    path.write_bytes(content)

    with pytest.raises(UnreadableSource, match=message):
        opened(path)


def test_parquet_of_another_table_is_refused_by_its_columns(tmp_path):
    path = tmp_path / "users.parquet"
    duckdb.sql(f"copy (select 1 as pseudo_user_id) to '{path}' (format parquet)")

    with pytest.raises(UnreadableSource, match=r"users\.parquet has no column event_timestamp, event_name"):
        opened(path)
