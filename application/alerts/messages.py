"""Messages about alerts for targets: texts, and the bodies of requests (docs/alerts/alerts.md#delivery)."""

import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_documents import plan_document
from footfall.application.languages.language import DateForm, marked, spoken, tr
from footfall.domain.alerts.firings import Firing, OverReason
from footfall.domain.alerts.plan import AlertMetric
from footfall.domain.alerts.rules import AlertRule, TargetKind
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.text import shown_text

MAX_NAME = 100
JSON = "application/json"
PLAIN = "text/plain; charset=utf-8"

_MEASURED = marked(
    {
        AlertMetric.VISITORS: "{value} visitors",
        AlertMetric.SESSIONS: "{value} sessions",
        AlertMetric.PAGEVIEWS: "{value} pageviews",
        AlertMetric.GOAL_CONVERSIONS: "{value} conversions",
        AlertMetric.GOAL_RATE: "{value} % conversion rate",
        AlertMetric.ERRORS: "{value} errors",
        AlertMetric.NEW_ERRORS: "{value} new or returned errors",
        AlertMetric.LCP: "{value} ms largest contentful paint",
        AlertMetric.EVENTS_NOT_ACCEPTED: "{value} events not accepted",
        AlertMetric.NOTHING_RECEIVED: "{value} sessions",
    }
)


@frozen(kw_only=True)
class AlertNews:
    """One thing that targets are told: a firing opened or is over, or a test of a target.

    A rule that `is_changed` since it fired may measure something else now.
    """

    record: SiteRecord
    rule: AlertRule | None = None
    firing: Firing | None = None
    is_changed: bool = False
    origin: str = ""

    @property
    def event(self) -> str:
        """The name of the event: alert.opened, alert.over or alert.test."""
        if self.firing is None:
            return "alert.test"
        return "alert.opened" if self.firing.over_at is None else "alert.over"

    @property
    def link(self) -> str:
        """The address of the rule in the dashboard."""
        page = f"{self.origin}/sites/{self.record.site.site_id}/alerts"
        return page if self.rule is None else f"{page}/{self.rule.number}"

    @property
    def title(self) -> str:
        """The event, in one line."""
        site = shown_text(self.record.site.name, maximum=MAX_NAME)
        if self.rule is None or self.firing is None:
            return tr("Test of alerts on {site}", site=site)
        rule = shown_text(self.rule.plan.name, maximum=MAX_NAME)
        if self.firing.over_at is None:
            return tr("Alert: {rule} on {site}", rule=rule, site=site)
        return tr("Over: {rule} on {site}", rule=rule, site=site)

    @property
    def details(self) -> str:
        """The measured value and its bounds, in one line."""
        rule, firing = self.rule, self.firing
        if rule is None or firing is None:
            return tr("This target is told about alerts.")
        zone = self.record.site.zone
        value = value_text(firing.value)
        if not self.is_changed:
            value = tr(_MEASURED[rule.plan.metric], value=value)
        measured = tr(
            "{value} from {start} to {end} ({zone}), {bounds}.",
            value=value,
            start=_time(firing.start, zone),
            end=_time(firing.end, zone),
            zone=zone.key,
            bounds=bounds_text(firing.lower, firing.upper),
        )
        if firing.over_at is None:
            return measured
        over = _time(firing.over_at, zone)
        if firing.over_reason is OverReason.CHANGED:
            return tr(
                "The rule was changed at {time}. It began with {measured}", time=over, measured=measured
            )
        return tr("Back to normal at {time}. It began with {measured}", time=over, measured=measured)


def body_of(kind: TargetKind, news: AlertNews, key: str) -> tuple[str, str]:
    """Return the content type and the body of a request in the form that a kind of target accepts."""
    text = f"{news.title}\n{news.details}\n{news.link}"
    match kind:
        case TargetKind.NTFY:
            return PLAIN, text
        case TargetKind.SLACK:
            # Slack reads <…> as links and mentions.
            escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return JSON, _json({"text": escaped})
        case TargetKind.DISCORD:
            return JSON, _json({"content": text, "allowed_mentions": {"parse": []}})
        case _:
            return JSON, _json(_document(news, key))


def bounds_text(lower: float | None, upper: float | None) -> str:
    """Return the bounds of a firing in words."""
    if lower is None or upper is None:
        if upper is not None:
            return tr("above {limit}", limit=value_text(upper))
        return tr("below {limit}", limit=value_text(lower or 0))
    return tr("outside {lower} to {upper}", lower=value_text(lower), upper=value_text(upper))


def value_text(value: float) -> str:
    """Return a measured value with at most two digits after the point."""
    digits = len(f"{value:.2f}".rstrip("0").rstrip(".").partition(".")[2])
    return spoken().number(value, digits)


def _document(news: AlertNews, key: str) -> dict[str, Any]:
    site, rule, firing = news.record.site, news.rule, news.firing
    return {
        "id": key,
        "event": news.event,
        "site": {"id": site.site_id, "name": site.name, "domain": site.domain},
        "rule": None if rule is None else {"number": rule.number, **plan_document(rule.plan)},
        "firing": None if firing is None else firing_document(firing),
        "text": f"{news.title}. {news.details}",
        "link": news.link,
    }


def firing_document(firing: Firing) -> dict[str, Any]:
    """Return a firing as the HTTP interface and webhooks show it."""
    return {
        "number": firing.number,
        "state": firing.state.value,
        "from": instant_text(firing.start),
        "to": instant_text(firing.end),
        "value": firing.value,
        "lower": firing.lower,
        "upper": firing.upper,
        "acknowledgedBy": firing.acknowledged_by,
        "overAt": None if firing.over_at is None else instant_text(firing.over_at),
        "overReason": None if firing.over_reason is None else firing.over_reason.value,
    }


def _time(at: datetime, zone: ZoneInfo) -> str:
    local, language = at.astimezone(zone), spoken()
    return f"{language.day(local, DateForm.DAY_OF_YEAR)} {language.clock(local)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
