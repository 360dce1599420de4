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


def missing(days: Sequence[DayVersion], manifests: Iterable[Manifest]) -> list[DayVersion]:
    """Return the closed days whose files are to be made, the latest first.

    Files hold no day any more once one of their days has another version: the sweeper removes them as a whole.
    """
    current = set(days)
    held = {day for one in manifests if current.issuperset(one.days) for day in one.days}
    return sorted(current - held, key=lambda one: (one.day, one.site_id), reverse=True)


def together(
    days: Sequence[DayVersion], hits: Mapping[DayVersion, int], now: datetime
) -> list[tuple[DayVersion, ...]]:
    """Return the same days, those together that would be gathered into one directory if they were made alone.

    To make the files of many days at once costs less than to gather them.
    """
    groups: list[tuple[DayVersion, ...]] = [(one,) for one in days if not _is_settled(one.day, now)]
    settled = [one for one in days if _is_settled(one.day, now)]
    settled.sort(key=lambda one: (one.site_id, one.day))
    for _, among in groupby(settled, key=lambda one: (one.site_id, _month(one.day))):
        groups += map(tuple, _within(list(among), hits.__getitem__))
    return sorted(groups, key=lambda group: group[-1].day, reverse=True)


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
