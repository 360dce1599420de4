"""Umami: its own tables in PostgreSQL, and the same tables as CSV, bring the same rows."""

from collections import Counter
from datetime import UTC, datetime
from urllib.parse import urlencode

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.sources.umami import open_database, open_files
from footfall.application.ports.imports import LeftOut, LeftOutRow, SourceRow, UnreadableRow, UnreadableSource
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType
from tests.commands import commands
from tests.integration.sources.umami_store import DELETED, WEBSITE, copy_out, fill, fill_2

ROWS = 2_000


@pytest.fixture
def umami(empty_database_url):
    """Return the URL of a database of Umami 3, as its own setting DATABASE_URL has it."""
    fill(empty_database_url, ROWS)
    return as_url(empty_database_url)


@pytest.fixture
def umami_2(empty_database_url):
    fill_2(empty_database_url)
    return as_url(empty_database_url)


def as_url(known):
    parts = psycopg.conninfo.conninfo_to_dict(known)
    name = parts.pop("dbname")
    return f"postgresql:///{name}?{urlencode(parts)}"


def read(source, mark=None):
    return [row for piece in source.pieces(mark) for row in piece.rows]


def comparable(row):
    """Return a row without the notation of dates in properties, which differs between JSON of the two stores."""
    if isinstance(row, SourceRow) and row.properties:
        return (repr(row).partition("properties=")[0], {**row.properties, "at": None})
    return repr(row)


def test_a_database_brings_events_with_sessions_and_data(umami):
    rows = read(open_database(umami, None))

    types = Counter(row.type for row in rows)
    assert types.keys() == {"pageview", "custom_event", "performance", "event type 3"}
    [order] = [row for row in rows if row.type == HitType.CUSTOM_EVENT and row.properties][:1]
    assert order.event_name in {"Bestellung", None}
    assert order.properties == {
        "at": "2024-01-01T00:00:00+00:00",
        "count": 3,
        "paid": True,
        "plan": 'pro "x"',
        "price": 19.9,
        "tags": ["a", "b"],
    }
    assert {row.reason for row in rows if isinstance(row, LeftOutRow)} == {LeftOut.NOT_CARRIED}
    views = [row for row in rows if row.type == HitType.PAGEVIEW]
    tags = Counter((row.properties or {}).get("tag") for row in views)
    assert (tags.keys(), tags["b"] > 0) == ({None, "b"}, True)
    assert {row.browser for row in views} == {"Chrome", "Mobile Safari", "Edge", None}
    assert {row.device_type for row in views} == {
        DeviceType.DESKTOP,
        DeviceType.MOBILE,
        DeviceType.UNKNOWN,
    }
    assert {(row.country, row.region, row.city) for row in views} == {
        ("DE", "BY", "München"),
        (None, None, None),
    }
    assert {row.pathname for row in views} >= {"/日本語/💩", "/a%2Fb"}
    assert "https://google.com/search?q=x" in {row.referrer for row in views}
    assert {row.utm for row in views} == {None, Utm(source="cpc-quelle")}
    assert {row.click_id for row in views} == {None, "gclid"}
    assert {row.lcp for row in rows if row.type == HitType.PERFORMANCE} == {1234.5}


