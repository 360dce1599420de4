"""Pages of the groups of errors: their list, the page of one, and the forms of decisions about it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import upload_command, who
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.error_pages import STATUSES
from footfall.adapters.web.reports.panels.inquiries import chosen_groups, of_costs, of_groups
from footfall.adapters.web.reports.panels.rows import PanelRows, searched
from footfall.adapters.web.reports.report_page import NotShared, ReportPage
from footfall.adapters.web.reports.report_request import ReportAccess, ReportRequest
from footfall.adapters.web.reports.view import View
from footfall.adapters.web.reports.view_reading import read_view
from footfall.adapters.web.session.access import SentForm
from footfall.adapters.web.session.forms import Form, FormResource
from footfall.application.access.authorization import Access
from footfall.application.commands.known_error_groups import KnownErrorGroups
from footfall.application.languages.language import marked, tr
from footfall.application.reports.error_costs import CostlyGroup, latest_deploys
from footfall.application.reports.error_groups import ShownGroup, show_group
from footfall.domain.error_tracking.decisions import checked_fingerprints
from footfall.domain.error_tracking.fingerprint import is_fingerprint, stack_text
from footfall.domain.error_tracking.source_maps import MissingMap, SourcedStack
from footfall.domain.exceptions import ErrorNotFound, Invalid
from footfall.domain.number import identifier
from footfall.domain.pagination import parse_page
from footfall.domain.tracking.release import name_release
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import session_text

PAGE_SIZE = 25
# Releases whose missing source maps a page names.
MOST_OFFERED = 3
SORTS: Mapping[str, str] = MappingProxyType(
    marked({"count": "Count", "sessionCount": "Sessions", "lastSeen": "Last seen", "firstSeen": "First seen"})
)
# The actions of forms with a field to type into.
_TYPED = frozenset({"comment", "merge"})
_ACTIONS = frozenset({"resolve", "reopen", "mute", "assign", "comment", "uncomment", "merge", "separate"})
# The choices of the form that mutes an error.
_DAYS: Mapping[str, int] = MappingProxyType({"1d": 1, "7d": 7, "30d": 30})
_COUNTS: Mapping[str, int] = MappingProxyType({"10": 10, "100": 100, "1000": 1000})


@frozen
class ErrorGroupsPage(ReportPage):
    """GET …/errors."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show the groups of the period."""
        request = await _authorized(self._access, self.access_get, req, site, key)
        page = parse_page({"page": req.get_param("page") or "1"}, size=PAGE_SIZE)
        chosen = chosen_groups(req.params, PanelRows(page, searched(req.params)))
        async with self._access.opened(request, history=True) as answer:
            inquiry = of_groups(request.view, chosen, request.reader, answer)
            listing = await inquiry.ask(answer.reports, request.record.site.site_id)
            values = await self.values(request, answer)
        values |= {
            "listing": listing,
            "chosen": chosen,
            "statuses": STATUSES,
            "sorts": SORTS,
        }
        await self.render(req, resp, request, "error_groups.html", values)


@frozen
class ErrorGroupPage(ReportPage):
    """GET …/errors/<group>."""

    access_get = Access.READER

    async def on_get(
        self, req: Request, resp: Response, site: str, group: str, key: str | None = None
    ) -> None:
        """Show a group: its stacks, where it occurs, who met it, and the trail of a session."""
        request = await _authorized(self._access, self.access_get, req, site, key)
        await self._show(req, resp, request, group, Form({}))

    async def show_refused(
        self, req: Request, resp: Response, site: str, group: str, form: Form, refusal: Invalid
    ) -> None:
        """Show a group with what was typed into a form that was refused, and the errors beside its fields."""
        request = await _authorized(self._access, self.access_get, req, site)
        await self._show(req, resp, request, group, form, refusal)

    async def _show(
        self,
        req: Request,
        resp: Response,
        request: ReportRequest,
        group: str,
        form: Form,
        refusal: Invalid | None = None,
    ) -> None:
        if not is_fingerprint(group):
            raise ErrorNotFound
        site_id, view = request.record.site.site_id, request.view
        query = ReportQuery(view.window.period, view.asked)
        async with self._access.opened(request, history=True) as answer:
            decisions = answer.directory.error_decisions(site_id)
            shown = await show_group(
                answer.reports.error_groups,
                answer.reports.sessions,
                decisions,
                site_id,
                group,
                query,
                answer.positions.at,
                session=req.get_param("session"),
            )
            values = await self.values(request, answer)
        values |= {
            "shown": shown,
            "statuses": STATUSES,
            "stack_text": stack_text,
            "sourced": await self._sourced(request, shown),
            **_offer(request, await self._missing(request, shown), req.forwarded_prefix),
            "session_text": session_text,
            "decision": shown.decision,
            "names": await self._names(request) if request.belongs else {},
            "form": form,
        }
        if refusal is not None:
            values |= {"status": falcon.HTTP_400, "field_errors": refusal.field_errors}
        await self.render(req, resp, request, "error_group.html", values)

    async def _sourced(self, request: ReportRequest, shown: ShownGroup) -> list[SourcedStack | None]:
        """Return the stacks as written, for members; source maps belong to the present."""
        latest = [stack.latest for stack in shown.details.stacks]
        if not request.belongs or request.as_of is not None:
            return [None for _ in latest]
        return await self._services.source_stacks.of(request.record.site.site_id, latest)

    async def _missing(self, request: ReportRequest, shown: ShownGroup) -> Sequence[MissingMap | None]:
        """Return the minified files of stacks whose releases have no maps, for those who can upload them."""
        latest = [stack.latest for stack in shown.details.stacks]
        if not request.edits:
            return [None for _ in latest]
        return await self._services.source_stacks.missing(request.record.site.site_id, latest)

    async def _names(self, request: ReportRequest) -> dict[str, str]:
        """Return the users who may see the site, with what they are called."""
        organization = self._services.directory.organization(request.record.site.organization_id)
        members = [] if organization is None else list(organization.organization.roles)
        seeing = [
            member
            for member in members
            if self._services.directory.role_on(member, request.record.site) is not None
        ]
        people = await self._services.people.of(seeing)
        return {
            user_id: who(people[user_id]) if user_id in people else tr("User {number}", number=user_id)
            for user_id in seeing
        }


