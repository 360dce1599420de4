"""Exports of GoatCounter: columns as the published export writes them."""

import gzip
from datetime import UTC, datetime

import pytest

from footfall.adapters.sources.goatcounter import GoatCounterExports, is_export
from footfall.application.ports.imports import LeftOut, SourceRow, UnreadableRow, UnreadableSource
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType

HEADER = (
    "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,"
    "Screen size,Location,FirstVisit,Date\n"
)
VIEW = (
    '/static.html,"Static, ""quoted""\ntitle",false,,Chrome 86.0,Windows 7,287fb97cbed4e4f-8e4f5c975b8fee06,0,'
    'www.reddit.com/r/x,h,"1280,0,1",US-TX,1,2020-12-27T00:37:37Z\n'
)


def export(tmp_path, *rows, name="export.csv", header=HEADER):
    path = tmp_path / name
    data = (header + "".join(rows)).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def read(*paths, mark=None):
    return [row for piece in GoatCounterExports(list(paths)).pieces(mark) for row in piece.rows]


def test_a_pageview_keeps_what_the_export_has(tmp_path):
    [row] = read(export(tmp_path, VIEW, name="export.csv.gz"))

    assert row.type is HitType.PAGEVIEW
    assert row.occurred_at == datetime(2020, 12, 27, 0, 37, 37, tzinfo=UTC)
    assert (row.pathname, row.page_title) == ("/static.html", 'Static, "quoted"\ntitle')
    assert (row.browser, row.browser_version) == ("Chrome", "86.0")
    assert (row.operating_system, row.operating_system_version) == ("Windows", "7")
    assert (row.referrer, row.country, row.region) == ("https://www.reddit.com/r/x", "US", "TX")
    assert (row.screen_width, row.screen_height, row.device_type) == (1280, None, DeviceType.DESKTOP)
    assert (row.visitor, row.user_agent) == ("287fb97cbed4e4f-8e4f5c975b8fee06", None)


def test_an_event_is_named_by_its_path(tmp_path):
    [row] = read(export(tmp_path, "click-cv,CV,1,,,,1-2,0,,,,,1,2020-12-01T00:07:10Z\n"))

    assert (row.type, row.event_name, row.pathname) == (HitType.CUSTOM_EVENT, "click-cv", None)
    assert (row.browser, row.country, row.device_type) == (None, None, DeviceType.UNKNOWN)


@pytest.mark.parametrize(
    ("referrer", "scheme", "expected", "utm"),
    [
        ("news", "c", None, Utm(source="news")),
        ("Email", "g", None, None),
        ("", "", None, None),
        ("com.android.app", "o", "https://com.android.app", None),
    ],
)
def test_referrers_are_read_by_their_scheme(tmp_path, referrer, scheme, expected, utm):
    row = f"/,,false,,,,1-2,0,{referrer},{scheme},,,1,2020-12-01T00:07:10Z\n"

    [found] = read(export(tmp_path, row))

    assert (found.referrer, found.utm) == (expected, utm)


def test_rows_without_a_session_are_visitors_of_their_own(tmp_path):
    row = "/,,false,,,,{},0,,,,,1,2020-12-01T00:07:1{}Z\n"

    first, second = read(export(tmp_path, row.format("", 0), row.format("0-0", 1)))

    assert first.visitor != second.visitor


def test_bots_are_left_out(tmp_path):
    [row] = read(export(tmp_path, "/,,false,,,,1-2,5,,,,,1,2020-12-01T00:07:10Z\n"))

    assert row.reason is LeftOut.BOT


def test_an_unreadable_row_is_named_by_its_place(tmp_path):
    good, short, undated = read(
        export(tmp_path, VIEW, "a,b\n", VIEW.replace("2020-12-27T00:37:37Z", "never"))
    )

    assert isinstance(good, SourceRow)
    assert (short.place, short.fault) == ("export.csv, row 3", "it has 2 columns in the place of 14")
    assert isinstance(undated, UnreadableRow)


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_date_that_no_utc_time_has_is_named_by_its_place(tmp_path, date):
    [row] = read(export(tmp_path, VIEW.replace("2020-12-27T00:37:37Z", date)))

    assert row == UnreadableRow("export.csv, row 2", "its date is no time")


def test_a_width_in_other_digits_than_ascii_is_unknown(tmp_path):
    [row] = read(export(tmp_path, VIEW.replace("1280,0,1", "\u00b2,0,1")))

    assert (row.screen_width, row.device_type) == (None, DeviceType.UNKNOWN)


def test_the_last_row_of_an_export_needs_no_line_break_behind_it(tmp_path):
    later = VIEW.replace("/static.html", "/later")

    first = list(GoatCounterExports([export(tmp_path, VIEW, later.rstrip("\n"))]).pieces(None))
    longer = read(export(tmp_path, VIEW, later, VIEW), mark=first[-1].mark)

    assert [row.pathname for piece in first for row in piece.rows] == ["/static.html", "/later"]
    assert [row.pathname for row in longer] == ["/static.html"]


def test_a_quote_that_does_not_end_is_named_by_its_place(tmp_path):
    rows = read(export(tmp_path, VIEW, '"/open,Title,false\n', "/lost,Title,false\n"))

    assert rows[1:] == [UnreadableRow("export.csv, row 3", "it is not CSV in UTF-8")]


def test_another_version_and_sums_are_refused(tmp_path):
    with pytest.raises(UnreadableSource, match="version 2"):
        read(export(tmp_path, VIEW, header=HEADER.replace("2Path", "1Path")))


def test_a_later_export_that_goes_on_adds_its_rows(tmp_path):
    first = export(tmp_path, VIEW)
    mark = list(GoatCounterExports([first]).pieces(None))[-1].mark
    second = export(tmp_path, VIEW.replace("37:37Z", "38:00Z"), name="later.csv")

    assert len(read(second, mark=mark)) == 1
    assert read(first, mark=mark) == []


def test_an_export_is_recognised_from_its_first_line():
    assert is_export(HEADER.encode())
    assert not is_export(b"192.0.2.7 - - [")
