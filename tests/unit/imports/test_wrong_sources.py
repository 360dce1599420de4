"""Files that are not what they should be: each is read all the same, or refused in one line that says what to do."""

import gzip
import os

import pytest

from footfall.adapters.sources.opening import (
    ImportOrder,
    logs_without_lines,
    open_goals,
    open_source,
    recognise,
)
from footfall.application.ports.imports import SourceRow, UnreadableSource

LOG = '192.0.2.7 - - [10/Oct/2023:13:55:36 -0700] "GET /a HTTP/1.1" 200 1 "-" "Mozilla/5.0"\n'
GOATCOUNTER = (
    "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,"
    "Date\n"
    '/a,A,false,,Firefox 120,Linux,1-2,0,,,"1280,0,1",US,true,2023-12-27T00:37:37Z\n'
)
UMAMI = (
    "event_id,website_id,session_id,created_at,event_type,url_path\n"
    "0b1f9a52-0000-4000-8000-00000000000a,0b1f9a52-0000-4000-8000-000000000001,"
    "0b1f9a52-0000-4000-8000-00000000000b,2023-12-31 23:59:00+00,1,/a\n"
)
PLAUSIBLE = (
    '"timestamp","name","site_id","user_id","session_id","pathname","referrer_source","meta.key"\n'
    '"2023-12-31 23:59:00","pageview",7,1,2,"/a","","[]"\n'
)
RYBBIT = (
    "site_id\ttimestamp\tsession_id\tuser_id\tpathname\ttype\tquerystring\turl_parameters\tprops\n"
    "7\t2023-12-31 23:59:00\ts\tu\t/a\tpageview\t\t{}\t{}\n"
)
GA4 = (
    '{"event_timestamp":"1703980740000000","event_name":"page_view","event_params":[{"key":"page_location",'
    '"value":{"string_value":"https://shop.example/a"}}],"user_pseudo_id":"1.2","stream_id":"7"}\n'
)
GOALS = 'goal_id,site_id,name,goal_type,config,created_at\n1,7,,path,"{""pathPattern"":""/a""}",2024-01-01\n'
SOURCES = {
    "access-log": ("access.log", LOG),
    "goatcounter": ("export.csv", GOATCOUNTER),
    "umami": ("website_event.csv", UMAMI),
    "plausible": ("events.csv", PLAUSIBLE),
    "rybbit": ("events.tsv", RYBBIT),
    "ga4": ("events.json", GA4),
}
TABLES = ("umami", "plausible", "rybbit")


def wanted(path):
    return ImportOrder(places=[str(path)], domain="shop.example")


def rows(name, path):
    source = open_source(name, wanted(path))
    source.total()
    return [row for piece in source.pieces(None) for row in piece.rows]


@pytest.fixture(params=SOURCES)
def name(request):
    return request.param


@pytest.fixture
def path(tmp_path, name):
    return tmp_path / SOURCES[name][0]


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        gzip.compress,
        lambda text: gzip.compress(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")),
    ],
    ids=["a mark of UTF-8", "CRLF", "gzip under another name", "all of them"],
)
def test_files_of_other_systems_are_recognised_and_read_alike(name, path, changed):
    text = SOURCES[name][1].encode()
    path.write_bytes(text)
    expected = rows(name, path)
    path.write_bytes(changed(text))

    assert recognise([str(path)]) == name
    assert rows(name, path) == expected
    assert [type(row) for row in expected] == [SourceRow]


def test_a_file_whose_path_looks_like_a_pattern_is_read_and_no_other(name, tmp_path):
    file, text = SOURCES[name]
    for folder, place in (("logs[1]", "/a"), ("logs1", "/other"), ("a*", "/star"), ("ab", "/other")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).write_text(text.replace("/a", place))

    assert [row.pathname for row in rows(name, tmp_path / "logs[1]" / file)] == ["/a"]
    assert [row.pathname for row in rows(name, tmp_path / "a*" / file)] == ["/star"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda text: text.decode().encode("utf-16"), "is in UTF-16: write it in UTF-8"),
        (lambda text: b"\xfe\xff" + text.decode().encode("utf-16-be"), "is in UTF-16: write it in UTF-8"),
        (lambda _: b"PK\x03\x04" + bytes(50), "is a ZIP archive: unpack it first"),
        (lambda _: b"\x28\xb5\x2f\xfd" + bytes(50), "is compressed with Zstandard: unpack it first"),
        (lambda _: b"\xfd7zXZ\0" + bytes(50), "is compressed with xz: unpack it first"),
        (lambda _: b"BZh91AY" + bytes(50), "is compressed with bzip2: unpack it first"),
        (lambda text: gzip.compress(text)[:15], "line 1: the file is damaged or cut off"),
        (lambda text: gzip.compress(text) + b"more", r"line \d: the file is damaged or cut off"),
    ],
)
def test_another_kind_of_file_is_refused_with_what_to_do(name, path, changed, message):
    path.write_bytes(changed(SOURCES[name][1].encode()))

    with pytest.raises(UnreadableSource, match=message):
        recognise([str(path)])
    with pytest.raises(UnreadableSource, match=message):
        rows(name, path)