@pytest.mark.parametrize("from_files", [False, True])
def test_the_columns_of_umami_2_bring_the_same(umami_2, tmp_path, from_files):
    copy_out(umami_2, tmp_path)
    source = open_files([tmp_path], None) if from_files else open_database(umami_2, None)

    [row] = read(source)

    assert (row.type, row.event_name) == (HitType.CUSTOM_EVENT, "order")
    assert row.occurred_at == datetime(2022, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert (row.hostname, row.pathname, row.querystring) == ("shop.example", "/", "utm_source=news")
    assert (row.browser, row.operating_system, row.device_type) == (
        "Chrome Mobile iOS",
        "Android",
        DeviceType.TV,
    )
    assert (row.screen_width, row.screen_height, row.language) == (390, 844, "fr")
    assert (row.country, row.region, row.city) == ("FR", "OC", "Tolosa")
    assert row.referrer == "https://duckduckgo.com"
    assert row.properties.pop("at").startswith("2022-01-01")
    assert row.properties == {"paid": False, "plan": "pro", "price": -19.9, "tags": [1]}


def test_rows_come_in_the_order_of_time_in_utc(umami):
    times = [row.occurred_at for row in read(open_database(umami, WEBSITE))]

    assert times == sorted(times)
    assert times[0].tzinfo is UTC
    assert times[-1] > datetime(2020, 1, 1, tzinfo=UTC)


def test_a_session_that_is_gone_leaves_its_events(umami):
    with psycopg.connect(umami) as connection:
        connection.execute("delete from session")

    rows = read(open_database(umami, None))

    assert len({row.visitor for row in rows if isinstance(row, SourceRow)}) > ROWS / 5
    assert {row.browser for row in rows if isinstance(row, SourceRow)} == {None}


def test_files_bring_the_same_as_the_database(umami, tmp_path):
    copy_out(umami, tmp_path)

    database, files = open_database(umami, None), open_files([tmp_path], WEBSITE)

    assert list(map(comparable, read(files))) == list(map(comparable, read(database)))
    assert (files.key, files.total()) == (database.key, database.total())


@pytest.mark.parametrize("from_files", [False, True])
def test_each_mark_resumes_exactly(umami, tmp_path, from_files):
    copy_out(umami, tmp_path)
    source = open_files([tmp_path], WEBSITE) if from_files else open_database(umami, None)
    source = evolve(source, rows_of_a_piece=333)
    whole = [repr(row) for row in read(source)]

    done = 0
    for piece in source.pieces(None):
        done += len(piece.rows)
        assert [repr(row) for row in read(source, piece.mark)] == whole[done:]

    assert done == len(whole) == source.total()


def test_progress_ends_at_the_total_after_an_interruption(umami):
    source = evolve(open_database(umami, None), rows_of_a_piece=333)
    first = next(iter(source.pieces(None)))

    assert sum(piece.done for piece in source.pieces(first.mark)) == source.total()


def test_a_grown_database_adds_its_new_rows_and_rows_behind_the_mark_are_refused(umami):
    source = open_database(umami, None)
    mark = list(source.pieces(None))[-1].mark
    insert = (
        "insert into website_event (event_id, website_id, session_id, visit_id, created_at, url_path)"
        f" values (gen_random_uuid(), '{WEBSITE}', gen_random_uuid(), gen_random_uuid(), %s, '/new')"
    )
    with psycopg.connect(umami) as connection:
        connection.execute(insert, (datetime(2024, 1, 1, tzinfo=UTC),))
        connection.execute(insert, (datetime.now(UTC),))

    assert [row.pathname for row in read(source, mark)] == ["/new"]

    with psycopg.connect(umami) as connection:
        connection.execute(insert, (datetime(2019, 1, 1, tzinfo=UTC),))
    with pytest.raises(UnreadableSource, match=r"has 1 row\(s\) more up to"):
        read(source, mark)


@pytest.mark.parametrize("time", ["null", "'-infinity'"])
def test_a_row_without_a_time_is_unreadable_and_named_before_all_others(umami, time):
    with psycopg.connect(umami) as connection:
        changed = connection.execute(
            f"update website_event set created_at = {time} where event_type = 5 and website_id = %s"
            " returning event_id",
            (WEBSITE,),
        ).fetchall()

    source = open_database(umami, None)
    rows = read(source)

    faults = [row for row in rows if isinstance(row, UnreadableRow)]
    assert faults == rows[: len(changed)]
    assert {(fault.place, fault.fault) for fault in faults} == {
        (f"event {event_id}", "it has no time") for (event_id,) in changed
    }
    assert len(rows) == source.total()


def test_a_row_of_another_kind_is_named_by_its_id(umami):
    with psycopg.connect(umami) as connection:
        changed = connection.execute(
            "update event_data set number_value = null, string_value = 'x' where data_type = 2"
            " returning website_event_id"
        ).fetchall()

    faults = [row for row in read(open_database(umami, None)) if isinstance(row, UnreadableRow)]

    assert {fault.place for fault in faults} < {f"event {event_id}" for (event_id,) in changed}
    assert {fault.fault for fault in faults} == {"one of its values is missing or of another kind"}


def test_a_screen_that_a_visitor_made_up_stays_unknown(umami):
    with psycopg.connect(umami) as connection:
        connection.execute("update session set screen = '\u00b2x\u00b2'")

    rows = read(open_database(umami, None))

    assert {type(row) for row in rows} == {SourceRow, LeftOutRow}
    assert {row.screen_width for row in rows if isinstance(row, SourceRow)} == {None}


def test_rows_without_a_time_resume_behind_a_mark_between_them_and_the_others(umami):
    with psycopg.connect(umami) as connection:
        connection.execute("update website_event set created_at = null where event_type = 5")
    source = evolve(open_database(umami, None), rows_of_a_piece=100)
    whole = read(source)

    first = next(iter(source.pieces(None)))

    assert {type(row) for row in first.rows} == {UnreadableRow}
    assert [repr(row) for row in read(source, first.mark)] == [repr(row) for row in whole[len(first.rows) :]]


def test_a_deleted_website_is_taken_only_when_it_is_named(umami):
    assert open_database(umami, None).key == WEBSITE
    assert open_database(umami, DELETED).total() == ROWS // 97


def test_one_of_several_websites_has_to_be_named(umami, tmp_path):
    copy_out(umami, tmp_path)

    with pytest.raises(UnreadableSource, match="has 2 sites: name one with --source-site"):
        open_files([tmp_path], None)


def test_a_damaged_line_is_named_by_its_place(umami, tmp_path):
    copy_out(umami, tmp_path)
    events = tmp_path / "website_event.csv"
    events.write_text(events.read_text() + "secret,row\n")

    faults = [row for row in read(open_files([tmp_path], WEBSITE)) if isinstance(row, UnreadableRow)]

    assert [fault.fault for fault in faults] == ["it is not a row of the table"]
    assert faults[0].place.startswith("website_event.csv, line ")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://reader:geheim@127.0.0.1:1/umami", "cannot be read: OperationalError"),
        ("postgresql://reader:geheim@[bad", "cannot be read"),
    ],
)
def test_a_database_that_cannot_be_read_is_refused_without_its_password(url, message):
    with pytest.raises(UnreadableSource, match=message) as refusal:
        open_database(url, None)

    assert "geheim" not in str(refusal.value)


