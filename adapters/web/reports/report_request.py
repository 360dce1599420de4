"""Requests for reports on a site: what they ask about, who may ask, and what their pages have in common."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request

from footfall.adapters.web.reports.filters.filter_texts import names_of_definitions
from footfall.adapters.web.reports.filters.typed_filters import TypedFilter, TypedFilters, remaining_filters
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.periods import CALENDAR, DAYS
from footfall.adapters.web.reports.view import View
from footfall.adapters.web.reports.view_reading import is_embedded, is_of_all_time, own_parameters, read_view
from footfall.adapters.web.services import Dashboard
from footfall.adapters.web.session.access import PageAccess, Viewer
from footfall.application.access.authorization import Access, Grant, LinkLocked
from footfall.application.access.readers import Reader, limits_of
from footfall.application.access.segments import visible_segments
from footfall.application.access.shared_links import LinkLimits
from footfall.application.citations.answer_states import Answer
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.definitions import OF_REPORTS, Definition, of_filters
from footfall.domain.citations.positions import Positions, whole_milliseconds
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedLink, SharedPanel
from footfall.domain.traffic.filters import ExpressionCompiler, Filter
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class ReportRequest:
    """An authorized request for a report: the site, the view, the kind of access and the user.

    `limits` are what the link shows by which it was made, unless it is the private link; `may_embed` tells whether
    other sites may frame its page. Requests by a link or from a frame have no `viewer`, even if a user is signed in:
    the page there is the same for all readers.
    """

    record: SiteRecord
    view: View
    by_link: bool
    viewer: Viewer | None
    expressions: ExpressionCompiler
    limits: LinkLimits | None = None
    may_embed: bool = True
    # The earlier positions that the address names; None for the present.
    as_of: Positions | None = None
    # What the page shows that is no part of the view, by its parameters.
    kept: Mapping[str, str] = MappingProxyType({})
    # The filter that was typed, where it can mean several values, or none.
    typed: TypedFilter | None = None
    # The filter by the exclusion rules, whether the view includes what they leave out or not.
    exclusion: tuple[Filter, ...] = ()

    @property
    def belongs(self) -> bool:
        """Whether the reader belongs to the site's organization, as viewers do."""
        return self.viewer is not None and self.record in self.viewer.sites

    @property
    def asker(self) -> Asker:
        """The asker in whose turn the request waits."""
        return Asker.of(self.record.site.organization_id, belongs=self.belongs)

    @property
    def reader(self) -> Reader:
        """The reader, for what is withheld from some."""
        return Reader(self.record.site.site_id, self.belongs, limits=self.limits)

    def reader_of_all(self, directory: Directory) -> Reader:
        """Return the reader with the goals, funnels and groups of pages that filters of the site can name."""
        record = self.record
        return Reader(
            record.site.site_id,
            self.belongs,
            directory.goals_of(record.site.site_id),
            expressions=self.expressions,
            funnels=directory.funnels_of(record.site.site_id),
            page_groups=record.site.page_groups,
        )

    @property
    def edits(self) -> bool:
        """Whether the reader may change goals and resolve errors; not on a page of the past."""
        if self.as_of is not None:
            return False
        role = None if self.viewer is None else self.viewer.role_on(self.record.site)
        return role is not None and role.edits

    @property
    def values(self) -> dict[str, Any]:
        """The values that all pages of reports show."""
        return {
            "record": self.record,
            "view": self.view,
            "viewer": self.viewer,
            "belongs": self.belongs,
            "edits": self.edits,
            "visits": self.belongs and self.record.site.config.show_visits,
            "as_of": self.as_of,
            "days": DAYS,
            "calendar": CALENDAR,
            "kept": self.kept,
            "typed": self.typed,
        }

    @property
    def details(self) -> bool:
        """Whether errors and sessions are shown: always to members, to other readers if the site shares them.

        Links that show some panels never show single errors and sessions.
        """
        return self.belongs or (self.limits is None and self.record.site.config.share_details)

    @property
    def sees_messages(self) -> bool:
        """Whether the reader sees an admitted panel about errors: links are admitted to their panels only."""
        return self.details or self.limits is not None

    def with_permitted_filters(self, record: SiteRecord, directory: Directory) -> "ReportRequest":
        """Return the request with the goals and funnels, among those of the site, and the expressions of its filters.

        The record of the site is that of the state which the request asks about.

        Raises:
            Invalid: a filter is for members only, names a goal or a step that the site does not have, or has an
                expression that is not accepted; or a reader who is no member would include what rules exclude.

        """
        user_id = None if self.viewer is None else self.viewer.user_id
        site_id, segments = self.record.site.site_id, visible_segments(record.site, user_id)
        goals, funnels = directory.goals_of(site_id), directory.funnels_of(site_id)
        reader = Reader(
            site_id,
            self.belongs,
            goals,
            segments,
            expressions=self.expressions,
            funnels=funnels,
            limits=self.limits,
            exclusions=record.site.exclusions,
            page_groups=record.site.page_groups,
        )
        own = reader.permitted(self.view.own)
        typed = None if self.view.typed is None else reader.permitted([self.view.typed])[0]
        filters = reader.filters_of_segment(self.view.segment) + own
        if self.view.includes_excluded and not self.belongs:
            raise Invalid({"excluded": ["is only for members of the site's organization"]})
        exclusion = reader.exclusion()
        view = evolve(
            self.view,
            parameters=tuple(
                (name, value)
                for name, value in self.view.parameters
                if name not in PANELS or reader.may_use(value)
            ),
            filters=filters,
            own=own,
            typed=typed,
            belongs=self.belongs,
            limits=self.limits,
            limited=reader.limited,
            exclusion=() if self.view.includes_excluded else exclusion,
            rules=len(record.site.exclusions.enabled),
            segments=segments,
            page_groups=record.site.page_groups,
            defined_names=names_of_definitions(goals, funnels),
        )
        return evolve(self, view=view, exclusion=exclusion)


