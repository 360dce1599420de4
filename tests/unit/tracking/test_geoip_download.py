"""Downloading a location database from a server of this machine: whole and verified, or not at all."""

import gzip
import hashlib
import io
import os
import tarfile
import time
from base64 import b64decode
from datetime import date
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, received
from footfall.adapters.geoip.reader import LocationDatabase
from footfall.adapters.geoip.transport import FileTransport
from footfall.adapters.geoip.unpacking import unpack
from tests.servers.location_files import DBIP_CITY, IPV4, MAXMIND_CITY, build
from tests.servers.mirror import serving

TODAY = date(2026, 3, 1)


@pytest.fixture
def mirror():
    with serving() as served:
        yield served


@pytest.fixture
def database(tmp_path):
    return build(tmp_path / "built", DBIP_CITY, "DBIP-City-Lite").read_bytes()


@pytest.fixture
def target(tmp_path):
    """A data directory with a former database."""
    (tmp_path / "data").mkdir()
    return build(tmp_path / "data" / "locations.mmdb", MAXMIND_CITY)


def fetch(target, url, limits=None, **options):
    source, transport = DownloadSource.chosen(url=url, **options), partial(FileTransport, **(limits or {}))
    with received(
        source, target, LocationDatabase, today=TODAY, advance=lambda _: None, transport=transport
    ) as publish:
        return publish()


def refusal(target, url, limits=None, **options):
    before = target.read_bytes()

    with pytest.raises(DownloadFailed) as caught:
        fetch(target, url, limits, **options)

    assert target.read_bytes() == before
    assert [file.name for file in target.parent.iterdir()] == [target.name]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def packed_tar(database, name="GeoLite2-City_20260301/GeoLite2-City.mmdb"):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as members:
        for member, content in (("GeoLite2-City_20260301/COPYRIGHT.txt", b"(c)"), (name, database)):
            information = tarfile.TarInfo(member)
            information.size = len(content)
            members.addfile(information, io.BytesIO(content))
    return archive.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, packed_tar])
def test_a_database_is_downloaded_however_it_is_packed(mirror, database, target, pack):
    url = mirror.put("/city", pack(database))

    fetched = fetch(target, url)

    assert fetched.locate(IPV4).city == "Mountain View"
    assert target.read_bytes() == database
    assert [file.name for file in target.parent.iterdir()] == [target.name]


def test_the_data_directory_is_made_for_the_first_database(mirror, database, tmp_path):
    target = tmp_path / "new" / "data" / "locations.mmdb"

    fetch(target, mirror.put("/city", database))

    assert LocationDatabase(target).locate(IPV4).country == "US"


def test_of_a_month_whose_file_is_not_there_yet_the_one_before_is_taken(mirror, database, target):
    mirror.put("/city-2026-02.mmdb.gz", gzip.compress(database))

    fetch(target, f"{mirror.url}/city-{{month}}.mmdb.gz")

    assert [path for path, _ in mirror.asked] == ["/city-2026-03.mmdb.gz", "/city-2026-02.mmdb.gz"]


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256", "sha512"])
def test_a_checksum_is_a_digest_or_the_address_of_one(mirror, database, target, algorithm):
    packed = gzip.compress(database)
    digest = hashlib.new(algorithm, packed).hexdigest()
    url = mirror.put("/city", packed)
    published = mirror.put("/city.sum", f"{digest.upper()}  city.mmdb.gz\n".encode())

    fetch(target, url, checksum=digest)
    fetch(target, url, checksum=published)

    assert target.read_bytes() == database


