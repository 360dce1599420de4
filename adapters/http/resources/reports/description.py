"""Reports over HTTP: one description of each makes its endpoint, as JSON and as CSV, and its explanation."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from zoneinfo import ZoneInfo

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.disclosure import Reader
from footfall.application.journal.directory import Directory
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry, uses_of
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import Table
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, parse_bucket_size
from footfall.domain.periods.report_period import ReportPeriod

PAGE_SIZE = 20
PAGED = ("page", "limit")
BUCKET = ("bucket",)

Found = TypeVar("Found")
Asked = TypeVar("Asked", bound=Inquiry[Any])


@frozen
class State:
    """The parameters of a request, as they are read in one state of a site.

    The report of `is_explained` is compared with itself: it has all of its rows, and no other period beside it.
    """

    parameters: ReportParameters
    reader: Reader
    directory: Directory
    # That of now.
    present: Directory
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
        return ROWS if self.is_explained else self.parameters.page(size=PAGE_SIZE)

    @property
    def compared(self) -> ReportPeriod | None:
        """The period with the one that it is compared with, if the answer has both."""
        return None if self.is_explained else self.parameters.compared_window()


@frozen(kw_only=True)
class Answered(Generic[Asked, Found]):
    """What was asked and found, the parameters, and the state that it was found in."""

    inquiry: Asked
    found: Found
    parameters: ReportParameters
    reader: Reader
    directory: Directory


@frozen(kw_only=True)
class Report(Generic[Asked, Found]):
    """A report: its own parameters, what makes an inquiry of them, and what it says as JSON.

    The parameters `shown` choose what the answer shows of the inquiry, as pages do; explanations do not have them.
    The caller checks the parameters. `table` is another one than that of the inquiry, if CSV says more.
    """

    own: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    common: frozenset[str] = COMMON
    inquiry: Callable[[State], Asked]
    body: Callable[[Answered[Asked, Found]], dict[str, Any]]
    table: Callable[[Answered[Asked, Found]], Table] = field(
        default=lambda answered: answered.inquiry.table(answered.found)
    )


@frozen
class ReportEndpoint:
    """GET /api/sites/<site_id>/<report>."""

    access_get = Access.READER

    _reports: ReportContext
    _report: Report[Any, Any]

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the report."""
        report, directory = self._report, self._reports.directory
        reader = await self._reports.reader(req, self.access_get, site)
        own = report.own + report.shown
        parameters = ReportParameters(
            req, reader, now=self._reports.clock.now(), own=own, common=report.common
        )
        inquiry = report.inquiry(State(parameters, reader, directory, directory))
        parameters.check()
        async with self._reports.opened(
            resp,
            reader,
            parameters,
            inquiry.span,
            history=inquiry.has_history,
            is_cheap=inquiry.is_cheap,
            uses=uses_of(inquiry),
        ) as answering:
            found = await inquiry.ask(answering.reports, reader.site_id)
        answered = Answered(
            inquiry=inquiry,
            found=found,
            parameters=parameters,
            reader=reader,
            directory=answering.directory,
        )
        if parameters.csv:
            answer_csv(resp, report.table(answered))
        else:
            answer(resp, falcon.HTTP_200, report.body(answered))


@frozen
class DetailsEndpoint(ReportEndpoint):
    """GET /api/sites/<site_id>/<report>, of a report with single errors."""

    access_get = Access.DETAILS
