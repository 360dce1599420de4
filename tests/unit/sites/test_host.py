"""Hosts, parsed from arbitrary texts of requests."""

import tracemalloc

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
