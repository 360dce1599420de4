"""Pages that set a site up and check it: tracking snippet, event log, audit log and goal preview."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from types import MappingProxyType
from typing import Any

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.goals import rule_of
from footfall.adapters.web.formatting import made, who
from footfall.adapters.web.labels import action_label, change_label
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.filters.typed_filters import TypedFilters
from footfall.adapters.web.security_headers import set_security_headers
from footfall.adapters.web.session.forms import Form
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import exclusion_filters
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ingestion.results import BESIDE_OUTCOMES, IGNORED, TRANSLATED
from footfall.application.journal.history import HistoryEntry
from footfall.application.languages.language import marked, tr
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.application.reports.goal_values import goal_values
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import (
    MAX_PROPERTY,
    EventRule,
    GoalQuery,
    PageGroupRule,
    PathRule,
    Rule,
    with_groups,
)
from footfall.domain.periods.report_period import last_30_days
from footfall.domain.sites.currencies import Currencies, is_currency
from footfall.domain.sites.report_recipients import EndReason
from footfall.domain.sites.site import Site
from footfall.domain.text import text_fault
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery

EVENT_LOG_DAYS = 7
# A page that waits shows what its first load did: it asks again every two seconds, of the last hour.
_WATCHED = timedelta(hours=1)
# The outcomes of events that were not refused.
_COUNTED = frozenset({"stored", "replayed", *BESIDE_OUTCOMES})
# The name of each outcome, and what it means for the reader.
OUTCOMES: Mapping[str, tuple[str, str]] = MappingProxyType(
    marked(
        {
            "stored": ("Accepted", "Stored and counted in reports."),
            "replayed": ("Duplicate", "Sent again with the same idempotency key; counted once."),
            "invalid": ("Invalid", "A field is missing or wrong. The response names it."),
            "bot": (
                "Bot traffic",
                "Rejected as bot traffic. Send an API key, or turn “Reject bots” off in the settings.",
            ),
            "domain": (
                "Wrong domain",
                "Sent from a page on another domain. Check the domain in the settings.",
            ),
            "excluded": (
                "Excluded",
                "Excluded by the settings: an IP address, a country, or an option that is off.",
            ),
            "denied": ("Access denied", "The API key is not valid, or its owner is not a member."),
            "rate_limited": ("Rate limited", "Too many requests with one API key. Send events in batches."),
            "over_limit": ("Over the limit", "The site has reached its monthly pageview limit."),
            "unavailable": ("Not stored", "The database was not available. Clients retry."),
            IGNORED: (
                "Ignored",
                "Accepted and not kept: a signature that was not valid, or what foreign scripts sent beside events.",
            ),
            TRANSLATED: (
                "Foreign scripts",
                "Sent by scripts and SDKs of other services; counted above, too.",
            ),
        }
    )
)


# It adds to the address of the page, and toggles the mark, which the script and the package keep under this name.
_BOOKMARKLET = (
    "javascript:void((m)=>{{try{{m=localStorage['footfall-ignore']}}catch{{}}"
    "location.search+=(location.search?'&':'')+'footfall='+(m?'count':'ignore')+'.{}'}})()"
)


@frozen
class OwnVisitLinks:
    """What a member opens on pages of a site to keep the visits of a browser out (docs/track/own-visits.md)."""

    domain: str
    token: str = field(repr=False)

    @property
    def ignore(self) -> str:
        """The address that marks a browser."""
        return f"{self._page}?footfall=ignore.{self.token}"

    @property
    def count(self) -> str:
        """The address that takes the mark away."""
        return f"{self._page}?footfall=count.{self.token}"

    @property
    def bookmarklet(self) -> str:
        """The address of a bookmark that does either on any page of the site."""
        return _BOOKMARKLET.format(self.token)

    @property
    def _page(self) -> str:
        return f"{'http' if self.domain == 'localhost' else 'https'}://{self.domain}/"


@frozen
class LastRefused:
    """The last quarter of an hour with refused events: their outcomes, reasons and numbers, the most frequent first."""

    since: datetime
    reasons: Sequence[tuple[str, str, int]]

    @property
    def mark(self) -> str:
        """A text that is another one once further events were refused."""
        return f"{self.since.isoformat()} {sum(events for _, _, events in self.reasons)}"


async def last_refused(
    outcomes: OutcomeCounter, site_id: int, *, start: datetime, end: datetime
) -> LastRefused | None:
    """Return which events were refused last; None without any in the quarters that begin in [start, end).

    Raises:
        StoreUnavailable: the store does not answer.

    """
    counts = await outcomes.flushed_by_quarter(site_id, start=start, end=end)
    refused = {key: events for key, events in counts.items() if key[0].outcome not in _COUNTED}
    if not refused:
        return None
    latest = max(quarter for _, quarter in refused)
    reasons = [
        (key.outcome, key.reason, events) for (key, quarter), events in refused.items() if quarter == latest
    ]
    return LastRefused(latest, sorted(reasons, key=lambda reason: (-reason[2], reason)))


@frozen
class Install(DashboardPage):
    """GET /sites/<site_id>/install: the snippet, how to leave out own visits, and why events were refused last."""

    access_get = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the snippet."""
        record = await self._access.authorize_site(self.access_get, site, req)
        base_url = req.forwarded_prefix
        snippet = self._services.snippet.html(record.site.site_id, base_url)
        start, end = _logged_days(self._services.clock.now())
        await self.renderer.render(
            req,
            resp,
            "install.html",
            record=record,
            base_url=base_url,
            snippet=snippet,
            own=OwnVisitLinks(record.site.domain, self._services.own_visits.token(record.site.site_id)),
            refused=await last_refused(self._services.outcomes, record.site.site_id, start=start, end=end),
            outcomes=OUTCOMES,
        )