@pytest.mark.parametrize(
    ("checksum", "reason"),
    [
        ("0" * 64, "does not have the published checksum (sha256)"),
        ("0" * 63, "is no MD5, SHA-1, SHA-256 or SHA-512"),
        ("g" * 64, "is no MD5, SHA-1, SHA-256 or SHA-512"),
        ("/empty", "is empty"),
        ("/missing", "does not have the file (404)"),
        ("/long", "the answer of 127.0.0.1 is too large"),
    ],
)
def test_a_file_without_its_checksum_is_refused(mirror, database, target, checksum, reason):
    mirror.put("/empty", b"")
    mirror.put("/long", b"0" * (1 << 17))
    url = mirror.put("/city", database)

    message = refusal(target, url, checksum=mirror.url + checksum if checksum[0] == "/" else checksum)

    assert reason in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (lambda database: gzip.compress(database)[:-20], "is cut off or damaged"),
        (lambda database: gzip.compress(database)[:30] + b"?" * 100, "is cut off or damaged"),
        (lambda database: packed_tar(database)[:-200], "is cut off or damaged"),
        (lambda database: packed_tar(database, "GeoLite2-City/readme.md"), "the archive holds no .mmdb file"),
        (lambda database: database[: len(database) // 2], "it is not a whole file in MaxMind's format"),
        (lambda _: b"", "it is not a whole file in MaxMind's format"),
        (lambda _: b"<!doctype html><title>Sign in</title>", "it is not a whole file in MaxMind's format"),
        (lambda _: gzip.compress(b"<!doctype html>"), "it is not a whole file in MaxMind's format"),
    ],
)
def test_what_is_no_whole_database_is_refused(mirror, database, target, content, reason):
    assert reason in refusal(target, mirror.put("/city", content(database)))


def test_a_database_that_knows_no_country_is_refused(mirror, target, tmp_path):
    numbers = build(tmp_path / "asn", {"autonomous_system_number": 64496}, "GeoLite2-ASN").read_bytes()

    assert "it knows no countries" in refusal(target, mirror.put("/asn", numbers))


def test_a_database_with_damage_inside_is_refused(mirror, database, target):
    content = bytearray(database)
    metadata = content.index(b"\xab\xcd\xefMaxMind.com")
    content[metadata - 250 : metadata] = b"\xff" * 250

    assert "a part of it is damaged" in refusal(target, mirror.put("/city", bytes(content)))


def test_a_download_that_breaks_off_is_refused(mirror, database, target):
    url = mirror.put("/city", database, Content_Length="999999")

    message = refusal(target, url)

    assert message == f"the connection to 127.0.0.1 broke off after {len(database)} bytes"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "127.0.0.1 refused the account id or the licence key (401)"),
        (403, "127.0.0.1 refused the account id or the licence key (403)"),
        (404, "127.0.0.1 does not have the file (404)"),
        (429, "127.0.0.1 answered with status 429"),
        (500, "127.0.0.1 answered with status 500"),
    ],
)
def test_a_refusal_of_the_server_is_named(mirror, target, status, reason):
    assert refusal(target, mirror.put("/city", b"no", status=status)) == reason


def test_a_download_that_is_too_large_is_left(mirror, database, target):
    assert "is too large" in refusal(target, mirror.put("/city", database), {"most_bytes": 100})


def test_a_database_that_unpacks_to_too_much_is_left(tmp_path):
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(bytes(3 << 20)))

    with pytest.raises(DownloadFailed, match="is larger than 1 MiB"):
        unpack(packed, tmp_path / "plain", sender="127.0.0.1", most_bytes=1 << 20)


def test_a_server_that_stops_sending_is_left(target):
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)

    message = refusal(target, f"http://127.0.0.1:{server.server_port}/city", {"stall_seconds": 0.2})

    server.server_close()
    assert message == "127.0.0.1 does not answer in time"


def test_a_server_that_sends_too_slowly_is_left(mirror, database, target):
    assert "takes too long" in refusal(target, mirror.put("/city", database), {"most_seconds": -1.0})


def test_redirects_are_followed_so_often_and_no_further(mirror, database, target):
    for number in range(6):
        mirror.put(f"/{number}", b"", status=307, Location=f"/{number + 1}")
    last = mirror.put("/6", database)

    fetch(target, f"{mirror.url}/1")
    message = refusal(target, f"{mirror.url}/0")

    assert last.endswith(mirror.asked[5][0])
    assert message == "127.0.0.1 redirects more than 5 times"


