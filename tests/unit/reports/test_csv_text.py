"""Tables as CSV."""

import csv
from datetime import UTC, datetime, timedelta, timezone
from io import StringIO

import pytest

from footfall.application.ports.reports.breakdowns import BreakdownPage
from footfall.application.reports.catalogue.breakdowns import Breakdown, BreakdownInquiry, WebVitalsInquiry
from footfall.application.reports.csv_text import csv_text
from footfall.application.reports.tables import Table, table_of
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.periods.period import Period
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import PageVitals, Percentiles
from tests.histories import START

QUERY = ReportQuery(Period(START, START + timedelta(days=1)))


def read(text):
    return list(csv.reader(StringIO(text, newline="")))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\nx",
        "\N{FULLWIDTH EQUALS SIGN}1",
        "\N{FULLWIDTH PLUS SIGN}1",
        "\N{FULLWIDTH HYPHEN-MINUS}1",
        "\N{FULLWIDTH COMMERCIAL AT}x",
        "'=1",
        "'",
    ],
)
def test_text_that_a_spreadsheet_runs_is_marked_and_can_be_restored(text):
    [_, [cell]] = read(csv_text(Table(("value",), [(text,)])))

    assert cell == f"'{text}"


@pytest.mark.parametrize("text", ["/a=b", 'say "hi", you', "two\r\nlines", "Ünïcode", " =", "a'b", ""])
def test_other_texts_are_read_back_as_they_are(text):
    [_, [cell, end]] = read(csv_text(Table(("value", "end"), [(text, "x")])))

    assert (cell, end) == (text, "x")


def test_numbers_are_not_marked_and_missing_values_are_empty():
    text = csv_text(Table(("a", "b", "c", "d"), [(-1, -0.5, None, 2**63)]))

    assert text == "a,b,c,d\r\n-1,-0.5,,9223372036854775808\r\n"


def test_table_without_rows_has_its_columns():
    table = BreakdownInquiry(QUERY, "country").table(Breakdown(BreakdownPage([], 0, 0)))

    assert csv_text(table) == "value,count,percentage\r\n"


def test_table_without_rows_has_the_columns_that_were_asked_for():
    inquiry = BreakdownInquiry(QUERY, "country", visitors=True, goal=GoalQuery(PathRule("/")))

    columns = inquiry.table(Breakdown(BreakdownPage([], 0, 0))).columns

    figures = ("total_conversions", "total_sessions", "conversion_rate")
    assert columns == ("value", "count", "visitors", "percentage", *figures)


def test_visitors_are_a_column_when_they_were_counted():
    found = Breakdown(BreakdownPage([BreakdownRow("/", 3, 2)], 1, 4))

    table = BreakdownInquiry(QUERY, "pathname", visitors=True).table(found)

    assert table.records() == [{"value": "/", "count": 3, "visitors": 2, "percentage": 75.0}]


def test_times_are_in_utc():
    at = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=2)))

    [row] = table_of(("time",), [{"time": at}]).records()

    assert row["time"] == "2025-12-31T23:00:00.000Z"
    assert datetime.fromisoformat(row["time"]) == at.astimezone(UTC)


def test_vitals_of_all_pages_have_a_name_of_their_own():
    one = Percentiles(1000, 2600, 5000)

    found = [PageVitals(None, 2, {"lcp": one}), PageVitals("/", 2, {})]
    [row, _] = WebVitalsInquiry(QUERY).table(found).records()

    assert (row["pathname"], row["lcp_p75"], row["lcp_rating"], row["cls_p75"]) == (
        "(all pages)",
        2600,
        "needs improvement",
        None,
    )