@frozen
class AuditLog(DashboardPage):
    """GET /sites/<site_id>/history: the changes to a site and its goals."""

    access_get = Access.ADMIN

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the changes, the newest first."""
        record = await self._access.authorize_site(self.access_get, site, req)
        entries = (await self._services.history.of_site(record.site.site_id))[::-1]
        people = await self._services.people_of(
            [entry.actor.user_id for entry in entries if entry.actor.user_id]
        )
        names = {user_id: who(person) for user_id, person in people.items()}
        changes = list_page(req, entries, lambda entry: _words(entry, names))
        await self.renderer.render(
            req, resp, "audit_log.html", record=record, changes=changes, people=people, unnamed=_unnamed
        )


def _words(entry: HistoryEntry, names: Mapping[str, str]) -> str:
    """Return what the audit log shows of a change, but its time, and what it is about, such as goal 3."""
    fields = (f"{change_label(change.field)} {change.before} {change.after}" for change in entry.changes)
    author, about = names.get(entry.actor.user_id or "", _unnamed(entry)), entry.stream.replace("-", " ")
    return " ".join([author, action_label(entry.type), about, *fields])


def _unnamed(entry: HistoryEntry) -> str:
    """Return who acted when no user did."""
    reasons = [change.after for change in entry.changes if change.field == "reason"]
    if entry.type == "report-recipient-confirmed" or EndReason.UNSUBSCRIBED in reasons:
        return tr("Reader of the address")
    return tr("Service") if EndReason.EXPIRED in reasons else tr("Operator")


@frozen
class EventLog(DashboardPage):
    """GET /sites/<site_id>/ingestion: numbers of accepted and rejected events."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the outcomes of the last days, the most frequent first."""
        record = await self._access.authorize_site(self.access_get, site, req)
        start, end = _logged_days(self._services.clock.now())
        counts = await self._services.outcomes.of_site(record.site.site_id, start=start, end=end)
        await self.renderer.render(
            req,
            resp,
            "event_log.html",
            record=record,
            groups=_grouped(counts),
            total=sum(events for key, events in counts.items() if key.outcome not in BESIDE_OUTCOMES),
            outcomes=OUTCOMES,
            days=EVENT_LOG_DAYS,
        )