@frozen
class ErrorCostsPage(ReportPage):
    """GET …/errors/costs."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show what errors cost a goal, the first one unless the address names another."""
        request = await _authorized(self._access, self.access_get, req, site, key)
        site_id, view = request.record.site.site_id, request.view
        chosen = identifier(req.get_param("goal") or "")
        costs: Sequence[CostlyGroup] = ()
        async with self._access.opened(request, history=True) as answer:
            goals = [record.goal for record in answer.directory.goals_of(site_id)]
            goal = next((goal for goal in goals if chosen in (None, goal.goal_id)), None)
            deploys = latest_deploys(answer.directory, site_id, view.window.period)
            if goal is not None:
                inquiry = of_costs(view, goal.goal_id, request.reader, answer, request.record.site.currencies)
                costs = await inquiry.ask(answer.reports, site_id)
            values = await self.values(request, answer)
        values |= {
            "goals": goals,
            "goal": goal,
            "statuses": STATUSES,
            "costs": costs,
            "deploys": deploys,
        }
        await self.render(req, resp, request, "error_costs.html", values)


@frozen
class ErrorGroupForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/errors/<group>/<action>."""

    page_of_form = "/sites/{site}/errors/{group}"
    access_post = Access.MEMBER

    _group_page: ErrorGroupPage

    async def on_post(self, req: Request, resp: Response, site: str, group: str, action: str) -> None:
        """Write a decision, and redirect to the page of the group."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id = record.site.site_id
        view = read_view(
            req, f"/sites/{site_id}", self._services.clock.now(), time_zone=record.site.config.time_zone
        )
        try:
            await self._decide(action, site_id, group, form)
        except Invalid as refusal:
            if action not in _TYPED:
                raise
            await self._group_page.show_refused(req, resp, site, group, form, refusal)
            return
        raise falcon.HTTPSeeOther(_page_of_button(view, group, req.get_param("then")))

    async def _decide(self, action: str, site_id: int, group: str, form: SentForm) -> None:
        if action not in _ACTIONS:
            raise ErrorNotFound
        # Fields are refused before the group is looked for.
        mute = self._mute(form) if action == "mute" else {}
        named = _groups(form) if action in {"merge", "separate"} else ()
        merged = named if action == "merge" else ()
        services, context = self._services, form.context
        known = KnownErrorGroups(
            services.commands.error_groups, services.reports.error_groups, services.freshness
        )
        commands = await known.commands(site_id, group, *merged)
        match action:
            case "resolve":
                await commands.resolve(site_id, group, context, next_release=form.text("release") == "next")
            case "reopen":
                await commands.reopen(site_id, group, context)
            case "mute":
                await commands.mute(site_id, group, context, **mute)
            case "assign":
                await commands.assign(site_id, group, form.text("user") or None, context)
            case "comment":
                # Browsers count a line break as one character, and send two.
                await commands.comment(site_id, group, form.text("text").replace("\r\n", "\n"), context)
            case "uncomment":
                await commands.remove_comment(site_id, group, form.text("comment"), context)
            case "merge":
                await commands.merge(site_id, group, named, context)
            case "separate":
                await commands.separate(site_id, group, named, context)

    def _mute(self, form: Form) -> dict[str, Any]:
        choice = form.text("until")
        if choice in _DAYS:
            return {"until": self._services.clock.now() + timedelta(days=_DAYS[choice])}
        if choice in _COUNTS:
            return {"occurrences": _COUNTS[choice]}
        if choice:
            raise Invalid({"until": [f"must be one of {', '.join((*_DAYS, *_COUNTS))}, or empty"]})
        return {}


def _offer(request: ReportRequest, missing: Sequence[MissingMap | None], base_url: str) -> dict[str, Any]:
    """Return what the page offers where maps are missing: the first releases that can have some, and how to do so."""
    offered: dict[str, str] = {}
    for file in missing:
        if file is not None and file.release is not None and _is_named(file.release):
            offered.setdefault(file.release, file.name)
    values: dict[str, Any] = {"missing_maps": missing, "offered": list(offered)[:MOST_OFFERED]}
    if offered:
        release, name = next(iter(offered.items()))
        command = upload_command(request.record.site.site_id, release, base_url)
        values |= {"command": command, "file_of_map": name}
    return values


def _is_named(release: str) -> bool:
    """Whether source maps can have the name of a release; that of an event can be odder."""
    try:
        return name_release(release) == release
    except Invalid:
        return False


def _page_of_button(view: View, group: str, then: str | None) -> str:
    """Return the page that a form came from: the list of errors, the dashboard, or the page of the group."""
    match then:
        case "errors":
            return view.address("/panels/errors")
        case "dashboard":
            return f"{view.address()}#errors"
    return view.address(f"/errors/{group}")


async def _authorized(
    access: ReportAccess, rule: Access, req: Request, site: str, key: str | None = None
) -> ReportRequest:
    request = await access.authorize(rule, req, site, key, past=True)
    if not request.details:
        raise NotShared
    return request


def _groups(form: Form) -> tuple[str, ...]:
    """Return the groups that a form names, by their ids or by the addresses of their pages."""
    entries = [text.partition("?")[0].rpartition("/")[2] for text in form.entries("groups")]
    return checked_fingerprints("groups", entries)
