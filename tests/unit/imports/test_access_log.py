"""Access logs: which lines are pageviews, and how sets of them grow and rotate."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from footfall.adapters.sources.access_log import AccessLogs, is_access_log
from footfall.adapters.sources.reading.file_set import FileSet
from footfall.application.ports.imports import (
    LeftOut,
    LeftOutRow,
    SourceRow,
    UnreadableRow,
    UnreadableSource,
)

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"


def line(
    path="/", *, time="10/Oct/2023:13:55:36 -0700", method="GET", status=200, referrer="-", agent=FIREFOX
):
    request = f"{method} {path} HTTP/1.1"
    return f'192.0.2.7 - - [{time}] "{request}" {status} 2326 "{referrer}" "{agent}"\n'


def rows(tmp_path, *lines, mark=None):
    log = tmp_path / "access.log"
    log.write_text("".join(lines))
    return [row for piece in AccessLogs([log], "shop.example").pieces(mark) for row in piece.rows]


def paths(pieces):
    return [row.pathname for piece in pieces for row in piece.rows]


def test_a_line_of_the_combined_format_becomes_a_pageview(tmp_path):
    [row] = rows(tmp_path, line("/a?b=c", referrer="https://www.google.com/"))

    assert row.occurred_at == datetime(2023, 10, 10, 20, 55, 36, tzinfo=UTC)
    assert (row.pathname, row.querystring, row.referrer) == ("/a", "b=c", "https://www.google.com/")
    assert (row.address, row.user_agent, row.hostname) == ("192.0.2.7", FIREFOX, None)


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("31/Dec/2023:23:30:00 -0230", datetime(2024, 1, 1, 2, tzinfo=UTC)),
        ("29/Feb/2024:00:00:00 +0545", datetime(2024, 2, 28, 18, 15, tzinfo=UTC)),
    ],
)
def test_times_are_those_of_their_zone(tmp_path, time, expected):
    [row] = rows(tmp_path, line(time=time))

    assert row.occurred_at == expected


@pytest.mark.parametrize(
    "request_line",
    [
        line("/app.js"),
        line("/image.PNG?v=2"),
        line("/feed.xml"),
        line("/", method="POST"),
        line("/", method="HEAD"),
        line("/", status=404),
        line("/", status=301),
        line("*", method="OPTIONS"),
        line().replace("GET / HTTP/1.1", "-"),
        line().replace("GET / HTTP/1.1", r"\x16\x03\x01"),
    ],
)
def test_a_request_that_shows_no_page_is_left_out(tmp_path, request_line):
    [row] = rows(tmp_path, request_line)

    assert isinstance(row, LeftOutRow)
    assert (row.type, row.reason) == ("request", LeftOut.NO_PAGE)


@pytest.mark.parametrize("path", ["/", "/index.php", "/v1.2/notes", "/a.b/c", "/page.html"])
def test_paths_without_the_ending_of_an_asset_are_pages(tmp_path, path):
    [row] = rows(tmp_path, line(path))

    assert isinstance(row, SourceRow)


def test_escapes_of_both_servers_are_read(tmp_path):
    [row] = rows(tmp_path, line(agent=r"a \x22b\x22 \"c\" \xC3\xA9 \\d"))

    assert row.user_agent == 'a "b" "c" é \\d'


def test_a_virtual_host_in_front_is_the_host_name(tmp_path):
    own, other = rows(
        tmp_path,
        f"www.shop.example:443 {line()}",
        f"blog.example:80 {line(time='10/Oct/2023:14:00:00 -0700')}",
    )

    assert (own.hostname, own.address) == ("shop.example", "192.0.2.7")
    assert other.reason is LeftOut.OTHER_HOST


def test_a_remote_user_does_not_shift_the_address(tmp_path):
    [row] = rows(tmp_path, line().replace("- - [", "- Anna Smith ["))

    assert (row.address, row.hostname) == ("192.0.2.7", None)


CADDY = {
    "level": "info",
    "ts": 1700000000.25,
    "logger": "http.log.access",
    "msg": "handled request",
    "request": {
        "remote_ip": "192.0.2.1",
        "client_ip": "192.0.2.7",
        "method": "GET",
        "host": "shop.example",
        "uri": "/a?b=c",
        "headers": {"User-Agent": [FIREFOX], "Referer": ["https://duckduckgo.com/"]},
    },
    "status": 200,
    "resp_headers": {"Content-Type": ["text/html; charset=utf-8"]},
}


def test_a_line_of_caddy_becomes_a_pageview(tmp_path):
    [row] = rows(tmp_path, json.dumps(CADDY) + "\n")

    assert row.occurred_at == datetime(2023, 11, 14, 22, 13, 20, 250_000, tzinfo=UTC)
    assert (row.address, row.user_agent, row.hostname) == ("192.0.2.7", FIREFOX, "shop.example")
    assert (row.pathname, row.querystring, row.referrer) == ("/a", "b=c", "https://duckduckgo.com/")


@pytest.mark.parametrize(
    "ts",
    [
        1646861401.5241024,
        1646861401524.1024,
        1646861401524102400,
        "2022-03-09T21:30:01.524Z",
        "2022-03-09T22:30:01.524+0100",
        "2022-03-09T22:30:01+01:00",
        "2022-03-09T21:30:01.5241024Z",
        "2022/03/09 21:30:01",
        "2022/03/09 21:30:01.524",
        "2022/03/09 21:30:01.524102400",
        "09/Mar/2022:22:30:01 +0100",
    ],
)
def test_every_time_format_of_caddy_is_read(tmp_path, ts):
    [row] = rows(tmp_path, json.dumps(CADDY | {"ts": ts}) + "\n")

    assert row.occurred_at.replace(microsecond=0) == datetime(2022, 3, 9, 21, 30, 1, tzinfo=UTC)
    assert row.occurred_at.microsecond in (0, 524_000, 524_102)


@pytest.mark.parametrize("ts", ["Wed Mar  9 21:30:01 2022", "9:30PM", "", True, [1646861401], 1e300, "²"])
def test_a_time_in_another_notation_is_refused_with_what_to_write(tmp_path, ts):
    [row] = rows(tmp_path, json.dumps(CADDY | {"ts": ts}) + "\n")

    assert isinstance(row, UnreadableRow)
    assert row.fault.startswith("its ts is in no notation that is read: write ISO 8601")


def test_the_content_type_decides_where_the_log_has_it(tmp_path):
    answer = CADDY | {"resp_headers": {"Content-Type": ["application/json"]}}

    [row] = rows(tmp_path, json.dumps(answer) + "\n")

    assert row.reason is LeftOut.NO_PAGE


@pytest.mark.parametrize(
    "document",
    [
        {"time_iso8601": "2023-11-14T23:13:20+01:00", "request": "GET /a?b=c HTTP/2.0"},
        {"time_local": "14/Nov/2023:22:13:20 +0000", "request_method": "GET", "request_uri": "/a?b=c"},
        {"msec": "1700000000.000", "request_method": "GET", "uri": "/a", "args": "b=c"},
        {"msec": 1700000000.000, "request_method": "GET", "request_uri": "/a?b=c"},
    ],
)
def test_json_of_nginx_is_read_under_the_usual_names(tmp_path, document):
    document |= {"remote_addr": "192.0.2.7", "status": "200", "http_referer": "-", "http_user_agent": FIREFOX}

    [row] = rows(tmp_path, json.dumps(document) + "\n")

    assert row.occurred_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert (row.pathname, row.querystring, row.referrer, row.user_agent) == ("/a", "b=c", None, FIREFOX)


@pytest.mark.parametrize(
    "unreadable",
    [
        "nonsense\n",
        "{\n",
        "[]\n",
        "{}\n",
        '{"status": 200}\n',
        line(time="10/Okt/2023:13:55:36 -0700"),
        line(time="32/Oct/2023:13:55:36 -0700"),
        '192.0.2.7 - - [10/Oct/2023:13:55:36 -0700] "GET / HTTP/1.1" 200 2326\n',
    ],
)
def test_a_line_that_cannot_be_read_is_named_by_its_place_without_its_content(tmp_path, unreadable):
    _, row = rows(tmp_path, line(), unreadable)

    assert isinstance(row, UnreadableRow)
    assert row.place == "access.log, line 2"
    assert unreadable.strip() not in row.fault


def test_a_line_without_its_end_is_left_to_the_next_reading(tmp_path):
    log = tmp_path / "access.log"
    log.write_text(line("/a") + line("/b")[:-1])
    logs = AccessLogs([log], "shop.example")
    first = list(logs.pieces(None))
    log.write_text(line("/a") + line("/b"))

    later = list(logs.pieces(first[-1].mark))

    assert (paths(first), paths(later)) == (["/a"], ["/b"])


def test_a_set_is_read_again_under_other_names_and_adds_only_what_is_new(tmp_path):
    current, rotated = tmp_path / "access.log", tmp_path / "access.log.1.gz"
    current.write_text(
        line("/a", time="01/Jan/2024:00:00:00 +0000") + line("/b", time="01/Jan/2024:00:00:01 +0000")
    )
    first = list(AccessLogs([current], "shop.example").pieces(None))
    more = line("/c", time="01/Jan/2024:00:00:02 +0000")
    rotated.write_bytes(gzip.compress((current.read_text() + more).encode()))
    current.write_text(line("/d", time="01/Jan/2024:00:00:03 +0000"))

    later = list(AccessLogs([current, rotated], "shop.example").pieces(first[-1].mark))

    assert paths(later) == ["/c", "/d"]
    assert paths(AccessLogs([rotated, current], "shop.example").pieces(later[-1].mark)) == []


def test_logs_of_two_servers_are_merged_by_time(tmp_path):
    one, two = tmp_path / "one.log", tmp_path / "two.log"
    one.write_text("".join(line(f"/1/{at}", time=f"01/Jan/2024:00:00:{at:02} +0000") for at in (0, 4, 8)))
    two.write_text("".join(line(f"/2/{at}", time=f"01/Jan/2024:00:00:{at:02} +0000") for at in (2, 4, 6)))

    found = paths(AccessLogs([two, one], "shop.example").pieces(None))

    assert [path.rpartition("/")[2] for path in found] == ["0", "2", "4", "4", "6", "8"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_each_mark_resumes_a_merged_set_exactly(tmp_path, size):
    logs = [tmp_path / f"{name}.log" for name in "abc"]
    for number, log in enumerate(logs):
        times = [f"01/Jan/2024:00:{number + at:02}:00 +0000" for at in range(0, 20, 3)]
        log.write_text("".join(line(f"/{log.stem}/{at}", time=at) for at in times))
    source = AccessLogs(logs, "shop.example")
    files = FileSet(logs, source.rows, rows_of_a_piece=size)
    whole = paths(source.pieces(None))

    for number, piece in enumerate(files.pieces(None), start=1):
        rest = paths(files.pieces(piece.mark))
        assert rest == whole[number * size :]
        again = list(files.halves(piece.mark))
        assert [row.pathname for one in again for row in one.known] == whole[: number * size]
        assert [row.pathname for one in again for row in one.new] == rest
        assert sum(one.done for one in again) == source.total()


def test_a_file_whose_beginning_has_changed_is_refused(tmp_path):
    log = tmp_path / "access.log"
    log.write_text(line("/a") + line("/b"))
    mark = list(AccessLogs([log], "shop.example").pieces(None))[-1].mark
    log.write_text(line("/a") + line("/changed"))

    with pytest.raises(UnreadableSource, match="its first 2 lines are not those"):
        list(AccessLogs([log], "shop.example").pieces(mark))


def test_a_file_that_is_given_twice_is_refused(tmp_path):
    plain, packed = tmp_path / "access.log.1", tmp_path / "access.log.1.gz"
    plain.write_text(line())
    packed.write_bytes(gzip.compress(line().encode()))

    with pytest.raises(UnreadableSource, match="begin with the same row"):
        list(AccessLogs([plain, packed], "shop.example").pieces(None))


def test_a_file_that_is_cut_off_is_refused_at_its_line(tmp_path):
    log = tmp_path / "access.log.gz"
    log.write_bytes(gzip.compress("".join(line(f"/{n}") for n in range(9_000)).encode())[:-2_000])

    with pytest.raises(UnreadableSource, match=r"access\.log\.gz, line \d+: the file is damaged or cut off"):
        list(AccessLogs([log], "shop.example").pieces(None))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UnreadableSource, match=r"missing\.log cannot be opened"):
        AccessLogs([tmp_path / "missing.log"], "shop.example").total()


def test_progress_ends_at_the_total(tmp_path):
    logs = [tmp_path / "a.log", tmp_path / "b.log.gz", tmp_path / "empty.log"]
    logs[0].write_text("".join(line(f"/{n}") for n in range(7_000)))
    logs[1].write_bytes(gzip.compress("".join(line(f"/b{n}") for n in range(100)).encode()))
    logs[2].write_text("")
    source = AccessLogs(logs, "shop.example")

    assert sum(piece.done for piece in source.pieces(None)) == source.total()


def test_a_log_is_recognised_from_a_line():
    assert is_access_log(line().encode())
    assert is_access_log(json.dumps(CADDY).encode())
    assert not is_access_log(b"2Path,Title")
    assert not is_access_log(b"{}")


def test_lines_without_rows_move_the_mark_too(tmp_path):
    log = tmp_path / "access.log.gz"
    log.write_bytes(gzip.compress(b"\n" * 20_500 + line().encode()))

    rows = AccessLogs([log], "shop.example").rows
    pieces = list(FileSet([log], rows, lines_of_a_piece=1_000).pieces(None))

    assert [len(piece.rows) for piece in pieces] == [0] * 20 + [1]
    assert len({piece.mark for piece in pieces}) == 21