def test_redirects_and_their_answers_have_the_time_of_one_download(mirror, target):
    assert "takes too long" in refusal(
        target,
        mirror.put("/city", b"", status=302, Location="/city"),
        {"most_redirects": 1_000_000, "most_seconds": 0.5},
    )


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:1/city", "127.0.0.1 cannot be reached: Connection refused"),
        ("http://nowhere.invalid/city", "the name of nowhere.invalid cannot be resolved"),
        ("file:///etc/passwd", "must begin with https:// or http://"),
        ("ftp://127.0.0.1/city", "must begin with https:// or http://"),
        ("https://[/city", "must begin with https:// or http://"),
        ("city.mmdb", "must begin with https:// or http://"),
    ],
)
def test_without_a_way_to_the_server_the_reason_is_one_line(target, url, reason):
    assert reason in refusal(target, url)


def test_a_redirection_to_another_protocol_is_not_followed(mirror, target):
    url = mirror.put("/city", b"", status=302, Location="ftp://127.0.0.1/city")

    assert "must begin with https:// or http://" in refusal(target, url)


def test_a_licence_key_goes_to_its_server_and_to_no_other(mirror, database, target):
    elsewhere = mirror.put("/signed?token=1", packed_tar(database))
    url = mirror.put("/download?suffix=tar.gz", b"", status=302, Location=elsewhere)

    fetch(target, url, account_id="12", license_key="hidden")

    (first, shown), (second, none) = mirror.asked
    assert (first, second, none) == ("/download?suffix=tar.gz", "/signed?token=1", None)
    assert b64decode(shown.removeprefix("Basic ")) == b"12:hidden"


def test_a_licence_key_is_not_sent_unencrypted_and_never_shown(target):
    source = DownloadSource.chosen(url="http://mirror.example/city", account_id="12", license_key="hidden")

    message = refusal(target, source.url, account_id="12", license_key="hidden")

    assert message == "the licence key is not sent to mirror.example unencrypted: use https://"
    assert "hidden" not in repr(source)


def test_a_key_in_the_address_is_not_shown(mirror, target):
    assert "hidden" not in refusal(target, f"{mirror.url}/city?license_key=hidden")


def test_dbip_is_asked_without_a_key_and_maxmind_with_one():
    free, account = DownloadSource.chosen(), DownloadSource.chosen(account_id="12", license_key="k")

    assert free.url == "https://download.db-ip.com/free/dbip-city-lite-{month}.mmdb.gz"
    assert account.url.startswith("https://download.maxmind.com/geoip/databases/GeoLite2-City/download?")
    assert account.checksum == f"{account.url}.sha256"


def test_the_maker_of_the_locations_is_asked_for_the_networks():
    free, account = (
        DownloadSource.chosen(checksum="0" * 64),
        DownloadSource.chosen(account_id="12", license_key="k"),
    )
    networks = account.of_networks()

    assert free.of_networks() == DownloadSource(
        url="https://download.db-ip.com/free/dbip-asn-lite-{month}.mmdb.gz"
    )
    assert networks.url == "https://download.maxmind.com/geoip/databases/GeoLite2-ASN/download?suffix=tar.gz"
    assert (networks.checksum, networks.credentials) == (f"{networks.url}.sha256", account.credentials)
    assert DownloadSource.chosen(url="https://mirror.example/city").of_networks() is None


def test_what_killed_downloads_left_is_removed_after_a_day(mirror, database, target):
    old, new = target.parent / ".geoip-old", target.parent / ".geoip-new"
    for leftover in (old, new):
        leftover.mkdir()
        (leftover / "packed").touch()
    os.utime(old, (0, 0))
    # A clock that was moved gives files no other times by itself.
    os.utime(new, (time.time(), time.time()))

    fetch(target, mirror.put("/city", database))

    assert sorted(file.name for file in target.parent.iterdir()) == [".geoip-new", target.name]


def test_a_folder_that_cannot_be_written_is_named(mirror, database, tmp_path):
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "locations.mmdb"

    with pytest.raises(DownloadFailed, match="cannot be written: "):
        fetch(target, mirror.put("/city", database))
