"""Pages of reports that are refused for a while."""

from datetime import date

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.application.ports.reports.days_in_making import DaysInMaking


async def test_a_page_about_days_whose_files_are_being_made_says_so(world, monkeypatch):
    async def overview(*_asked):
        raise DaysInMaking([date(2026, 3, 1)])

    monkeypatch.setattr(MemoryReports, "overview", overview)
    browser = await world.browser("member")

    page = await browser.get("/sites/1?plain=on")

    assert page.status_code == 503
    assert "These days are not ready yet" in page.text
