"""The tables of reports: types of columns, exact values, and citations."""

import pytest

from footfall.client.reading import Citation
from tests.servers.report_server import POSITIONS, rows
from tests.unit.client.reading.conftest import records


def types(table):
    return {one.name: str(one.type).split("<", 1)[1].rsplit(">", 1)[0] for one in table.schema}


def test_a_report_is_a_table_with_typed_columns(served):
    _, reader = served(rows("value,count,percentage", "DE,210,61.4", "AT,132,38.6"))

    table = reader.read(1, "breakdown", by="country")

    assert types(table) == {"value": "Utf8", "count": "Int64", "percentage": "Float64"}
    assert records(table)[0] == {"value": "DE", "count": 210, "percentage": 61.4}


def test_a_report_without_rows_has_its_columns_and_their_types(served):
    _, reader = served(rows("value,count,sum"))

    table = reader.read(1, "revenue", goal=1)

    assert table.num_rows == 0
    assert types(table) == {"value": "Utf8", "count": "Int64", "sum": "Decimal128(38, 9)"}


def test_numbers_and_texts_are_exact(served):
    lines = (
        "pathname,pageviews,bounce_rate,group",
        "'=1+1,9007199254740993,0.1,",
        "''quoted,9223372036854775807,1e-300,é",
        ',0,,"a, ""b""\r\n中"',
        "NULL,-1,0.30000000000000004,😀",
    )
    _, reader = served(rows(*lines))

    found = records(reader.read(1, "pages"))

    assert [row["pathname"] for row in found] == ["=1+1", "'quoted", "", "NULL"]
    assert [row["pageviews"] for row in found] == [2**53 + 1, 2**63 - 1, 0, -1]
    assert [row["bounce_rate"] for row in found] == [0.1, 1e-300, None, 0.1 + 0.2]
    assert [row["group"] for row in found] == [None, "é", 'a, "b"\r\n中', "😀"]


def test_times_are_in_utc(served):
    _, reader = served(rows("time,error_count", "2026-01-31T12:00:00.123Z,3"))

    [row] = records(reader.read(1, "error-bucketed"))

    assert row["time"].isoformat() == "2026-01-31T12:00:00.123000+00:00"


@pytest.mark.parametrize(
    ("sums", "kind", "expected"),
    [
        (["480.5", "", "1e-7"], "Decimal128(38, 9)", ["480.500000000", "None", "1.00E-7"]),
        (["1e+22", "-0.1"], "Decimal128(38, 9)", ["10000000000000000000000.000000000", "-0.100000000"]),
        (["1e+300", "1.5"], "Float64", ["1e+300", "1.5"]),
    ],
)
def test_money_is_decimal_unless_it_has_too_many_digits(served, sums, kind, expected):
    _, reader = served(rows("value,count,sum", *(f"x,1,{text}" for text in sums)))

    table = reader.read(1, "revenue", goal=1)

    assert types(table)["sum"] == kind
    assert [str(value) for value in table.column("sum").to_pylist()] == expected


def test_a_table_has_its_citation(served):
    _, reader = served(rows("value,count", "é,1", positions=POSITIONS, excluded="2", incomplete="5"))

    citation = Citation.of(reader.read(1, "breakdown", by="country"))

    assert (citation.report, citation.site, citation.parameters) == ("breakdown", "1", {"by": "country"})
    assert (citation.positions, citation.at) == (POSITIONS, "2026-11-22T12:40:00.000Z")
    assert (citation.excluded, citation.incomplete) == (2, 5)
    assert str(citation).startswith("breakdown of site 1 at http://127.0.0.1:")


def test_a_table_that_lost_its_citation_says_so(served):
    _, reader = served(rows("value,count"))
    table = reader.read(1, "breakdown", by="country")

    with pytest.raises(ValueError, match="no citation"):
        Citation.of(type(table).from_arrays(list(table.columns), names=table.column_names))


def test_the_citation_of_an_earlier_state_can_be_asked_again(served):
    server, reader = served(lambda _asked: rows("value,count", positions=POSITIONS))
    earlier = reader.read(1, "breakdown", by="country", as_of="2026-02-01T00:00:00Z")

    citation = Citation.of(earlier)
    reader.read(1, "breakdown", **citation.parameters, as_of=citation.positions)

    assert [asked.query["as_of"] for asked in server.requests] == ["2026-02-01T00:00:00Z", POSITIONS]


def test_polars_and_duckdb_read_a_table(served):
    import duckdb  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    _, reader = served(rows("value,count,sum", "é,9007199254740993,1.5", ",1,"))
    found = reader.read(1, "revenue", goal=1)

    assert pl.DataFrame(found)["count"].to_list() == [9007199254740993, 1]
    assert duckdb.sql("select value, count, sum::text from found").fetchall() == [
        ("é", 9007199254740993, "1.500000000"),
        ("", 1, None),
    ]
