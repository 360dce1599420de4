"""Explanations ask a report once for all decisions that leave what it is asked."""

from datetime import timedelta

from attrs import field, frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.citations.answer_states import Answers
from footfall.application.citations.changes import Changes
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.reports.askers import Asker
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.tables import table_of
from footfall.domain.citations.positions import Positions
from footfall.domain.periods.period import Period
from footfall.domain.sites import site
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.site import SiteConfigured
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE, START, hit
from tests.stores.stored import METADATA
from tests.submissions import one


@frozen
class Counted(Inquiry[int]):
    """A report that notes each time that it is read."""

    goals: int
    read: list[int] = field(eq=False)

    async def ask(self, _reports, _site_id):
        self.read.append(self.goals)
        return self.goals

    def table(self, found):
        return table_of(("count",), [{"count": found}])


async def test_a_report_is_read_once_for_decisions_that_do_not_change_it():
    log, journal = MemoryTrafficLog(), MemoryEventStore()
    await log.submit(one(hit()))
    registered = site.register(
        SITE, public_id="a", organization_id="1", name="A", domain="example.com", created_by="1"
    )
    await journal.append(site_stream(SITE), registered, expected=0, metadata=METADATA)
    for number in range(1, 6):
        changed = [SiteConfigured(ConfigChanges(block_bots=number % 2 == 0))]
        await journal.append(site_stream(SITE), changed, expected=number, metadata=METADATA)
    directory = Directory(journal)
    await directory.catch_up()
    answers = Answers(
        snapshots=MemoryReportSnapshots(log, journal),
        freshness=MemoryReports(log),
        directory=directory,
        events=journal,
    )
    read, day = [], Period(START, START + timedelta(days=1))
    # What is asked changes with the third of the five decisions.
    found = await Changes(answers, Asker.of("1", belongs=True)).explain(
        Positions(SITE, START, 1, 1),
        Positions(SITE, START, 6, 1),
        lambda then: Counted(ReportQuery(period=day, filters=()), int(then.position > 3), read),
    )

    assert len(found.causes) == 5
    assert [part["count"] for part in found.rows[0].parts] == [0, 0, 1, 0, 0]
    # The earlier answer, and both questions in the later one.
    assert read == [0, 1, 0]
