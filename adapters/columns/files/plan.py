"""The plan of the maker of a node."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Generic, TypeVar

from attrs import frozen

from footfall.adapters.columns.files.manifest import Manifest, UnusableFiles, read_manifest
from footfall.adapters.columns.layout import FilesLayout
from footfall.application.ports.columns import DayVersion

# Later days are still changed by late hits, and when one is closed anew, the files of all days beside it are made anew.
SETTLED_AGE = timedelta(days=3)
# The hits of a month that are made anew in some seconds; files of more gain nothing, since they cost a report next to
# nothing each. Several months of a year hold fewer, since most reports ask for some of these months.
MOST_HITS = 1_000_000
MOST_HITS_OF_MONTHS = 100_000
# The directories of the current month that are gathered: fewer would be written anew every day.
FEW = 4

Whole = TypeVar("Whole")


def usable_directories(layout: FilesLayout, site_id: int | None = None) -> dict[Path, Manifest]:
    """Return all directories, of a site or of all, that have a readable manifest, with it."""
    usable = {}
    for directory in layout.directories(site_id):
        with suppress(UnusableFiles):
            usable[directory] = read_manifest(directory)
    return usable


def usable_manifests(layout: FilesLayout, site_id: int | None = None) -> list[Manifest]:
    """Return the manifests of all directories, of a site or of all, that have a readable one."""
    return list(usable_directories(layout, site_id).values())


def chosen_directories(
    directories: Mapping[Path, Manifest], days: Collection[DayVersion]
) -> dict[Path, Manifest]:
    """Return those that hold these days, each day once, by their first day; days without files are left out."""
    uncovered, chosen = set(days), dict[Path, Manifest]()
    for directory in sorted(directories, key=lambda path: directories[path].made_at, reverse=True):
        if uncovered.issuperset(directories[directory].days):
            uncovered.difference_update(directories[directory].days)
            chosen[directory] = directories[directory]
    return dict(sorted(chosen.items(), key=lambda pair: pair[1].first))


def missing(days: Sequence[DayVersion], manifests: Iterable[Manifest]) -> list[DayVersion]:
    """Return the closed days whose files are to be made, the latest first.

    Files hold no day any more once one of their days has another version: the sweeper removes them as a whole.
    """
    current = set(days)
    covered = {day for manifest in manifests if current.issuperset(manifest.days) for day in manifest.days}
    return sorted(current - covered, key=lambda day: (day.day, day.site_id), reverse=True)


def together(
    days: Sequence[DayVersion], hits: Mapping[DayVersion, int], now: datetime
) -> list[tuple[DayVersion, ...]]:
    """Return the same days, those together that would be gathered into one directory if they were made alone.

    To make the files of many days at once costs less than to gather them.
    """
    groups: list[tuple[DayVersion, ...]] = [(day,) for day in days if not _is_settled(day.day, now)]
    settled = [
        _Part(day.site_id, day.day, day.day, hits[day], day) for day in days if _is_settled(day.day, now)
    ]
    groups += [tuple(part.whole for part in group) for group in _grouped(settled)]
    return sorted(groups, key=lambda group: group[-1].day, reverse=True)


def gatherings(chosen: Mapping[Path, Manifest], now: datetime) -> list[dict[Path, Manifest]]:
    """Return the directories that are to be gathered into one.

    `chosen` holds each day once.
    """
    settled = [
        _Part(manifest.site_id, manifest.first, manifest.last, manifest.hits.rows, (directory, manifest))
        for directory, manifest in chosen.items()
        if _is_settled(manifest.last, now)
    ]
    gathered = []
    for _, groups in groupby(_grouped(settled), key=lambda group: group[0].site_id):
        *full, last = groups
        is_over = _month(last[-1].last) < _month(now - SETTLED_AGE)
        gathered += [group for group in full if len(group) > 1]
        gathered += [last] if len(last) >= (2 if is_over else FEW) else []
    return [dict(part.whole for part in group) for group in gathered]


@frozen
class _Part(Generic[Whole]):
    """A day, or a directory of days, that may share a directory with others."""

    site_id: int
    first: datetime
    last: datetime
    hits: int
    whole: Whole


def _grouped(parts: Iterable[_Part[Whole]]) -> list[list[_Part[Whole]]]:
    """Divide parts into those that share a directory: of a month of a site, or of a year if they have few hits."""
    groups: list[list[_Part[Whole]]] = []
    hits = 0
    for part in sorted(parts, key=lambda part: (part.site_id, part.first)):
        hits += part.hits
        if not groups or not _may_share(groups[-1][0], part, hits):
            groups.append([])
            hits = part.hits
        groups[-1].append(part)
    return groups


def _may_share(first: _Part[Whole], last: _Part[Whole], hits: int) -> bool:
    (year, month), (last_year, last_month) = _month(first.first), _month(last.last)
    most = MOST_HITS if month == last_month else MOST_HITS_OF_MONTHS
    return (first.site_id, year) == (last.site_id, last_year) and hits <= most


def _is_settled(day: datetime, now: datetime) -> bool:
    return day < now - SETTLED_AGE


def _month(day: datetime) -> tuple[int, int]:
    at = day.astimezone(UTC)
    return at.year, at.month
