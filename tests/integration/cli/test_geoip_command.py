"""`footfall geoip fetch`: what it prints, where the database goes, and what happens when it fails."""

import contextlib
import gzip
import json
import os
import resource

import pytest

from footfall.adapters.geoip.bot_addresses import PublishedBotAddresses
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase
from tests.servers.location_files import DBIP_CITY, IPV4, MAXMIND_CITY, build
from tests.servers.mirror import serving


@pytest.fixture
def mirror():
    with serving() as served:
        yield served


@pytest.fixture
def packed(tmp_path):
    return gzip.compress(build(tmp_path / "built", DBIP_CITY, "DBIP-City-Lite").read_bytes())


@pytest.fixture
def fetch(footfall_without_store):
    """Run `footfall geoip fetch` with these options and this environment."""

    def run(*arguments, **environment):
        return footfall_without_store("geoip", "fetch", *arguments, env=environment)

    return run


@contextlib.contextmanager
def files_of_8_kilobytes():
    """Let this process write no larger file, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_database_goes_into_the_data_directory_and_is_described(mirror, packed, fetch, data_dir):
    result = fetch("--url", mirror.put("/city", packed), "--json")

    path = data_dir / "locations.mmdb"
    described = json.loads(result.stdout)
    assert (result.exit_code, described["path"], described["bytes"]) == (0, str(path), path.stat().st_size)
    assert (described["database"], described["creditUrl"]) == ("DBIP-City-Lite", "https://db-ip.com")
    assert LocationDatabase(path).locate(IPV4).city == "Mountain View"


def test_the_database_of_networks_goes_beside_that_of_locations(mirror, packed, fetch, data_dir, tmp_path):
    networks = build(tmp_path / "asn", {"autonomous_system_number": 24940}, "DBIP-ASN-Lite")
    urls = ("--url", mirror.put("/city", packed), "--networks-url", mirror.put("/asn", networks.read_bytes()))

    result = fetch(*urls, "--json")

    path = data_dir / "networks.mmdb"
    described = json.loads(result.stdout)
    assert (result.exit_code, described["networksPath"], described["networksBytes"]) == (
        0,
        str(path),
        path.stat().st_size,
    )
    assert described["networksDatabase"] == "DBIP-ASN-Lite"
    assert NetworkDatabase(path).network(IPV4).autonomous_system == "AS24940"


def test_a_file_of_locations_does_not_become_that_of_networks(mirror, packed, fetch, data_dir):
    city = mirror.put("/city", packed)

    result = fetch("--url", city, "--networks-url", city)

    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "it knows no autonomous systems" in result.stderr
    assert list(data_dir.iterdir()) == []


def test_without_the_database_of_networks_that_of_locations_is_not_replaced(mirror, packed, fetch, data_dir):
    data_dir.mkdir()
    former = build(data_dir / "locations.mmdb", MAXMIND_CITY)
    content = former.read_bytes()

    result = fetch("--url", mirror.put("/city", packed), "--networks-url", f"{mirror.url}/missing", "--json")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(f"does not have the file (404); {former} is as it was\n")
    assert (former.read_bytes(), list(data_dir.iterdir())) == (content, [former])


def test_of_two_former_databases_both_are_as_they_were(mirror, packed, fetch, data_dir):
    data_dir.mkdir()
    former = [build(data_dir / name, MAXMIND_CITY) for name in ("locations.mmdb", "networks.mmdb")]

    result = fetch("--url", mirror.put("/city", packed), "--networks-url", f"{mirror.url}/missing")

    assert result.stderr.endswith(f"; {former[0]} and {former[1]} are as they were\n")


@pytest.mark.parametrize(("host", "sent"), [("127.0.0.1", True), ("localhost", False)])
def test_a_licence_key_goes_to_the_server_of_locations_and_to_no_other(mirror, packed, fetch, host, sent):
    city = mirror.put("/city", packed)
    elsewhere = f"{mirror.url}/asn".replace("127.0.0.1", host)

    fetch("--url", city, "--networks-url", elsewhere, "--account-id", "12", "--license-key", "hidden")

    [(_, authorization)] = [asked for asked in mirror.asked if asked[0] == "/asn"]
    assert bool(authorization) is sent


def test_a_configured_database_is_the_one_that_is_replaced(mirror, packed, fetch, tmp_path, data_dir):
    configured = build(tmp_path / "own.mmdb", MAXMIND_CITY)
    url = mirror.put("/city", packed)

    result = fetch(FOOTFALL_GEOIP_DATABASE=str(configured), FOOTFALL_URL=url)

    assert result.exit_code == 0, result.stderr
    assert LocationDatabase(configured).locate(IPV4).country == "US"
    assert not data_dir.exists()


def test_a_licence_key_and_a_checksum_may_come_from_the_environment(mirror, packed, fetch):
    variables = {
        "FOOTFALL_URL": mirror.put("/city", packed),
        "FOOTFALL_ACCOUNT_ID": "12",
        "FOOTFALL_LICENSE_KEY": "hidden",
        "FOOTFALL_CHECKSUM": "0" * 64,
    }

    result = fetch(**variables)

    assert (result.exit_code, mirror.asked[0][1][:6]) == (1, "Basic ")
    assert "published checksum" in result.stderr
    assert "hidden" not in result.stderr


@pytest.mark.parametrize("half", ["--account-id", "--license-key"])
def test_half_of_the_credentials_is_wrong_usage(fetch, half):
    assert fetch(half, "12").exit_code == 2


@pytest.mark.parametrize(
    ("content", "full_disk", "reason"),
    [
        (lambda packed: packed[:-9], False, "what 127.0.0.1 sent is cut off or damaged"),
        (lambda _: b"no database", False, "it is not a whole file in MaxMind's format"),
        (lambda packed: packed + os.urandom(1 << 16), True, "cannot be written: File too large"),
        (None, False, "127.0.0.1 does not have the file (404)"),
    ],
)
def test_a_failure_is_one_line_and_the_former_database_stays(
    mirror, packed, fetch, data_dir, content, full_disk, reason
):
    data_dir.mkdir()
    former = build(data_dir / "locations.mmdb", MAXMIND_CITY)
    if content:
        mirror.put("/city", content(packed))

    with files_of_8_kilobytes() if full_disk else contextlib.nullcontext():
        result = fetch("--url", f"{mirror.url}/city", "--json")

    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert reason in result.stderr
    assert result.stderr.endswith(f"; {former} is as it was\n")
    assert LocationDatabase(former).locate(IPV4).country == "DE"
    assert list(former.parent.iterdir()) == [former]


LIST = json.dumps({"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}).encode()


def test_addresses_of_bots_go_beside_the_databases(mirror, packed, fetch, data_dir):
    mirror.put("/bots/openai-gptbot", LIST)
    urls = ("--url", mirror.put("/city", packed), "--bots-url", f"{mirror.url}/bots/{{list}}")

    result = fetch(*urls, "--json")

    path = data_dir / "bots.json"
    described = json.loads(result.stdout)
    assert (result.exit_code, described["botsPath"], described["botsLists"]) == (0, str(path), 1)
    assert (described["botsNetworks"], described["botsFailed"]) == (1, len(LISTS) - 1)
    assert "addresses of bots, list bing: 127.0.0.1 does not have the file (404)\n" in result.stderr
    assert PublishedBotAddresses(path).verify("GPTBot", "192.0.2.1") == "verified"


def test_addresses_of_bots_are_downloaded_alone(mirror, fetch, data_dir):
    mirror.put("/bots/apple", LIST)

    result = fetch("--bots-only", "--bots-url", f"{mirror.url}/bots/{{list}}")

    assert (result.exit_code, [path.name for path in data_dir.iterdir()]) == (0, ["bots.json"])
    assert "botsLists: 1\n" in result.stdout


def test_without_addresses_of_bots_the_databases_are_there_all_the_same(mirror, packed, fetch, data_dir):
    urls = ("--url", mirror.put("/city", packed), "--bots-url", f"{mirror.url}/bots/{{list}}")

    result = fetch(*urls, "--json")

    assert (result.exit_code, "botsPath" in json.loads(result.stdout)) == (0, False)
    assert result.stderr.count("no list of bots could be had") == 1
    assert [path.name for path in data_dir.iterdir()] == ["locations.mmdb"]


def test_addresses_of_bots_alone_that_cannot_be_had_are_a_failure(mirror, fetch, data_dir):
    result = fetch("--bots-only", "--bots-url", f"{mirror.url}/bots/{{list}}")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("no list of bots could be had") == 1
    assert "addresses of bots: no list of bots could be had" in result.stderr
    assert not (data_dir / "bots.json").exists()


def test_an_address_of_lists_needs_their_place(fetch):
    result = fetch("--bots-only", "--bots-url", "https://example.org/bots.json")

    assert (result.exit_code, "needs the place {list}" in result.stderr) == (2, True)
