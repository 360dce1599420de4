"""Retention of source maps: as the operator says, and no longer than the hits of their site."""

from datetime import timedelta
from types import SimpleNamespace

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.source_maps import MemorySourceMaps
from footfall.application.maintenance.source_maps import SourceMapRetention
from footfall.domain.error_tracking.source_maps import MinifiedFile, PackedFile
from footfall.domain.examples import NOON
from footfall.domain.pagination import Page


class Sites:
    """Three sites, of which the second one keeps its hits for 30 days and the third one for ten years."""

    def sites(self):
        days = {1: None, 2: 30, 3: 3650}
        return [SimpleNamespace(site=SimpleNamespace(site_id=one, retention_days=days[one])) for one in days]


async def test_old_source_maps_are_forgotten_with_the_hits_of_their_site_or_sooner():
    maps, packed = MemorySourceMaps(), PackedFile.of(MinifiedFile(b"", b"{}"))
    for site in (1, 2, 3):
        for age in (10, 40, 500):
            await maps.put(site, "1.0", f"{age}.js", packed, NOON - timedelta(days=age))

    forgotten = await SourceMapRetention(maps, Sites(), ManualClock(NOON), 400).apply()

    left = {site: [one.name for one in (await maps.listed(site, Page(1, 10))).files] for site in (1, 2, 3)}
    assert forgotten == 4
    assert left == {1: ["10.js", "40.js"], 2: ["10.js"], 3: ["10.js", "40.js"]}
