"""Files of the export of Google Analytics 4: many of them, odd ones and others."""

import codecs
from functools import partial

import duckdb
import orjson
import pytest
from attrs import evolve

from footfall.adapters.sources.reading.staged_files import StagedFiles
from footfall.application.ports.imports import SourceRow, UnreadableRow, UnreadableSource
from tests.unit.imports import ga4_files
from tests.unit.imports.ga4_files import AT, SECOND, event, opened, read


@pytest.fixture
def written(tmp_path):
    return partial(ga4_files.written, tmp_path)


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
        *(
            orjson.dumps(event() | {"event_params": [{"key": "a", "value": {"int_value": odd}}]})
            for odd in (str(2**63), 1.5, True)
        ),
        orjson.dumps(event() | {"event_params": [{"key": None, "value": {"int_value": 1}}]}),
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
        **{f"events.json, row {number}": value_fault for number in (*range(7, 15), 16)},
        "events.json, row 15": "it names no data stream",
    }


def test_the_ends_of_time_have_their_places(written):
    instants = (-(2**63), 0, AT, AT, 2**63 - 1)
    source = opened(written(*(event(at=at) for at in instants)), rows=1)

    assert [at for at, _ in source._table.rows(None)] == list(instants)
    assert list(source._table.rows(2**63 - 1)) == []


def test_a_line_beyond_what_memory_holds_is_refused_by_its_length(written):
    path = written(event(), event(params={"text": "x" * (40 << 20)}))

    with pytest.raises(UnreadableSource, match=r"events\.json has a line that is too long"):
        opened(path)


def test_a_line_that_memory_cannot_hold_beside_others_is_no_damage(written):
    path = written(event(), event(params={"text": "x" * (15 << 20)}))

    with pytest.raises(UnreadableSource, match=r"events\.json has a line that is too long"):
        opened(path)


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_quote_in_a_text_is_one_of_its_characters(written, mark):
    path = written(event(params={"page_title": '5" pipe'}), *(event() for _ in range(5_000)))
    path.write_bytes(mark + path.read_bytes())

    assert opened(path).total() == 5_001


@pytest.mark.parametrize("name", ["events.json", "events.parquet"])
def test_the_name_of_a_folder_is_no_column(written, name):
    path = written(event(), name=name)
    folder = path.parent / "stream_id=9"
    folder.mkdir()

    assert opened(path.rename(folder / name)).key == "7"


def test_extensions_of_duckdb_are_not_loaded_for_what_a_file_has():
    settings = "select value from duckdb_settings() where name like 'auto%_known_extensions'"

    assert list(StagedFiles().fetch(settings)) == [("false",), ("false",)]


def test_the_table_of_a_day_and_its_intraday_table_are_not_read_together(written):
    day, other = written(event(), name="events_20231231-000000000000.json"), written(event(at=AT + 1))
    intraday = written(event(at=AT + 2), name="events_intraday_20231231.json")
    later = written(event(at=AT + 3), name="events_intraday_20240101.json")

    assert opened(day, other, later).total() == 3
    with pytest.raises(
        UnreadableSource, match=r"intraday_20231231\.json and events_20231231-000000000000\.json are"
    ):
        opened(intraday, other, day)


def test_a_day_in_both_formats_is_not_read_twice(written):
    day = written(event(), name="events_20231231.json")
    again = written(event(), name="events.parquet").rename(day.with_suffix(".parquet"))

    with pytest.raises(UnreadableSource, match="are two exports of one day: give one of the two"):
        opened(day, again)


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


def test_days_in_many_files_or_a_folder_are_one_source_and_each_mark_resumes_exactly(written, tmp_path):
    days = [
        written(
            *(event(f"of_{day}", at=AT + (9 - number) * SECOND + day * 100 * SECOND) for number in range(10)),
            name=f"events_{day}.json",
        )
        for day in range(4)
    ]

    whole = [repr(row) for row in read(opened(*days, rows=4))]

    assert [repr(row) for row in read(opened(tmp_path, rows=4))] == whole
    assert len(whole) == 40
    assert opened(*days, rows=4).description == "events_0.json to events_3.json, 4 files"
    done = 0
    for piece in evolve(opened(*days, rows=4), rows_of_a_piece=3).pieces(None):
        done += len(piece.rows)
        assert [repr(row) for row in read(opened(*days, rows=4), piece.mark)] == whole[done:]


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
def test_a_file_of_another_kind_says_what_it_is(written, content, message):
    path = written()
    path.write_bytes(content)

    with pytest.raises(UnreadableSource, match=message):
        opened(path)


def test_parquet_of_another_table_is_refused_by_its_columns(tmp_path):
    path = tmp_path / "users.parquet"
    duckdb.sql(f"copy (select 1 as pseudo_user_id) to '{path}' (format parquet)")

    with pytest.raises(UnreadableSource, match=r"users\.parquet has no column event_timestamp, event_name"):
        opened(path)
