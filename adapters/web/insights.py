"""Pages for those who set a site up: what became of every event, the first event, and goals while they are typed."""

from datetime import timedelta
from itertools import groupby
from types import MappingProxyType

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import Form
from footfall.adapters.web.goals import rule_of
from footfall.adapters.web.pages import Pages, guard, page
from footfall.adapters.web.panels import Reports
from footfall.application.access import Access
from footfall.application.outcomes import Outcomes
from footfall.application.ports import Clock
from footfall.application.reports import AskedGoal
from footfall.domain.errors import Invalid
from footfall.domain.window import last_30_days
from footfall.domain.zone import parse_zone

LEDGER_DAYS = 7
# What each outcome means, and what to do about it.
EXPLANATIONS = MappingProxyType(
    {
        "stored": "Counted, durably.",
        "replayed": "Sent again with the same idempotency key; counted once.",
        "invalid": "The payload breaks a rule. The answer to the request names the field.",
        "bot": "Judged to be a bot. Send a key, or turn “Refuse bots” off in the settings.",
        "domain": "Sent from a page on another domain than the site's. Check the domain in the settings.",
        "excluded": "Excluded by the settings: an address, a country, or a switch that is off.",
        "denied": "The API key is not valid, or its owner is not a member.",
        "rate_limited": "Too many requests with one API key. Send batches.",
        "over_limit": "Over the monthly limit of the site.",
        "unavailable": "The store did not answer. Clients try again.",
    }
)


class Ledger:
    """GET /sites/<site_id>/ingestion: where every event went."""

    access_get = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, outcomes: Outcomes, clock: Clock) -> None:
        self.pages = pages
        self._door = door
        self._outcomes = outcomes
        self._clock = clock

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the outcomes of a week."""
        listed = await self._door.site(self.access_get, site, req)
        now = self._clock.now()
        counts = await self._outcomes.of_site(
            listed.site.site_id, start=now - timedelta(days=LEDGER_DAYS), end=now + timedelta(minutes=15)
        )
        ordered = sorted(counts.items(), key=lambda item: (item[0].outcome, -item[1]))
        groups = [
            (outcome, [(counted.reason, events) for counted, events in them])
            for outcome, them in groupby(ordered, key=lambda item: item[0].outcome)
        ]
        groups.sort(key=lambda group: -sum(events for _, events in group[1]))
        await self.pages.show(
            req,
            resp,
            "ledger.html",
            listed=listed,
            groups=groups,
            total=sum(counts.values()),
            explanations=EXPLANATIONS,
            days=LEDGER_DAYS,
        )


class FirstEvent:
    """GET /sites/<site_id>/first-event: whether anything has arrived yet."""

    access_get = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, reports: Reports) -> None:
        self.pages = pages
        self._door = door
        self._reports = reports

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with yes or no."""
        listed = await self._door.site(self.access_get, site, req)
        latest = await self._reports.breakdowns.latest_hit(listed.site.site_id)
        resp.media = {"arrived": latest is not None}
        resp.status = falcon.HTTP_200
        guard(resp)


class GoalPreview:
    """GET /sites/<site_id>/goal-preview: what a goal that is being typed would have shown."""

    access_get = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, reports: Reports, clock: Clock) -> None:
        self.pages = pages
        self._door = door
        self._reports = reports
        self._clock = clock

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the conversions of the last 30 days; an unfinished rule is no fault."""
        listed = await self._door.site(self.access_get, site, req)
        texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
        try:
            asked = AskedGoal(rule_of(Form(texts)))
        except Invalid:
            self.pages.fragment(resp, "preview.html", conversions=None)
            return
        window = last_30_days(self._clock.now(), parse_zone("UTC"))
        await self._reports.freshness.catch_up()
        [conversions] = await self._reports.goals.count_conversions(
            listed.site.site_id, [asked], window.period
        )
        self.pages.fragment(resp, "preview.html", conversions=conversions)
