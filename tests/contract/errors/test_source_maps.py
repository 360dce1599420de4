"""Source maps on both adapters: what is kept, found, listed, limited and forgotten."""

from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.memory.source_maps import MemorySourceMaps
from footfall.adapters.postgres.error_groups.source_maps import PostgresSourceMaps
from footfall.domain.error_tracking.source_maps import (
    MinifiedFile,
    PackedFile,
    Quota,
    SourceMapQuotaExceeded,
)
from footfall.domain.pagination import Page
from tests.source_maps import CODE, source_map

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALL = Page(1, 200)
FILE = PackedFile.of(MinifiedFile(CODE.encode(), source_map().encode()))
OTHER = PackedFile.of(MinifiedFile(b"other", b"{}"))


@pytest.fixture
def make(pool):
    """Return the function that makes source maps with a quota."""
    return lambda *quota: MemorySourceMaps(*quota) if pool is None else PostgresSourceMaps(pool, *quota)


@pytest.fixture
def maps(make):
    return make()


async def test_a_file_is_kept_and_replaced_by_another_one_of_its_name(maps):
    first = await maps.put(1, "1.0", "app.js", FILE, NOW)
    again = await maps.put(1, "1.0", "app.js", FILE, NOW + HOUR)
    replaced = await maps.put(1, "1.0", "app.js", OTHER, NOW + 2 * HOUR)

    assert (first, again, replaced) == (True, False, True)
    assert (await maps.read(1, "1.0", "app.js")).unpacked() == OTHER.unpacked()
    [listed] = (await maps.listed(1, ALL)).files
    assert (listed.digest, listed.size, listed.stored) == (OTHER.digest, OTHER.size, OTHER.stored)
    assert listed.uploaded_at == NOW + 2 * HOUR


async def test_files_are_of_one_site_and_release(maps):
    await maps.put(1, "1.0", "app.js", FILE, NOW)

    assert await maps.read(2, "1.0", "app.js") is None
    assert await maps.read(1, "1.1", "app.js") is None
    assert (await maps.listed(2, ALL)).files == []


@pytest.mark.parametrize("text", ["ü☃\u202e", "x" * 200, "a'b\"c\\d", "%s", "\u00e9", "e\u0301"])
async def test_any_name_of_a_release_and_of_a_file_is_kept_as_it_is(maps, text):
    await maps.put(1, text, text, FILE, NOW)

    assert await maps.known(1, {text: [text, "app.js"]}) == {(text, text): FILE.digest}
    assert [(one.release, one.name) for one in (await maps.listed(1, ALL)).files] == [(text, text)]


async def test_releases_with_files_are_told_from_those_without(maps):
    await maps.put(1, "1.0", "app.js", FILE, NOW)
    await maps.put(1, "1.0", "other.js", FILE, NOW)
    await maps.put(2, "1.1", "app.js", FILE, NOW)

    assert await maps.with_maps(1, {"1.0", "1.1", "1"}) == {"1.0"}
    assert await maps.with_maps(1, set()) == frozenset()


async def test_what_is_known_is_asked_by_release(maps):
    await maps.put(1, "1.0", "app.js", FILE, NOW)
    await maps.put(1, "1.1", "app.js", OTHER, NOW)

    found = await maps.known(1, {"1.0": ["a/app.js", "app.js"], "1.1": [], "1.2": ["app.js"]})

    assert found == {("1.0", "app.js"): FILE.digest}
    assert await maps.known(1, {}) == {}


async def test_files_are_listed_by_upload_in_pages(maps):
    for hours, (release, name) in enumerate([("1.0", "b.js"), ("1.1", "a.js")]):
        await maps.put(1, release, name, FILE, NOW + hours * HOUR)
    await maps.put(1, "1.1", "B.js", FILE, NOW + HOUR)

    everything = await maps.listed(1, ALL)
    second = await maps.listed(1, Page(2, 2))
    past = await maps.listed(1, Page(3, 2))

    assert [one.name for one in everything.files] == ["B.js", "a.js", "b.js"]
    assert (everything.total, everything.stored) == (3, 3 * FILE.stored)
    assert [one.name for one in second.files] == ["b.js"]
    assert (list(past.files), past.total) == ([], 3)
    assert [one.name for one in (await maps.listed(1, ALL, "1.1")).files] == ["B.js", "a.js"]


async def test_a_release_has_a_limited_number_of_files(make):
    maps = make(Quota(files=2))
    for name in ("a.js", "b.js"):
        await maps.put(1, "1.0", name, FILE, NOW)

    with pytest.raises(SourceMapQuotaExceeded, match="at most 2 files"):
        await maps.put(1, "1.0", "c.js", FILE, NOW)

    assert await maps.put(1, "1.0", "b.js", OTHER, NOW)
    assert await maps.put(1, "1.1", "c.js", FILE, NOW)
    assert await maps.put(2, "1.0", "c.js", FILE, NOW)
    assert await maps.read(1, "1.0", "c.js") is None


async def test_a_site_has_a_limited_number_of_bytes_and_a_file_may_take_the_place_of_itself(make):
    maps = make(Quota(stored=FILE.stored + OTHER.stored))
    await maps.put(1, "1.0", "a.js", FILE, NOW)
    await maps.put(1, "1.1", "b.js", OTHER, NOW)

    with pytest.raises(SourceMapQuotaExceeded, match="delete those of old releases"):
        await maps.put(1, "1.2", "c.js", OTHER, NOW)

    assert await maps.put(1, "1.0", "a.js", OTHER, NOW)
    assert await maps.put(1, "1.2", "c.js", OTHER, NOW)


async def test_a_file_or_a_whole_release_is_deleted(maps):
    for release, name in [("1.0", "a.js"), ("1.0", "b.js"), ("1.0", "c.js"), ("1.1", "a.js")]:
        await maps.put(1, release, name, FILE, NOW)
    await maps.put(2, "1.0", "a.js", FILE, NOW)

    assert await maps.delete(1, "1.0", "a.js") == 1
    assert await maps.delete(1, "1.0", "a.js") == 0
    assert await maps.delete(1, "1.0") == 2
    assert [one.release for one in (await maps.listed(1, ALL)).files] == ["1.1"]
    assert (await maps.listed(2, ALL)).total == 1


async def test_old_files_are_forgotten_those_of_some_sites_sooner(maps):
    for site in (1, 2, 3):
        await maps.put(site, "1.0", "old.js", FILE, NOW - 100 * HOUR)
        await maps.put(site, "1.0", "new.js", FILE, NOW - 10 * HOUR)

    forgotten = await maps.forget_before(NOW - 50 * HOUR, {2: NOW - HOUR, 3: NOW - 200 * HOUR})

    assert forgotten == 4
    assert [(await maps.listed(site, ALL)).total for site in (1, 2, 3)] == [1, 0, 1]
    assert await maps.forget_before(NOW - 50 * HOUR, {}) == 0
