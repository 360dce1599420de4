"""Formats are recognised from the beginning of the first source."""

import pytest

from footfall.adapters.sources.opening import FORMATS, ImportOrder, check_places, open_source, recognise
from footfall.application.ports.imports import UnreadableSource

COMBINED = '192.0.2.7 - - [10/Oct/2023:13:55:36 -0700] "GET / HTTP/1.1" 200 1 "-" "Mozilla/5.0"\n'


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [
        ('{"format":"footfall-hits","version":1,"source":"0"}\n', "footfall"),
        (COMBINED, "access-log"),
        ("2Path,Title,Event\n", "goatcounter"),
        ("event_id,website_id,session_id,created_at,url_path\n", "umami"),
        ('"timestamp","name","pathname","referrer_source","meta.key"\n', "plausible"),
        ('{"event_timestamp":"1","event_name":"click","event_params":[]}\n', "ga4"),
        ("site_id\ttimestamp\tquerystring\turl_parameters\tprops\n", "rybbit"),
    ],
)
def test_a_file_is_recognised_from_its_first_line(tmp_path, beginning, expected):
    path = tmp_path / "file"
    path.write_text(beginning)

    assert recognise([str(path)]) == expected
    assert expected in FORMATS


def test_a_stream_is_an_archive_and_a_database_of_postgresql_is_umami():
    assert recognise(["-"]) == "footfall"
    assert recognise(["postgresql://db.example/umami"]) == "umami"


def test_a_database_of_mysql_or_mariadb_is_matomo():
    assert recognise(["mysql://db.example/matomo"]) == "matomo"
    assert recognise(["mariadb://db.example/matomo"]) == "matomo"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello\n", "is not recognised from its first line: name it with --from"),
        (b"", "is empty"),
        (b"PK\x03\x04...\n", "holds sums of days"),
        (b'"date","visitors","pageviews"\n', "holds sums of days"),
        (b"date,source,referrer,visits\n", "holds sums of days"),
        (b"# ------\n# Pages and screens\n", "is a report of Google Analytics, which holds sums"),
        (b'{"dimensionHeaders":[{"name":"date"}]}\n', "is a report of Google Analytics, which holds sums"),
        (b"PAR1", "holds no complete line"),
        (b"PAR1\xff\xff\xff\xffPAR1", "is not recognised"),
        (b"PAR1date visitors pageviews\x16\0\0\0PAR1", "is not recognised"),
    ],
)
def test_another_file_is_refused_with_the_reason(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)

    with pytest.raises(UnreadableSource, match=message):
        recognise([str(path)])


def test_a_folder_and_a_web_address_have_to_be_named(tmp_path):
    with pytest.raises(UnreadableSource, match="the format of a folder is named with --from"):
        recognise([str(tmp_path)])
    with pytest.raises(UnreadableSource, match="name it with --from, plausible or rybbit"):
        recognise(["http://db.example:8123/"])


@pytest.mark.parametrize(
    ("name", "places", "message"),
    [
        ("access-log", ("-",), "standard input cannot be read twice"),
        ("umami", ("postgresql://a", "postgresql://b"), "a database is one source"),
        ("plausible", ("a.csv", "b.csv"), "are one file, or one database"),
        ("umami", ("events.csv",), "files of Umami are named website_event.csv"),
        ("rybbit", ("http://",), "ClickHouse is named by a URL"),
        ("matomo", ("mysql://a/b", "mysql://c/d"), "a database is one source"),
        ("matomo", ("dump.sql",), "a MySQL or MariaDB is named by a URL"),
    ],
)
def test_places_that_a_format_cannot_have_are_refused(name, places, message):
    with pytest.raises(UnreadableSource, match=message):
        open_source(name, ImportOrder(places=places, domain="shop.example"))


@pytest.mark.parametrize("text", ["host=db password=hidden", "dbname = umami user=u password = hidden"])
def test_the_parameters_of_a_connection_are_refused_without_their_text(text):
    with pytest.raises(UnreadableSource) as recognised:
        recognise([text])
    with pytest.raises(UnreadableSource) as opened:
        open_source("umami", ImportOrder(places=[text], domain="example.com"))

    assert "postgresql://" in str(recognised.value)
    assert "hidden" not in str(recognised.value) + str(opened.value)


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("access-log", "http://reader:hidden@db.example/x", "it comes in files only"),
        ("footfall", "postgresql://reader:hidden@db.example/x", "it comes in files only"),
        ("umami", "https://reader:hidden@db.example/hidden", "begin with postgres:// or postgresql://"),
        ("matomo", "postgresql://reader:hidden@db.example/x", "begin with mysql:// or mariadb://"),
        ("umami", "mysql://reader:hidden@db.example/x", "begin with postgres:// or postgresql://"),
        ("plausible", "HTTP://reader:hidden@db.example/x", "begin with http:// or https://"),
        ("rybbit", "clickhouse://reader:hidden@db.example/x", "begin with http:// or https://"),
    ],
)
def test_a_url_that_a_format_does_not_have_is_refused_without_its_password(name, place, message):
    with pytest.raises(UnreadableSource, match=message) as refusal:
        check_places(name, [place])

    assert "hidden" not in str(refusal.value)


def test_a_url_of_another_kind_is_not_recognised_and_not_shown():
    with pytest.raises(UnreadableSource, match="a URL begins with postgres://") as refusal:
        recognise(["mongodb://reader:hidden@db.example/umami"])

    assert "hidden" not in str(refusal.value)
