"""The access check and the reports that every report endpoint needs."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from attrs import evolve, field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.report_parameters import COMMON, ReportParameters
from footfall.application.access.authorization import Access, Gatekeeper, Grant
from footfall.application.access.readers import Reader, limits_of
from footfall.application.citations.answer_states import Answer, Answers
from footfall.application.journal.directory import Directory
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import PastQuestion, ReportSet
from footfall.application.ports.system import Clock
from footfall.application.reports.exclusions import ExcludedCounts
from footfall.domain.citations.definitions import OF_REPORTS, Definition, of_filters
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import SiteNotFound, existing
from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.sites.standing_exclusions import StandingExclusions
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.traffic.filters import ExpressionCompiler

# The number of stored events that a report does not hold yet.
INCOMPLETE = "Footfall-Incomplete"
# The positions of both logs that an answer is made from.
POSITIONS = "Footfall-Positions"
# The span in which the site recognizes visitors.
REACH = "Footfall-Visitor-Reach"
# The number of sessions of the period that the standing exclusions of the site leave out.
EXCLUDED = "Footfall-Excluded"


@frozen(kw_only=True)
class ReportContext:
    """The reports of all sites, with the checks before them; those of the `present` are asked outside of answers."""

    gatekeeper: Gatekeeper
    directory: Directory
    present: ReportSet
    freshness: Freshness
    answers: Answers
    clock: Clock
    expressions: ExpressionCompiler
    compile_patterns: PatternCompiler
    _excluded: ExcludedCounts = field(init=False)

    @_excluded.default
    def _no_counts(self) -> ExcludedCounts:
        return ExcludedCounts(self.clock)

    async def reader(
        self, req: Request, access: Access, site: str, panels: Collection[SharedPanel] = ()
    ) -> Reader:
        """Return the reader of a site, with the goals of the state that the parameter `as_of` names.

        A link that opens one of the panels is a reader, too. Access is that of the present.

        Raises:
            Unauthenticated: the rule needs a credential, and the request has no valid one.
            SiteNotFound: there is no such site.
            ErasedSince: a deleted site is asked about its past.
            AccessDenied: the caller has no access.
            Invalid: the named state is not accepted.
            StoreUnavailable: the store does not answer.

        """
        as_of = req.params.get("as_of")
        grant = await self.grant(req, access, site, panels, past=as_of is not None)
        reader = self.reader_at(grant, self.directory)
        # A repeated parameter is refused with all others.
        return await self._of_the_past(grant, as_of) if isinstance(as_of, str) else reader

    async def grant(
        self, req: Request, access: Access, site: str, panels: Collection[SharedPanel] = (), *, past: bool
    ) -> Grant:
        """Return the access to a site; one that has been deleted has had a past.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied, StoreUnavailable: as above.
            ErasedSince: a deleted site is asked about its past.

        """
        try:
            return await self.gatekeeper.admit(access, site, credentials(req), panels)
        except SiteNotFound:
            if past:
                await self.answers.require_existing(site)
            raise

    def parameters(
        self,
        req: Request,
        reader: Reader,
        *,
        own: Collection[str] = (),
        common: Collection[str] = COMMON,
    ) -> ReportParameters:
        """Return the parameters of a request, as of now."""
        return ReportParameters(req, reader, now=self.clock.now(), own=own, common=common)

    def asker(self, reader: Reader) -> Asker:
        """Return whose turn a reader waits for.

        Raises:
            SiteNotFound: the site was deleted after the reader was admitted.

        """
        record = existing(self.directory.site(str(reader.site_id)), SiteNotFound)
        return Asker.of(record.site.organization_id, belongs=reader.belongs)

    async def directory_of(self, reader: Reader) -> Directory:
        """Return the directory of the state that a request asks about.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        return self.directory if reader.as_of is None else await self.answers.directory_at(reader.as_of)

    async def _of_the_past(self, grant: Grant, as_of: str) -> Reader:
        positions = await self.positions(grant, as_of)
        directory = await self.answers.directory_at(positions)
        return evolve(self.reader_at(grant, directory), as_of=positions)

    async def positions(self, grant: Grant, text: str) -> Positions:
        """Return the state that a reader with this access names: positions or an instant, of a link an hour.

        Raises:
            Invalid: the text, or what it names, is not accepted; the error names `as_of`.
            StoreUnavailable: the store does not answer.

        """
        limited = grant.link is not None
        return await self.answers.resolve(text, grant.site_id, now=self.clock.now(), limited=limited)

    def reader_at(self, grant: Grant, directory: Directory) -> Reader:
        """Return the reader with this access, with the goals, funnels and segments of a state.

        Raises:
            Invalid: the segment of the reader's link cannot be used.

        """
        site_id, present = grant.site_id, self.directory
        limits = limits_of(grant, present.goals_of(site_id), present.funnels_of(site_id), self.expressions)
        record = directory.site(str(site_id)) or grant.site_record
        goals, funnels = directory.goals_of(site_id), directory.funnels_of(site_id)
        return Reader.of(
            evolve(grant, site_record=record), goals, self.expressions, funnels=funnels, limits=limits
        )

    @asynccontextmanager
    async def opened(
        self,
        resp: Response,
        reader: Reader,
        parameters: ReportParameters,
        span: Period,
        *,
        history: bool = False,
        is_cheap: bool = False,
        has_past: bool = True,
        uses: frozenset[Definition] = OF_REPORTS,
    ) -> AsyncIterator[Answer]:
        """Lend the state that an answer on periods inside of a span is made from, when it is the reader's turn.

        With `history` the answer depends on all hits before the span, too. One that `is_cheap`, since it reads few rows
        however large the log is, needs no turn in the present. `uses` are the definitions of the report, beside those
        of its filters.

        Headers name its positions, unless it has no past and so cannot be given again, how far the site recognizes
        visitors, the number of sessions that the standing exclusions leave out, and that of stored events that are not
        in it yet. What counts other sessions than those of a link is not for its readers.

        Raises:
            SiteNotFound: the site was deleted after the reader was admitted.
            ReportsBusy: too many others wait.
            Invalid: the asked state of the past is not accepted.
            ErasedSince: hits of the asked state have been erased.
            RedefinedSince: the asked state names an earlier definition of the report.
            StoreUnavailable: the store does not answer, or a goal or an exclusion changed after the parameters had been
                read.

        """
        asker = self.asker(reader)
        if reader.as_of is not None:
            question = PastQuestion(positions=reader.as_of, span=span, history=history)
            used = uses | of_filters(parameters.filters())
            async with self.answers.past(question, asker=asker, uses=used) as answer:
                _describe(resp, answer, reader)
                yield answer
                await self._count_excluded(resp, answer, parameters)
            return
        now, waits = parameters.now, None if is_cheap else asker
        async with self.answers.present(reader.site_id, span, now=now, asker=waits) as answer:
            if answer.directory.goals_of(reader.site_id) != list(reader.goals):
                raise StoreUnavailable("the goals changed while a report was prepared")
            by_funnel = any(condition.last_steps for condition in parameters.filters())
            if by_funnel and answer.directory.funnels_of(reader.site_id) != list(reader.funnels):
                raise StoreUnavailable("the funnels changed while a report was prepared")
            by_group = any(condition.groups.rules for condition in parameters.filters())
            if by_group and _groups(answer, reader) != reader.page_groups:
                raise StoreUnavailable("the groups of pages changed while a report was prepared")
            by_rules = _exclusions(answer, reader).leaves_out_the_same(reader.exclusions)
            if parameters.follows_exclusions and not by_rules:
                raise StoreUnavailable("the exclusion rules changed while a report was prepared")
            _describe(resp, answer, reader)
            if not has_past:
                resp.delete_header(POSITIONS)
            if answer.missing:
                # The number is of the events of all sites.
                resp.set_header(INCOMPLETE, str(answer.missing) if reader.limits is None else "1")
            yield answer
            await self._count_excluded(resp, answer, parameters)

    async def _count_excluded(self, resp: Response, answer: Answer, parameters: ReportParameters) -> None:
        """Say how many sessions of the period the standing exclusions leave out, with filters or without."""
        if parameters.follows_exclusions and parameters.tells_excluded:
            period, traffic = parameters.window().period, answer.reports.traffic
            excluded = await self._excluded.of(answer.positions, period, parameters.exclusion(), traffic)
            resp.set_header(EXCLUDED, str(excluded))


def _describe(resp: Response, answer: Answer, reader: Reader) -> None:
    record = answer.directory.site(str(reader.site_id))
    if reader.limits is None:
        resp.set_header(POSITIONS, str(answer.positions))
    resp.set_header(REACH, VisitorReach.FOREVER if record is None else record.site.config.visitor_reach)


def _exclusions(answer: Answer, reader: Reader) -> StandingExclusions:
    record = answer.directory.site(str(reader.site_id))
    return reader.exclusions if record is None else record.site.exclusions


def _groups(answer: Answer, reader: Reader) -> PageGroups:
    record = answer.directory.site(str(reader.site_id))
    return reader.page_groups if record is None else record.site.page_groups
