"""Reports that are refused for a while."""

from datetime import date

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.ports.reports.days_in_making import DaysInMaking


class InMaking(MemoryReports):
    async def overview(self, *_asked):
        raise DaysInMaking([date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 7)])


def in_making(log, journal):
    return evolve(memory_reports(log, journal), traffic=InMaking(log))


@pytest.mark.parametrize("reports", [in_making])
async def test_days_whose_files_are_being_made_are_named(world):
    response = await world.request("GET", "/api/sites/1/overview", key="member")

    assert (response.status_code, response.headers["Retry-After"]) == (503, "30")
    assert response.json == {
        "success": False,
        "error": "Temporarily unavailable",
        "details": {
            "fieldErrors": {},
            "formErrors": ["The files of days from 2026-03-01 to 2026-03-07 are being made"],
        },
    }
