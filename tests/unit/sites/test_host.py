"""Hosts, parsed from arbitrary texts of requests."""

import tracemalloc

import pytest

from footfall.domain.sites.host import normalize_host


def test_a_long_text_has_the_same_host_as_a_short_one():
    assert normalize_host(f"https://{'user' * 100}@WWW.Example.com/") == normalize_host("example.com")


def test_long_texts_are_not_cached():
    tracemalloc.start()

    for number in range(2_000):
        normalize_host(f"https://{number}.example.com/{'path' * 2_000}")

    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 5_000_000


@pytest.mark.parametrize(
    "host", ["fe80::1%eth0", "fe80::1%';id;'", "[fe80::1%$(id)]", "http://[fe80::1%25a b]/"]
)
def test_an_address_with_a_zone_which_may_be_any_text_is_no_host(host):
    assert normalize_host(host) is None