@frozen
class ReportAccess:
    """Authorizes members, private links, public readers and frames."""

    _access: PageAccess
    _services: Dashboard

    async def authorize(
        self,
        access: Access,
        req: Request,
        site: str,
        key: str | None,
        *,
        past: bool = False,
        panels: Collection[SharedPanel] = (),
        as_typed: bool = False,
    ) -> ReportRequest:
        """Return the authorized request, to links with one of the `panels`, too.

        Only pages that can show the `past` take positions of it. With `as_typed` a filter stays as it was typed.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied, LinkNotFound: as page access does.
            Invalid: a parameter of the address is not valid.
            HTTPSeeOther: a filter was typed, and the page is at the address that has it.

        """
        if "as_of" in req.params and not past:
            raise Invalid({"as_of": ["is not taken by this page, which shows the present"]})
        request = await self._authorized(access, req, site, key, panels)
        site_id, directory = request.record.site.site_id, self._services.directory
        if request.as_of is not None:
            directory = await self._services.answers.directory_at(request.as_of)
        record = directory.site(str(site_id)) or request.record
        request = request.with_permitted_filters(record, directory)
        if request.view.typed is None or as_typed:
            return request
        typed = await self.interpreted(request, request.view.typed)
        if typed.found is not None:
            path = _subpath(req, request.view)
            raise falcon.HTTPSeeOther(request.view.with_filter(typed.found, path, **request.kept))
        return evolve(request, typed=typed)

    async def interpreted(self, request: ReportRequest, typed: Filter) -> TypedFilter:
        """Return what a filter can mean that was typed on a page.

        Raises:
            ReportsBusy, StoreUnavailable: as for any report.

        """
        view = request.view
        query = ReportQuery(view.window.period, remaining_filters(view.asked, view.own, typed))
        async with self.opened(request) as answer:
            filters = TypedFilters(answer.reports.breakdowns, request.record.site.site_id, query)
            return await filters.interpreted(typed)

    @asynccontextmanager
    async def opened(
        self,
        request: ReportRequest,
        *,
        history: bool = False,
        uses: frozenset[Definition] = OF_REPORTS,
        span: Period | None = None,
        is_cheap: bool = False,
    ) -> AsyncIterator[Answer]:
        """Lend the state that a page is made from; with `history` it depends on all hits before the period, too.

        The page is about the period of the view unless a span is given. One that `is_cheap` needs no turn in the
        present.

        Raises:
            ReportsBusy: too many others wait.
            Invalid, ErasedSince, RedefinedSince: the state of the past is not accepted.
            StoreUnavailable: the store does not answer.

        """
        span = request.view.window.span if span is None else span
        if request.as_of is None:
            site_id = request.record.site.site_id
            now = request.view.at
            async with self._services.answers.present(
                site_id, span, now=now, asker=None if is_cheap else request.asker
            ) as answer:
                record, asked = answer.directory.site(str(site_id)), request.record.site.exclusions
                if record is not None and not record.site.exclusions.leaves_out_the_same(asked):
                    raise StoreUnavailable("the exclusion rules changed while a page was prepared")
                yield answer
            return
        question = PastQuestion(positions=request.as_of, span=span, history=history)
        used = uses | of_filters(request.view.asked)
        async with self._services.answers.past(question, asker=request.asker, uses=used) as answer:
            yield answer

    async def _authorized(
        self, access: Access, req: Request, site: str, key: str | None, panels: Collection[SharedPanel]
    ) -> ReportRequest:
        if key is not None:
            try:
                grant = await self._access.authorize_link(access, req, site, key, panels)
            except LinkLocked:
                asked = urlencode({"next": req.relative_uri})
                raise falcon.HTTPSeeOther(f"/share/{site}/{key}/password?{asked}") from None
            request = await self._request(req, grant.site_record, f"/share/{site}/{key}", grant.link)
            return request if grant.link is None else self._limited(request, grant, req)
        if is_embedded(req):
            record = await self._access.authorize_public_site(access, site)
            return await self._request(req, record, f"/sites/{record.site.site_id}")
        record = await self._access.authorize_site(access, site, req)
        request = await self._request(req, record, f"/sites/{record.site.site_id}")
        return evolve(request, viewer=await self._access.viewer(req))

    def _limited(self, request: ReportRequest, grant: Grant, req: Request) -> ReportRequest:
        """Return the request with what the link shows at present, which its parameters must not exceed.

        Raises:
            Invalid: a parameter does, or the segment of the link cannot be used.

        """
        site_id, link = grant.site_id, grant.link
        goals, funnels = (
            self._services.directory.goals_of(site_id),
            self._services.directory.funnels_of(site_id),
        )
        limits = limits_of(grant, goals, funnels, self._services.expressions)
        texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
        if limits is not None and (errors := limits.choice_errors(texts)):
            raise Invalid(errors)
        return evolve(request, limits=limits, may_embed=link is None or link.terms.embed)

    async def _request(
        self, req: Request, record: SiteRecord, base: str, link: SharedLink | None = None
    ) -> ReportRequest:
        now, as_of = whole_milliseconds(self._services.clock.now()), None
        if "as_of" in req.params:
            text, answers = req.params["as_of"], self._services.answers
            as_of = await answers.resolve(
                text if isinstance(text, str) else "", record.site.site_id, now=now, limited=link is not None
            )
        at = now if as_of is None else as_of.at
        since = (
            await self._services.reports.traffic.data_since(record.site.site_id)
            if is_of_all_time(req)
            else None
        )
        view = read_view(req, base, at, time_zone=record.site.config.time_zone, since=since)
        return ReportRequest(
            record,
            view,
            by_link=base.startswith("/share/"),
            viewer=None,
            expressions=self._services.expressions,
            as_of=as_of,
            kept=own_parameters(req),
        )


def _subpath(req: Request, view: View) -> str:
    """Return the path of a page below that of its site, which the address can name in another way."""
    parts = req.path.split("/")[len(view.base.split("/")) :]
    return "".join(f"/{quote(part, safe='')}" for part in parts)
