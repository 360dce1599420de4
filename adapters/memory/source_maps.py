"""Source maps of sites, in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from attrs import define, field

from footfall.application.ports.errors.source_maps import KeptPage
from footfall.domain.error_tracking.source_maps import KeptFile, PackedFile, Quota
from footfall.domain.pagination import Page

_Key = tuple[int, str, str]


@define
class MemorySourceMaps:
    """SourceMaps over a dict."""

    _quota: Quota = field(factory=Quota)
    _kept: dict[_Key, tuple[PackedFile, datetime]] = field(factory=dict, init=False)

    async def put(self, site_id: int, release: str, name: str, packed: PackedFile, now: datetime) -> bool:
        """Keep a file, unless the same content is there already."""
        key = (site_id, release, name)
        if key in self._kept and self._kept[key][0].digest == packed.digest:
            return False
        places = [place for place in self._kept if place[0] == site_id and place != key]
        self._quota.check(
            files=sum(place[1] == release for place in places) + 1,
            stored=sum(self._kept[place][0].stored for place in places) + packed.stored,
        )
        self._kept[key] = (packed, now)
        return True

    async def known(self, site_id: int, names: Mapping[str, Sequence[str]]) -> Mapping[tuple[str, str], str]:
        """Return the digests of those files that are kept."""
        files = [(release, name) for release, names_of_release in names.items() for name in names_of_release]
        return {
            file: self._kept[site_id, *file][0].digest for file in files if (site_id, *file) in self._kept
        }

    async def read(self, site_id: int, release: str, name: str) -> PackedFile | None:
        """Return a file with its map."""
        stored = self._kept.get((site_id, release, name))
        return None if stored is None else stored[0]

    async def listed(self, site_id: int, page: Page, release: str | None = None) -> KeptPage:
        """Return a page of the files, the latest upload first."""
        files = [
            _kept_file(key, *upload)
            for key, upload in self._kept.items()
            if key[0] == site_id and release in (None, key[1])
        ]
        ordered = sorted(files, key=lambda file: (file.release, file.name))
        ordered.sort(key=lambda file: file.uploaded_at, reverse=True)
        return KeptPage(page.of(ordered), len(files), sum(file.stored for file in files))

    async def with_maps(self, site_id: int, releases: Collection[str]) -> frozenset[str]:
        """Return those of the releases that have files."""
        return frozenset(place[1] for place in self._kept if place[0] == site_id and place[1] in releases)

    async def delete(self, site_id: int, release: str, name: str | None = None) -> int:
        """Delete a file, or all files of a release."""
        return self._delete(
            [key for key in self._kept if key[:2] == (site_id, release) and name in (None, key[2])]
        )

    async def forget_before(self, cutoff: datetime, sites: Mapping[int, datetime]) -> int:
        """Delete what was uploaded before a time, for some sites before a later one."""
        return self._delete(
            [key for key, (_, at) in self._kept.items() if at < max(cutoff, sites.get(key[0], cutoff))]
        )

    def _delete(self, keys: Sequence[_Key]) -> int:
        for key in keys:
            del self._kept[key]
        return len(keys)


def _kept_file(key: _Key, packed: PackedFile, at: datetime) -> KeptFile:
    _, release, name = key
    return KeptFile(
        release=release,
        name=name,
        digest=packed.digest,
        size=packed.size,
        stored=packed.stored,
        uploaded_at=at,
    )
