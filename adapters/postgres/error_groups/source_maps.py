"""Source maps of sites, in PostgreSQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import field, frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.errors.source_maps import KeptPage
from footfall.domain.error_tracking.source_maps import KeptFile, PackedFile, Quota
from footfall.domain.pagination import Page

_FOLDER = "error_groups/maps"


@frozen
class PostgresSourceMaps:
    """SourceMaps over the table `source_map`."""

    _connections: Connections
    _quota: Quota = field(factory=Quota)

    async def put(self, site_id: int, release: str, name: str, packed: PackedFile, now: datetime) -> bool:
        """Keep a file, unless the same content is there already."""
        place = {"site_id": site_id, "release": release, "file": name}
        async with self._connections.connection() as connection, connection.transaction():
            await connection.run(f"{_FOLDER}/lock", **place)
            same = {**place, "digest": packed.digest}
            if await connection.row(f"{_FOLDER}/is_there", **same):
                return False
            [room] = await connection.rows(f"{_FOLDER}/room", **place)
            self._quota.check(files=room["files"] + 1, stored=room["stored"] + packed.stored)
            values = {
                **same,
                "size": packed.size,
                "stored": packed.stored,
                "code": packed.code,
                "map": packed.source_map,
                "now": now,
            }
            await connection.run(f"{_FOLDER}/put", **values)
        return True

    async def known(self, site_id: int, names: Mapping[str, Sequence[str]]) -> Mapping[tuple[str, str], str]:
        """Return the digests of those files that are kept."""
        asked = [(release, name) for release, files in names.items() for name in files]
        parameters = {
            "site_id": site_id,
            "releases": [release for release, _ in asked],
            "files": [name for _, name in asked],
        }
        rows = await self._rows("known", parameters)
        return {(row["release"], row["file"]): row["digest"] for row in rows}

    async def read(self, site_id: int, release: str, name: str) -> PackedFile | None:
        """Return a file with its map."""
        rows = await self._rows("read", {"site_id": site_id, "release": release, "file": name})
        files = [PackedFile(row["code"], row["map"], row["digest"], row["size"]) for row in rows]
        return files[0] if files else None

    async def listed(self, site_id: int, page: Page, release: str | None = None) -> KeptPage:
        """Return a page of the files, the latest upload first."""
        place = {"site_id": site_id, "release": release, "limit": page.size, "offset": page.offset}
        rows = await self._rows("listed", place)
        files = [_kept_file(row) for row in rows if row["file"] is not None]
        return KeptPage(files, rows[0]["files"], rows[0]["bytes"])

    async def with_maps(self, site_id: int, releases: Collection[str]) -> frozenset[str]:
        """Return those of the releases that have files."""
        rows = await self._rows("with_maps", {"site_id": site_id, "releases": list(releases)})
        return frozenset(row["release"] for row in rows)

    async def delete(self, site_id: int, release: str, name: str | None = None) -> int:
        """Delete a file, or all files of a release."""
        return await self._delete("delete", {"site_id": site_id, "release": release, "file": name})

    async def forget_before(self, cutoff: datetime, sites: Mapping[int, datetime]) -> int:
        """Delete what was uploaded before a time, for some sites before a later one."""
        parameters = {"cutoff": cutoff, "sites": list(sites), "cutoffs": list(sites.values())}
        return await self._delete("forget", parameters)

    async def _delete(self, name: str, parameters: Mapping[str, Any]) -> int:
        return await self._connections.run(f"{_FOLDER}/{name}", **parameters)

    async def _rows(self, name: str, parameters: Mapping[str, Any]) -> list[DictRow]:
        return await self._connections.rows(f"{_FOLDER}/{name}", **parameters)


def _kept_file(row: DictRow) -> KeptFile:
    return KeptFile(
        release=row["release"],
        name=row["file"],
        digest=row["digest"],
        size=row["size"],
        stored=row["stored"],
        uploaded_at=row["uploaded_at"],
    )
