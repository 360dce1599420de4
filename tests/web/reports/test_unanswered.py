"""Pages of reports that are refused for a while."""

from datetime import date

import pytest
from attrs import evolve

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import memory_reports
from footfall.application.ports.reports.days_in_making import DaysInMaking


class InMaking(MemoryReports):
    async def overview(self, *_asked):
        raise DaysInMaking([date(2026, 3, 1)])


def in_making(log, journal):
    return evolve(memory_reports(log, journal), traffic=InMaking(log))


@pytest.mark.parametrize("reports", [in_making])
async def test_a_page_about_days_whose_files_are_being_made_says_so(world):
    browser = await world.browser("member")

    page = await browser.get("/sites/1?plain=on")

    assert page.status_code == 503
    assert "These days are not ready yet" in page.text