def test_parameters_of_prisma_are_those_of_umami_and_the_schema_is_chosen(umami):
    with psycopg.connect(umami) as connection:
        connection.execute('create schema "Odd""schema"')
        for table in ("website", "session", "website_event", "event_data"):
            connection.execute(f'alter table {table} set schema "Odd""schema"')
    url = f"{umami}&connection_limit=1&pgbouncer=true&schema=Odd%22schema&connect_timeout=5"

    source = open_database(url, None)

    assert len(read(source)) == source.total() == ROWS - ROWS // 97
    assert source.description == open_database(f"{umami}&schema=Odd%22schema", None).description
    with pytest.raises(UnreadableSource, match="has not the tables of Umami"):
        open_database(umami, None)


def test_a_question_mark_in_a_password_begins_no_parameters():
    with pytest.raises(UnreadableSource, match="cannot be read: OperationalError") as refusal:
        open_database("postgresql://reader:geheim?schema=x@127.0.0.1:1/umami", None)

    assert "geheim" not in str(refusal.value)


def test_another_database_is_refused(empty_database_url):
    with pytest.raises(UnreadableSource, match="has not the tables of Umami"):
        open_database(empty_database_url, None)


def test_the_description_names_no_user_and_no_password(umami):
    source = open_database(umami, None)

    assert source.description.startswith(psycopg.conninfo.conninfo_to_dict(umami)["dbname"])
    assert "@" not in source.description
    assert umami not in repr(source)


def test_the_command_imports_a_database_once_and_verifies_it(umami, database_url, tmp_path):
    run = commands({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")})

    def footfall(*arguments, **expected):
        return run(*arguments, "--json", **expected)

    names = ("--organization", "O", "--site", "Shop", "--domain", "shop.example")
    site = str(footfall("init", *names)["siteId"])
    copy_out(umami, tmp_path)

    first = footfall("import", site, umami)
    again = footfall(
        "import", site, "--from", "umami", "--source-site", WEBSITE, str(tmp_path / "website_event.csv")
    )

    assert first["read"] == ROWS - ROWS // 97
    assert again["read"] == 0
    assert {row["leftOut"] for row in first["ledger"]} == {
        None,
        "event without a name",
        "type is not carried",
    }
    assert {line["difference"] for line in footfall("import", site, umami, "--verify")["pageviews"]} == {0}
