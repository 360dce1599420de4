"""The ports of source maps: what sites keep, and the reading of a map."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.domain.error_tracking.source_maps import KeptFile, MinifiedFile, Original, PackedFile
from footfall.domain.pagination import Page


class UnreadableSourceMap(Exception):
    """A map is no source map, or costs more time or memory to read than is allowed."""


@frozen
class KeptPage:
    """A page of files, and the number of files and of stored bytes on all pages."""

    files: Sequence[KeptFile]
    total: int
    stored: int


class SourceMaps(Protocol):
    """The minified files of sites with their maps, by release and name.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def put(self, site_id: int, release: str, name: str, packed: PackedFile, now: datetime) -> bool:
        """Keep a file, in place of an earlier one of this name; False when the same content was there already.

        Raises:
            SourceMapQuotaExceeded: the release has as many files, or the site as many bytes, as it may have.

        """

    async def known(self, site_id: int, names: Mapping[str, Sequence[str]]) -> Mapping[tuple[str, str], str]:
        """Return the digests of those files that are kept; `names` are asked for by release."""

    async def read(self, site_id: int, release: str, name: str) -> PackedFile | None:
        """Return a file with its map; None if it is not kept."""

    async def listed(self, site_id: int, page: Page, release: str | None = None) -> KeptPage:
        """Return a page of the files, of one release or of all, the latest upload first, ties by release and name."""

    async def with_maps(self, site_id: int, releases: Collection[str]) -> frozenset[str]:
        """Return those of the releases that have files."""

    async def delete(self, site_id: int, release: str, name: str | None = None) -> int:
        """Delete a file, or all files of a release, and return their number."""

    async def forget_before(self, cutoff: datetime, sites: Mapping[int, datetime]) -> int:
        """Delete what was uploaded before a time, for some sites before a later one, and return the number of files."""


class Symbolicator(Protocol):
    """Reads source maps, which are untrusted: within limits of time and memory."""

    async def originals(
        self, content: MinifiedFile, places: Sequence[tuple[int, int]]
    ) -> Sequence[Original | None]:
        """Return the positions as written of places, lines and columns from 1; None for a place that the map lacks.

        Raises:
            UnreadableSourceMap: the map cannot be read.

        """
