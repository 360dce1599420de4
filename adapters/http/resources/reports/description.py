"""Reports over HTTP: one description of each makes its endpoint, as JSON and as CSV, and its explanation."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from zoneinfo import ZoneInfo

from attrs import evolve, field, frozen

from footfall.adapters.http.resources.endpoint import ReaderCall, Result
from footfall.adapters.http.wire.report_bodies import comparison_body
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry, uses_of
from footfall.application.reports.tables import Table, Value
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.report_query import ReportQuery

PAGE_SIZE = 20
PAGED = ("page", "limit")
BUCKET = ("bucket",)

Outcome = TypeVar("Outcome")
Asked = TypeVar("Asked", bound=Inquiry[Any])


@frozen
class State:
    """The parameters of a request, as they are read in one state of a site.

    The `path` has what the address names beside the site. The report of `is_explained` is compared with itself: it has
    all of its rows, and no other period beside it.
    """

    parameters: ReportParameters
    reader: Reader
    directory: Directory
    # The directory of the present.
    present: Directory
    path: Mapping[str, str] = MappingProxyType({})
    is_explained: bool = False

    @property
    def query(self) -> ReportQuery:
        """The period and the filters."""
        return self.parameters.query()

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of buckets."""
        return self.parameters.window().zone

    @property
    def size(self) -> BucketSize:
        """The size of buckets."""
        return self.parameters.read(lambda texts: parse_bucket_size(texts.get("bucket")), BucketSize.HOUR)

    @property
    def page(self) -> Page:
        """The page of the rows."""
        return self.page_of(PAGE_SIZE)

    def page_of(self, size: int, names: Sequence[str] = ("limit",)) -> Page:
        """Return the page of the rows, of a size unless one of the parameters named says another one."""
        return ROWS if self.is_explained else self.parameters.page(size=size, size_names=names)

    @property
    def compared(self) -> ReportPeriod | None:
        """The period with the one that it is compared with, if the answer has both."""
        return None if self.is_explained else self.parameters.compared_window()

    @property
    def currencies(self) -> Mapping[tuple[str, str], str]:
        """The currencies of properties of events, by the event and the property."""
        record = self.directory.site(str(self.reader.site_id))
        return {} if record is None else record.site.currencies

    @property
    def groups(self) -> PageGroups:
        """The groups of pages of the site."""
        record = self.directory.site(str(self.reader.site_id))
        return UNGROUPED if record is None else record.site.page_groups


@frozen
class Answered(Generic[Asked, Outcome]):
    """An inquiry and its result, with the state that it was asked in."""

    inquiry: Asked
    result: Outcome
    state: State

    @property
    def rows(self) -> list[dict[str, Value]]:
        """The rows of the table, which JSON has, too, where it says no more."""
        return self.inquiry.table(self.result).records()

    def comparison(self, window: ReportPeriod) -> dict[str, Any]:
        """Return the bounds of both periods of a comparison."""
        return comparison_body(window, self.state.parameters.now)


@frozen(kw_only=True)
class Report(Generic[Asked, Outcome]):
    """A report: its own parameters, what makes an inquiry of them, and what it says as JSON.

    The parameters `shown` choose what the answer shows of the inquiry, as pages do; explanations do not have them. They
    know the report as `explained`, and have the parameters `named` for what its address names. The caller checks the
    parameters. `access` is the rule of its readers, which single errors and sessions have of their own; a link with one
    of its `panels` opens it, too. One without a past takes no `as_of`, and its answers have no positions. `headers` say
    of a result what a file of it does not.
    """

    own: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    common: frozenset[str] = COMMON
    explained: str | None = None
    access: Access = Access.READER
    panels: frozenset[SharedPanel] = frozenset()
    has_past: bool = True
    inquiry: Callable[[State], Asked]
    body: Callable[[Answered[Asked, Outcome]], dict[str, Any]] = field(
        default=lambda answered: {"data": answered.rows}
    )
    headers: Callable[[Outcome], Mapping[str, str]] = field(default=lambda _result: {})


# By their addresses below a site, or by the names under which they are explained.
Reports = Mapping[str, Report[Any, Any]]


async def answer_report(call: ReaderCall, report: Report[Any, Any]) -> Result:
    """Answer with a report, as JSON or as CSV.

    Raises:
        Invalid, NotFound, Conflict: a parameter is not accepted, what the address names is not there, or the report
            cannot be asked.
        ReportsBusy, StoreUnavailable, ErasedSince, RedefinedSince: as `opened` of the context does.

    """
    reader, reports = call.reader, call.services.reports
    parameters = call.parameters(own=report.own + report.shown, common=report.common)
    directory = await reports.directory_of(reader)
    state = State(parameters, reader, directory, reports.directory, call.path)
    inquiry = report.inquiry(state)
    parameters.check()
    async with call.opened(
        parameters,
        inquiry.span,
        history=inquiry.has_history,
        is_cheap=reader.as_of is None and await inquiry.is_cheap(reports.present, reader.site_id),
        has_past=report.has_past,
        uses=uses_of(inquiry),
    ) as answering:
        # Decisions may have come since the parameters were read.
        state = evolve(state, directory=answering.directory, present=answering.present)
        inquiry = report.inquiry(state)
        result = await inquiry.ask(answering.reports, reader.site_id)
    call.resp.set_headers(dict(report.headers(result)))
    if parameters.csv:
        table: Table = inquiry.table(result)
        return table
    return report.body(Answered(inquiry, result, state))
