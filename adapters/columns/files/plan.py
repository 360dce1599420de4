"""The plan of the maker of a node."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from footfall.adapters.columns.files.layout import Layout
from footfall.adapters.columns.files.manifest import Manifest, UnusableFiles, read_manifest
from footfall.application.ports.columns import DayVersion

# Files are not made anew for goals more often than this.
GOALS_AGE = timedelta(hours=1)
# Later days are still changed by late hits, and a change of one day makes the files of all days beside it useless.
SETTLED_AGE = timedelta(days=3)
# So many hits are made anew in some seconds; files of more gain nothing, since they cost a report next to nothing each.
MOST_HITS = 1_000_000
# Of the current month, so many directories are gathered: fewer would be written anew every day.
FEW = 4

Part = TypeVar("Part")


def usable_directories(layout: Layout, site_id: int | None = None) -> dict[Path, Manifest]:
    """Return all directories, of a site or of all, that have a readable manifest, with it."""
    found = {}
    for directory in layout.directories(site_id):
        with suppress(UnusableFiles):
            found[directory] = read_manifest(directory)
    return found


def usable_manifests(layout: Layout, site_id: int | None = None) -> list[Manifest]:
    """Return the manifests of all directories, of a site or of all, that have a readable one."""
    return list(usable_directories(layout, site_id).values())


def chosen_directories(layout: Layout, days: Collection[DayVersion]) -> dict[Path, Manifest]:
    """Return directories that hold these days, each day once, by their first day; days without files are left out."""
    wanted, chosen = set(days), dict[Path, Manifest]()
    found = usable_directories(layout)
    for directory in sorted(found, key=lambda one: found[one].made_at, reverse=True):
        if wanted.issuperset(found[directory].days):
            wanted.difference_update(found[directory].days)
            chosen[directory] = found[directory]
    return dict(sorted(chosen.items(), key=lambda pair: pair[1].first))


def missing(
    days: Sequence[DayVersion],
    manifests: Iterable[Manifest],
    goals: Collection[tuple[int, int]],
    now: datetime,
) -> list[tuple[DayVersion, ...]]:
    """Return the closed days whose files are to be made, the latest first, those together that go into one directory.

    `goals` are the sites and numbers of goals that files are expected to hold: files that lack one are made anew, as
    one directory like those before, which reports read until then.
    Files hold no day any more once one of their days has another version: the sweeper removes them as a whole.
    """
    current = set(days)
    wanted: dict[int, set[int]] = {}
    for site_id, number in goals:
        wanted.setdefault(site_id, set()).add(number)
    usable = [one for one in manifests if current.issuperset(one.days)]
    lacking = [
        one
        for one in usable
        if now - one.made_at >= GOALS_AGE and not one.goals.issuperset(wanted.get(one.site_id, ()))
    ]
    taken = {day for one in usable if one not in lacking for day in one.days}
    groups = []
    for one in sorted(lacking, key=lambda manifest: (manifest.made_at, len(manifest.days)), reverse=True):
        if taken.isdisjoint(one.days):
            groups.append(one.days)
            taken.update(one.days)
    groups += [(one,) for one in days if one not in taken]
    return sorted(groups, key=lambda group: group[-1].day, reverse=True)


def together(
    groups: Sequence[tuple[DayVersion, ...]], hits: Mapping[DayVersion, int], now: datetime
) -> list[tuple[DayVersion, ...]]:
    """Return the same days, those together that would be gathered into one directory if they were made alone.

    `hits` are those of days that are alone. To make the files of many days at once costs less than to gather them.
    """
    alone = {group[0] for group in groups if len(group) == 1 and _is_settled(group[0].day, now)}
    merged = [group for group in groups if group[0] not in alone]
    in_order = sorted(alone, key=lambda one: (one.site_id, one.day))
    for _, among in groupby(in_order, key=lambda one: (one.site_id, _month(one.day))):
        merged += map(tuple, _within(list(among), hits.__getitem__))
    return sorted(merged, key=lambda group: group[-1].day, reverse=True)


def gatherings(chosen: Mapping[Path, Manifest], now: datetime) -> list[dict[Path, Manifest]]:
    """Return the directories that are to be gathered into one: those of a month of a site, up to so many hits.

    `chosen` holds each day once.
    """
    settled = [
        (directory, one)
        for directory, one in chosen.items()
        if _is_settled(one.last, now) and _month(one.first) == _month(one.last)
    ]
    settled.sort(key=lambda pair: (pair[1].site_id, pair[1].first))
    found = []
    for (_, month), among in groupby(settled, key=lambda pair: (pair[1].site_id, _month(pair[1].first))):
        *full, last = map(dict, _within(list(among), lambda pair: pair[1].hits.rows))
        is_over = month < _month(now - SETTLED_AGE)
        found += [group for group in full if len(group) > 1]
        found += [last] if len(last) >= (2 if is_over else FEW) else []
    return found


def _within(among: Sequence[Part], hits_of: Callable[[Part], int]) -> list[list[Part]]:
    """Divide parts into consecutive groups, each of which has not too many hits."""
    groups: list[list[Part]] = [[]]
    hits = 0
    for part in among:
        hits += hits_of(part)
        if groups[-1] and hits > MOST_HITS:
            groups.append([])
            hits = hits_of(part)
        groups[-1].append(part)
    return groups


def _is_settled(day: datetime, now: datetime) -> bool:
    return day < now - SETTLED_AGE


def _month(day: datetime) -> tuple[int, int]:
    at = day.astimezone(UTC)
    return at.year, at.month
