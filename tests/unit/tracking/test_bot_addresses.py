"""Addresses of bots: the file of published lists, what it verifies, and how the lists are downloaded."""

import json
import os
from datetime import UTC, datetime

import pytest

from footfall.adapters.geoip.bot_addresses import (
    MAX_FILE_BYTES,
    MOST_NETWORKS,
    BotAddressFile,
    PublishedBotAddresses,
)
from footfall.adapters.geoip.bot_download import MAX_LIST_BYTES, fetch_bot_lists
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.download import DownloadFailed
from footfall.domain.bots.bot_names import KNOWN
from tests.servers.mirror import serving

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LISTED = {
    "openai-gptbot": ["192.0.2.0/28", "2001:db8::/32"],
    "google-fetchers": ["198.51.100.7/32"],
    "google-own-fetchers": ["198.51.100.8/32"],
    "google-common": ["203.0.113.0/24"],
}


@pytest.fixture
def mirror():
    with serving() as served:
        yield served


@pytest.fixture
def target(tmp_path):
    return tmp_path / "data" / "bots.json"


def prefixes(*networks):
    """Return a list as operators publish it."""
    named = [{"ipv6Prefix" if ":" in network else "ipv4Prefix": network} for network in networks]
    return json.dumps({"creationTime": "2026-02-01T00:00:00", "prefixes": named}).encode()


def fetch(target, mirror, listed=LISTED):
    for name, networks in listed.items():
        mirror.put(f"/{name}", prefixes(*networks))
    return fetch_bot_lists(target, NOW, url=f"{mirror.url}/{{list}}", advance=lambda _: None)


@pytest.mark.parametrize(
    ("bot", "address", "verified"),
    [
        ("GPTBot", "192.0.2.15", "verified"),
        ("GPTBot", "192.0.2.16", "unverified"),
        ("GPTBot", "2001:db8:ffff::1", "verified"),
        ("GPTBot", "2001:db9::1", "unverified"),
        ("GPTBot", "::ffff:192.0.2.1", "verified"),
        # Verified for the one bot, and not for another of the file.
        ("Googlebot", "192.0.2.15", "unverified"),
        ("FeedFetcher-Google", "198.51.100.7", "verified"),
        ("FeedFetcher-Google", "198.51.100.8", "verified"),
        ("FeedFetcher-Google", "198.51.100.9", "unverified"),
        # No list is there, none is published, and no address is given.
        ("bingbot", "192.0.2.15", None),
        ("curl", "192.0.2.15", None),
        ("GPTBot", "", None),
        ("GPTBot", "unix:", None),
    ],
)
def test_a_bot_is_verified_by_the_lists_of_its_operator(mirror, target, bot, address, verified):
    fetch(target, mirror)

    assert PublishedBotAddresses(target).verify(bot, address) == verified


def test_with_a_part_of_its_lists_a_bot_is_verified_or_unknown(mirror, target):
    fetch(target, mirror, {"google-fetchers": ["198.51.100.7/32"]})
    addresses = PublishedBotAddresses(target)

    assert addresses.verify("FeedFetcher-Google", "198.51.100.7") == "verified"
    assert addresses.verify("FeedFetcher-Google", "198.51.100.9") is None


def test_without_a_file_nothing_is_known_until_there_is_one(mirror, target):
    addresses = PublishedBotAddresses(target, check_every=0)
    before = addresses.verify("GPTBot", "192.0.2.1")

    fetch(target, mirror)

    assert (before, addresses.verify("GPTBot", "192.0.2.1")) == (None, "verified")


def test_of_a_file_that_is_written_over_in_place_nothing_is_known_until_it_is_whole(mirror, target):
    fetch(target, mirror)
    whole = target.read_bytes()
    addresses = PublishedBotAddresses(target, check_every=0)

    target.write_bytes(b"{")
    meanwhile = addresses.verify("GPTBot", "192.0.2.2")
    target.write_bytes(whole)

    assert (meanwhile, addresses.verify("GPTBot", "192.0.2.2")) == (None, "verified")


