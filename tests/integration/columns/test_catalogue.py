"""The files that a process reads: verified, each day once, and never one that is damaged."""

import json
import os
import random
from datetime import timedelta

import pytest

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.files.manifest import HITS, NAME, SESSIONS
from tests.histories import SITE, START, after, hit, record

DAY = timedelta(days=1)


async def test_files_of_the_days_that_a_span_touches_are_listed(node):
    await node.store(record(*(hit(START + number * DAY) for number in range(5))))
    made = await node.make()
    midnight = START.replace(hour=0)

    found = await Catalogue(node.layout).files(SITE, midnight + DAY, midnight + 3 * DAY)
    before = await Catalogue(node.layout).files(
        SITE, midnight + DAY - timedelta(seconds=1), midnight + 3 * DAY
    )

    assert (found, before) == (made[2:0:-1], made[2::-1])


async def test_a_day_among_others_is_found_by_any_of_them(node):
    await node.store(record(*(hit(START + number * DAY) for number in range(5))))
    [made] = await node.make(together=5)

    for number in range(5):
        at = START + number * DAY
        assert await Catalogue(node.layout).files(SITE, at, at + timedelta(hours=1)) == [made]


async def test_of_two_directories_with_a_day_the_one_that_was_made_later_comes_first(node):
    await node.store(record(hit()))
    [earlier] = await node.make()
    [later] = await node.make()

    assert await Catalogue(node.layout).files(SITE, START - DAY, START + DAY) == [later, earlier]


async def test_other_sites_have_no_files(node):
    await node.store(record(hit()))
    await node.make()

    assert await Catalogue(node.layout).files(SITE + 1, START - DAY, START + DAY) == []


@pytest.mark.parametrize("name", [SESSIONS, HITS])
async def test_a_flipped_bit_sets_files_aside(node, name, caplog):
    await node.store(record(hit()))
    [made] = await node.make()
    flip(made.hits.parent / name)

    assert await node.listed() == []
    assert len(node.aside) == 1
    assert f"{name} differs from its digest" in caplog.text


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text(""),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 0})),
        lambda path: path.write_text(json.dumps(json.loads(path.read_text()) | {"days": []})),
        lambda path: path.write_bytes(b"\xff"),
    ],
)
async def test_files_without_a_usable_manifest_are_set_aside(node, harm):
    await node.store(record(hit()))
    [made] = await node.make()
    harm(made.hits.parent / NAME)

    assert (await node.listed(), len(node.aside)) == ([], 1)


@pytest.mark.parametrize("kind", ["sessions", "hits"])
async def test_a_bit_that_is_flipped_later_sets_files_aside_at_the_next_look(node, kind):
    await node.store(record(hit()))
    [made] = await node.make()
    catalogue = Catalogue(node.layout)
    assert await node.listed(catalogue) == [made]
    assert not catalogue.have_changed([made])

    flip(getattr(made, kind))

    assert catalogue.have_changed([made])
    assert await node.listed(catalogue) == []
    assert len(node.aside) == 1


async def test_a_flipped_bit_is_seen_under_times_that_were_set_back(node):
    await node.store(record(hit()))
    [made] = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)
    before = made.hits.stat()

    flip(made.hits)
    os.utime(made.hits, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert await node.listed(catalogue) == []


async def test_files_that_were_written_anew_with_the_same_bytes_stay_in_use(node):
    await node.store(record(hit()))
    [made] = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)

    made.hits.write_bytes(made.hits.read_bytes())

    assert catalogue.have_changed([made])
    assert await node.listed(catalogue) == [made]
    assert not catalogue.have_changed([made])


async def test_files_stay_in_use_when_another_was_damaged_while_they_were_read(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)
    flip(made[0].hits)

    for _ in range(3):
        catalogue.distrust(made)

    assert await node.listed(catalogue) == made[1:]
    assert len(node.aside) == 1


async def test_a_flipped_bit_of_a_manifest_changes_no_version(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    versions = {day for one in made for day in one.days}
    manifest = made[0].hits.parent / NAME
    text = manifest.read_bytes()

    for _ in range(200):
        damaged = bytearray(text)
        damaged[random.randrange(len(text))] ^= 1 << random.randrange(8)
        manifest.write_bytes(damaged)
        for one in await node.listed():
            # Of other versions than those of the store nothing is read.
            assert one in made or not versions.issuperset(one.days)
        for aside in node.layout.aside.iterdir():
            aside.rename(made[0].hits.parent)


async def test_files_that_cannot_be_read_twice_are_set_aside(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)

    catalogue.distrust(made[:1])
    assert await node.listed(catalogue) == made
    catalogue.distrust(made[:1])

    assert await node.listed(catalogue) == made[1:]
    assert len(node.aside) == 1


async def test_files_stay_in_use_when_others_were_removed_while_they_were_read(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)
    node.layout.remove(made[0].hits.parent)

    for _ in range(3):
        catalogue.distrust(made)

    assert await node.listed(catalogue) == made[1:]
    assert node.aside == []


async def test_a_catalogue_forgets_the_manifests_of_sites_that_others_were_asked_after(node):
    sites = [SITE, SITE + 1, SITE + 2]
    await node.store(record(*(hit(site_id=site) for site in sites)))
    made = {one.days[0].site_id: one for one in await node.make()}
    catalogue = Catalogue(node.layout, most_sites=2)
    for site in (SITE, SITE + 1, SITE, SITE + 2):
        assert await catalogue.files(site, START - DAY, START + DAY) == [made[site]]

    # Only what is read again is found damaged.
    for file in made.values():
        (file.hits.parent / NAME).write_text("{")

    listed = [await catalogue.files(site, START - DAY, START + DAY) for site in (SITE, SITE + 2, SITE + 1)]
    assert listed == [[made[SITE]], [made[SITE + 2]], []]
    assert not catalogue.have_changed([made[SITE]])


async def test_files_that_vanish_are_no_longer_listed(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    catalogue = Catalogue(node.layout)
    await node.listed(catalogue)

    node.layout.remove(made[0].hits.parent)

    assert await node.listed(catalogue) == made[1:]


def flip(path):
    """Flip one bit of a file."""
    found = bytearray(path.read_bytes())
    place = random.randrange(len(found))
    found[place] ^= 1 << random.randrange(8)
    path.write_bytes(found)
