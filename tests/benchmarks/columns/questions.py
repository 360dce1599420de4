"""The questions that benchmarks of columns ask, each with its budget."""

import json
from urllib.parse import quote

from footfall.application.journal.interface_documents import rule_document
from footfall.domain.goals.goal import EventRule, PathRule
from tests.benchmarks.reports import GOALS


def _filters(*conditions):
    """Return the parameter of filters, each a parameter, a type and a value."""
    asked = [{"parameter": name, "type": kind, "value": [value]} for name, kind, value in conditions]
    return f"filters={quote(json.dumps(asked))}"


# Two filters, one of which matches nearly everything.
FILTERED = _filters(("country", "not_equals", "JP"), ("hostname", "contains", "example"))
SITE = "/api/sites/1"
# Those who left after the second step of a funnel.
LEFT = _filters(("funnel", "equals", "1.2"))
# Those with a property, and those with a parameter of a query string.
WITH_PLAN = _filters(("property:plan", "equals", "pro"))
WITH_REF = _filters(("query:ref", "equals", "partner-7"))
# As many weeks as visitors are followed.
WEEKS = "cohort=week&past_minutes_start=129600&past_minutes_end=0"
# Each with its budget in milliseconds with a million hits and with ten million; None: as without columns.
QUESTIONS = {
    "goal list, 5 goals, filtered": (f"{GOALS}?limit=5&{FILTERED}", 50, 200),
    "overview and the period before, filtered": (f"{SITE}/overview?{FILTERED}", 70, 200),
    "time series by day, filtered": (f"{SITE}/timeseries?bucket=day&{FILTERED}", 50, 200),
    "sessions by browser, filtered": (f"{SITE}/breakdown?by=browser&{FILTERED}", 30, 100),
    "pageviews by path, filtered": (f"{SITE}/breakdown?by=pathname&{FILTERED}", 30, 100),
    "pageviews by path, visitors, filtered": (
        f"{SITE}/breakdown?by=pathname&visitors=true&{FILTERED}",
        70,
        350,
    ),
    "pages, visitors and times, filtered": (f"{SITE}/pages?{FILTERED}", 70, 350),
    "sessions by host of referrer, filtered": (f"{SITE}/breakdown?by=referrer_host&{FILTERED}", 30, 100),
    "web vitals, filtered": (f"{SITE}/web-vitals?{FILTERED}", 70, 350),
    "names of errors, filtered": (f"{SITE}/error-names?{FILTERED}", 30, 100),
    "pageviews by path and visitors": (f"{SITE}/breakdown?by=pathname&visitors=true", 70, 350),
    "sessions by browser": (f"{SITE}/breakdown?by=browser", 75, 75),
    "overview and the period before": (f"{SITE}/overview", 200, 200),
    "web vitals": (f"{SITE}/web-vitals", 200, 200),
    "conversions by channel": (f"{SITE}/breakdown?by=channel&goal=1", 80, 300),
    "conversions by path, filtered": (f"{SITE}/breakdown?by=pathname&goal=1&{FILTERED}", 80, 300),
    "funnel of 4 steps": (f"{SITE}/funnels/1", 100, 600),
    "funnel of 4 steps, filtered": (f"{SITE}/funnels/1?{FILTERED}", 100, 600),
    "funnel of 4 steps, 7 days": (f"{SITE}/funnels/2", 100, 600),
    "journeys from the start of sessions": (f"{SITE}/journeys", 100, 600),
    "journeys after a page": (f"{SITE}/journeys?after=page:/", 100, 600),
    "journeys before a goal, with events": (f"{SITE}/journeys?before=goal:1&custom_events=true", 100, 600),
    "overview and the period before, who left a funnel": (f"{SITE}/overview?{LEFT}", 150, 900),
    "sessions by browser, who left a funnel": (f"{SITE}/breakdown?by=browser&{LEFT}", 100, 600),
    "retention by week": (f"{SITE}/retention?{WEEKS}", 150, 900),
    "retention by day": (f"{SITE}/retention?cohort=day", 150, 900),
    "retention by week, filtered": (f"{SITE}/retention?{WEEKS}&{FILTERED}", 150, 900),
    "retention by week, conversions of a goal": (f"{SITE}/retention?{WEEKS}&goal=1", 150, 900),
    "conversions by source": (f"{SITE}/revenue?goal=1", 150, 900),
    "conversions by source, two models, 90 days": (
        f"{SITE}/revenue?goal=1&by=entry_page&compare_model=first&lookback=90",
        150,
        900,
    ),
    "properties of an event": (f"{SITE}/properties?event=order", 60, 250),
    "values of a property, filtered": (
        f"{SITE}/property-values?event=order&property=amount&{FILTERED}",
        60,
        250,
    ),
    "a property by day": (f"{SITE}/property-timeseries?event=order&property=amount&bucket=day", 60, 250),
    "visits": (f"{SITE}/sessions", 20, 20),
    "visits, filtered": (f"{SITE}/sessions?{FILTERED}", 30, 100),
    "visits, searched": (f"{SITE}/sessions?search=blog", 30, 100),
    "visits, searched for nothing that is there": (f"{SITE}/sessions?search=nowhere", 30, 100),
    "hits by a property": (f"{SITE}/breakdown?by=property:plan", 60, 250),
    "hits by a property, visitors, filtered": (
        f"{SITE}/breakdown?by=property:amount&visitors=true&{FILTERED}",
        70,
        350,
    ),
    "pageviews by a query parameter": (f"{SITE}/breakdown?by=query:ref", 30, 100),
    "pageviews by a query parameter, visitors": (
        f"{SITE}/breakdown?by=query:ref&visitors=true",
        70,
        350,
    ),
    "pageviews by class of screen": (f"{SITE}/breakdown?by=screen_class", 30, 100),
    "pageviews by release, filtered": (f"{SITE}/breakdown?by=release&{FILTERED}", 30, 100),
    "sessions by browser, with a property": (f"{SITE}/breakdown?by=browser&{WITH_PLAN}", 60, 250),
    "sessions by browser, with a query parameter": (f"{SITE}/breakdown?by=browser&{WITH_REF}", 60, 250),
    "goal list, 5 goals": (f"{GOALS}?limit=5", None, None),
    "errors by cause": (f"{SITE}/errors", None, None),
    "costs of errors": (f"{SITE}/errors/costs?goal=1", 100, 600),
}
# Nearly every pageview is a step of these.
STEPS = [PathRule("/"), PathRule("/blog/*"), EventRule("signup"), EventRule("order")]
FUNNELS = [
    {"name": "Sales", "withinDays": days, "steps": [rule_document(rule) for rule in STEPS]}
    for days in (None, 7)
]
PREVIEW = {"goalType": "path", "config": {"pathPattern": "/blog/*-1*"}}
# Bodies that are sent, each with its budget.
TRIED = {
    "preview of a goal": (f"{GOALS}/preview", PREVIEW, 70, 350),
    "what if: a goal": (f"{GOALS}/1/what-if", PREVIEW, 300, None),
    "what if: a goal, filtered": (f"{GOALS}/1/what-if?{FILTERED}", PREVIEW, 300, None),
    "what if: a funnel of 4 steps": (
        f"{SITE}/funnels/1/what-if",
        {"steps": [rule_document(rule) for rule in (PathRule("/"), PathRule("/pricing"), *STEPS[2:])]},
        300,
        None,
    ),
    "what if: a country": (
        f"{SITE}/excluded-countries/what-if",
        {"excludedCountries": ["DE"]},
        300,
        None,
    ),
}