def test_a_file_that_is_cut_off_behind_its_first_lines_is_refused_at_its_line(name, path):
    header, row = (
        SOURCES[name][1].splitlines(keepends=True)[0],
        SOURCES[name][1].splitlines(keepends=True)[-1],
    )
    text = header + "".join(row.replace("/a", f"/{os.urandom(9).hex()}") for _ in range(2_000))
    path.write_bytes(gzip.compress(text.encode())[:-1_000])

    with pytest.raises(UnreadableSource, match=rf"{path.name}, line \d+: the file is damaged or cut off"):
        rows(name, path)


def test_an_empty_file_is_called_empty(name, path):
    path.write_bytes(b"")

    with pytest.raises(UnreadableSource, match=f"{path.name} holds no complete line: it is empty"):
        recognise([str(path)])
    if name in TABLES:
        with pytest.raises(UnreadableSource, match="is empty"):
            rows(name, path)


@pytest.mark.parametrize(
    "content",
    [b"", gzip.compress(b"", mtime=0), b"\xef\xbb\xbf", LOG[:-1].encode()],
    ids=["nothing", "nothing, compressed", "a mark of UTF-8", "a line without its end"],
)
def test_a_log_without_a_complete_line_is_refused_alone_and_passed_over_beside_others(tmp_path, content):
    logs = [str(tmp_path / name) for name in ("access.log", "access.log.1", "access.log.2")]
    for log in (logs[0], logs[2]):
        (tmp_path / log).write_bytes(content)
    (tmp_path / logs[1]).write_text(LOG)

    for lonely in (recognise, lambda places: logs_without_lines("access-log", places)):
        with pytest.raises(
            UnreadableSource, match=r"access\.log holds no complete line: it is empty, or its"
        ):
            lonely(logs[:1])
        with pytest.raises(UnreadableSource, match="none of 2 files holds a complete line"):
            lonely([logs[0], logs[2]])
    assert recognise(logs) == "access-log"
    assert logs_without_lines("access-log", logs) == [logs[0], logs[2]]
    source = open_source("access-log", ImportOrder(places=logs, domain="shop.example"))
    assert [row.pathname for piece in source.pieces(None) for row in piece.rows] == ["/a"]


@pytest.mark.parametrize("lines", [1, 2, 20_000])
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_log_whose_lines_end_with_cr_alone_is_refused_with_what_to_do(tmp_path, lines, packed):
    log = tmp_path / "access.log"
    log.write_bytes(packed(LOG.replace("\n", "\r").encode() * lines + LOG[:-1].encode()))

    for reading in (
        lambda: recognise([str(log)]),
        lambda: logs_without_lines("access-log", [str(log)]),
        lambda: rows("access-log", log),
    ):
        with pytest.raises(
            UnreadableSource, match=r"^access\.log, line 1: its lines end with CR alone: .* tr "
        ):
            reading()


def test_a_line_with_cr_inside_is_unreadable_and_hides_no_other(tmp_path):
    log = tmp_path / "access.log"
    log.write_text(LOG + LOG.replace("\n", "\r") + LOG)

    [first, second] = rows("access-log", log)

    assert isinstance(first, SourceRow)
    assert (second.place, second.fault) == (
        "access.log, line 2",
        "it has CR inside, where LF or CRLF ends a line",
    )


@pytest.mark.parametrize("name", TABLES, indirect=True)
def test_a_table_without_a_row_that_can_be_read_names_no_site(name, path):
    path.write_text(SOURCES[name][1].splitlines(keepends=True)[0])

    with pytest.raises(UnreadableSource, match="the source has no site: no rows, or none that can be read"):
        rows(name, path)


@pytest.mark.parametrize("name", TABLES, indirect=True)
def test_a_table_with_semicolons_is_refused_by_them(name, path):
    path.write_text(SOURCES[name][1].replace(",", ";").replace("\t", ";"))

    with pytest.raises(
        UnreadableSource, match=r"has semicolons between its columns: write it with (commas|tabs)"
    ):
        rows(name, path)


def test_a_folder_a_pipe_and_a_name_that_is_none_are_refused(name, path):
    path.mkdir()
    pipe = path.with_name(f"pipe-{path.name}")
    os.mkfifo(pipe)
    messages = {"umami": "the table of events is missing", "ga4": "the folder is empty"}
    message = messages.get(name, "cannot be opened: Is a directory")

    with pytest.raises(UnreadableSource, match=message):
        rows(name, path)
    with pytest.raises(UnreadableSource, match="is a pipe, which cannot be read twice"):
        recognise([str(pipe)])
    with pytest.raises(UnreadableSource, match=r"is a pipe|files of Umami are named"):
        rows(name, pipe)
    for place in (path.with_name("x" * 300), path.with_name("missing")):
        with pytest.raises(UnreadableSource, match="cannot be opened"):
            recognise([str(place)])
        with pytest.raises(UnreadableSource, match=r"cannot be opened|files of Umami are named"):
            rows(name, place)


@pytest.mark.parametrize("changed", [bytes, gzip.compress, lambda text: b"\xef\xbb\xbf" + text])
def test_goals_are_read_from_compressed_files_too(tmp_path, changed):
    path = tmp_path / "goals.csv.gz"
    path.write_bytes(changed(GOALS.encode()))

    assert recognise([str(path)]) == "rybbit"
    [goal] = open_goals("rybbit", wanted(path)).goals(0)
    assert goal.number == 1