@frozen
class FirstEvent(DashboardPage):
    """GET /sites/<site_id>/first-event: whether the site has an event, and those refused in the last hour.

    `refused` is null without any, or has their `mark` and what the page shows of them (`shown`, HTML).
    """

    access_get = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with yes or no, and with the last refused events."""
        record = await self._access.authorize_site(self.access_get, site, req)
        latest = await self._services.reports.live.latest_hit(record.site.site_id)
        _, end = _logged_days(now := self._services.clock.now())
        refused = await last_refused(
            self._services.outcomes, record.site.site_id, start=now - _WATCHED, end=end
        )
        resp.media = {
            "arrived": latest is not None,
            "refused": None if refused is None else {"mark": refused.mark, "shown": self._shown(refused)},
        }
        resp.status = falcon.HTTP_200
        set_security_headers(resp)

    def _shown(self, refused: LastRefused) -> str:
        return self.renderer.markup("refusals.html", refused=refused, outcomes=OUTCOMES)


@frozen
class GoalPreviewPanel(DashboardPage):
    """GET /sites/<site_id>/goal-preview: the conversions of the rule in a form."""

    access_get = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the conversions of the last 30 days; an incomplete rule is no error."""
        record = await self._access.authorize_site(self.access_get, site, req)
        texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
        try:
            rule = rule_of(Form(texts))
            preview = await self._count(record.site, rule, Form(texts))
        except Invalid as refusal:
            of_path = refusal.field_errors.get("config.pathPattern", []) if texts.get("pathPattern") else []
            faults = [f"the path {fault}" for fault in of_path] + refusal.field_errors.get("excluded", [])
            errors = [made(fault) for fault in faults]
            self.renderer.render_fragment(resp, "preview.html", conversions=None, errors=errors)
            return
        self.renderer.render_fragment(
            resp,
            "preview.html",
            errors=[],
            saved_as=_saved_as(rule, texts.get("pathPattern", "")),
            **preview,
        )

    async def _count(self, site: Site, rule: Rule, form: Form) -> dict[str, Any]:
        """Return conversions, their money, the number of stored hits not counted yet, and names that may be meant."""
        period = last_30_days(self._services.clock.now(), site.zone).period
        query = ReportQuery(period, exclusion_filters(site.exclusions, self._services.expressions))
        async with self._services.present(site, period) as answer:
            goals = answer.reports.goals
            [counted] = await goals.count_conversions(
                site.site_id, [GoalQuery(with_groups(rule, site.page_groups))], query
            )
            named = None if counted.conversions else _named_by(rule)
            filters = TypedFilters(answer.reports.breakdowns, site.site_id, query)
            typed = None if named is None else await filters.interpreted(named)
            currencies = _marked(rule, form) if counted.conversions else {}
            values = await goal_values(answer.reports.properties, site.site_id, rule, currencies, query)
        is_known = typed is None or typed.found == typed.condition
        return {
            "conversions": counted,
            "values": values,
            "missing": answer.missing,
            "typed": None if is_known else typed,
        }


def _logged_days(now: datetime) -> tuple[datetime, datetime]:
    return now - timedelta(days=EVENT_LOG_DAYS), now + timedelta(minutes=15)


def _grouped(counts: Mapping[OutcomeKey, int]) -> Sequence[tuple[str, list[tuple[str, int]]]]:
    """Return each outcome with its reasons and their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (item[0].outcome, -item[1]))
    groups = [
        (outcome, [(key.reason, events) for key, events in items])
        for outcome, items in groupby(ordered, key=lambda item: item[0].outcome)
    ]
    return sorted(groups, key=lambda group: -sum(events for _, events in group[1]))


def _marked(rule: Rule, form: Form) -> Currencies:
    """Return the property that a form says to be money, once its currency is typed."""
    currency = form.text("valueCurrency").upper()
    if not isinstance(rule, EventRule) or not is_currency(currency):
        return {}
    key = form.text("valueProperty")
    return {(rule.event_name, key): currency} if key and not text_fault(key, maximum=MAX_PROPERTY) else {}


def _named_by(rule: Rule) -> Filter | None:
    """Return the filter by the page or the event that a rule names; None for a pattern of several pages."""
    if isinstance(rule, PathRule):
        path = rule.path_pattern
        return None if "*" in path else Filter("pathname", FilterType.EQUALS, (path,))
    if isinstance(rule, PageGroupRule):
        return None
    return Filter("event_name", FilterType.EQUALS, (rule.event_name,))


def _saved_as(rule: Rule, typed: str) -> str | None:
    """Return the path pattern in the form in which it is saved, where that differs from the typed one."""
    return rule.path_pattern if isinstance(rule, PathRule) and rule.path_pattern != typed else None