def test_a_list_that_cannot_be_had_stays_as_it_was(mirror, target):
    fetch(target, mirror)
    mirror.files.pop("/google-common")

    fetched = fetch(target, mirror, {"openai-gptbot": ["192.0.2.128/28"]})

    assert set(fetched.file.lists) == set(LISTED)
    assert len(fetched.failures) == len(LISTS) - 3
    assert fetched.failures["google-common"] == "127.0.0.1 does not have the file (404)"
    addresses = PublishedBotAddresses(target)
    assert (addresses.verify("GPTBot", "192.0.2.1"), addresses.verify("Googlebot", "203.0.113.1")) == (
        "unverified",
        "verified",
    )


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"<html>", "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"[]", "it has no list of prefixes"),
        (b'{"prefixes": {}}', "it has no list of prefixes"),
        (prefixes(), "it has 0 networks, which are 1 to 20,000"),
        (prefixes("0.0.0.0/0"), "a network of /0 is too wide"),
        (prefixes("::/0"), "a network of /0 is too wide"),
        (prefixes("192.0.2.0/33"), "one of its prefixes is no network"),
        (b'{"prefixes": [{"ipv4Prefix": 5}]}', "one of its prefixes is no network"),
        (b'{"prefixes": [null]}', "one of its prefixes is no network"),
        (b'{"prefixes": [{}]}', "one of its prefixes is no network"),
    ],
)
def test_a_hostile_list_is_refused_and_the_former_one_stays(mirror, target, content, fault):
    fetch(target, mirror)
    mirror.put("/openai-gptbot", content)

    fetched = fetch(target, mirror, {})

    assert fetched.failures["openai-gptbot"] == f"what 127.0.0.1 sent is no list of bots: {fault}"
    assert PublishedBotAddresses(target).verify("GPTBot", "192.0.2.1") == "verified"


def test_lists_that_are_too_long_are_refused(mirror, target):
    many = (f"10.0.{number >> 8}.{number & 255}" for number in range(MOST_NETWORKS + 1))
    mirror.put("/openai-gptbot", prefixes(*many))
    mirror.put("/bing", prefixes("192.0.2.1") + b" " * MAX_LIST_BYTES)

    fetched = fetch(target, mirror, {"google-common": ["203.0.113.0/24"]})

    assert fetched.failures["openai-gptbot"].endswith("it has 20001 networks, which are 1 to 20,000")
    assert "127.0.0.1" in fetched.failures["bing"]
    assert set(fetched.file.lists) == {"google-common"}


def test_without_any_list_the_former_file_stays(mirror, target):
    fetch(target, mirror)
    before = target.read_bytes()
    mirror.files.clear()

    with pytest.raises(DownloadFailed, match="no list of bots could be had"):
        fetch(target, mirror, {})

    assert target.read_bytes() == before
    assert [path.name for path in target.parent.iterdir()] == ["bots.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"lists": {}}',
        b'{"lists": []}',
        b'{"lists": {"a": 1}}',
        b'{"lists": {"a": {"fetchedAt": "yesterday", "networks": ["192.0.2.1"]}}}',
        b'{"lists": {"a": {"fetchedAt": "2026-01-01T00:00:00+00:00", "networks": ["0.0.0.0/0"]}}}',
        b"[" * 100_000,
    ],
)
def test_another_file_is_refused_in_one_line_and_changes_nothing(mirror, target, content):
    target.parent.mkdir()
    target.write_bytes(content)

    with pytest.raises(DatabaseUnreadable) as caught:
        BotAddressFile(target)

    assert "\n" not in str(caught.value)
    assert PublishedBotAddresses(target).verify("GPTBot", "192.0.2.1") is None
    assert fetch(target, mirror).file.describe() == (
        "4 lists of 5 networks of bots, downloaded since 2026-03-01"
    )


def test_a_file_that_is_too_large_is_refused(target):
    target.parent.mkdir()
    target.touch()
    os.truncate(target, MAX_FILE_BYTES + 1)

    with pytest.raises(DatabaseUnreadable, match="it is larger than"):
        BotAddressFile(target)


def test_lists_are_of_known_bots_and_come_encrypted():
    assert [bot for _, bots in LISTS.values() for bot in bots if bot not in KNOWN] == []
    assert [url for url, _ in LISTS.values() if not url.startswith("https://")] == []
