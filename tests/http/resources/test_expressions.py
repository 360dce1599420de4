"""Regular expressions of filters over HTTP: what is refused is named, also when an earlier version saved it."""

import json
from urllib.parse import urlencode

import pytest

from footfall.adapters.http.resources.reports.catalogue import REPORTS
from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.sites.segment import Condition
from tests.application import on_both_stores
from tests.http.resources.reports.questions import SITE, ask, fill, path_of

RULE = {
    "name": "Many",
    "metric": "sessions",
    "window": "hour",
    "condition": "above",
    "value": 1,
    "targets": [],
}
REFUSED = [
    ("(", "missing ): ("),
    ("(?<page>a)", "a group is named with (?P<name>"),
    (r"\p{L}", r"\p and \P"),
    ("(?:.?){900}", "at most 1,000 instructions of RE2, not 7,204"),
    (r"(?:\pL?){100}", "at most 1,048,576 bytes of memory"),
    ("a" * 201, "at most 200 characters"),
]
# Of an earlier version, which RE2 does not accept.
SAVED = (Condition("country", "equals", ("DE",)), Condition("page_title", "not_regex", (r"\é",)))


def by(*values):
    return [{"parameter": "page_title", "type": "regex", "value": list(values)}]


@pytest.mark.parametrize(("expression", "complaint"), REFUSED)
@pytest.mark.parametrize("send", ["report", "segment", "alert", "preview"])
async def test_an_expression_that_is_refused_is_named_with_its_limit(world, send, expression, complaint):
    filters = by("a", expression)

    match send:
        case "report":
            query = urlencode({"filters": json.dumps(filters)})
            refused = await world.request("GET", f"{SITE}/overview?{query}", key="member")
        case "segment":
            body = {"name": "S", "filters": filters}
            refused = await world.request("POST", f"{SITE}/segments", key="member", json=body)
        case _:
            path = "alerts/preview" if send == "preview" else "alerts"
            body = {**RULE, "filters": filters}
            refused = await world.request("POST", f"{SITE}/{path}", key="member", json=body)

    assert refused.status_code == 400
    [(field, [message])] = refused.json["details"]["fieldErrors"].items()
    assert (field, complaint in message) == ("filters[0].value", True)


async def test_a_goal_and_an_expression_that_are_refused_are_named_together(world):
    filters = [{"parameter": "goal", "type": "equals", "value": [77]}, *by("(")]

    query = urlencode({"filters": json.dumps(filters)})
    refused = await world.request("GET", f"{SITE}/overview?{query}", key="member")

    assert set(refused.json["details"]["fieldErrors"]) == {"filters[0].value", "filters[1].value"}


@on_both_stores
async def test_a_report_takes_the_expressions_of_re2(world):
    expected = {"(?i)^über": 1, r"\bsicht$": 0, "bersicht|Plan": 2, "a.b": 1, "(?-s)a.b": 0, "": 3}
    for visitor, title in enumerate(("Übersicht", "Plan über", "a\nb")):
        await world.track(
            pathname="/",
            page_title=title,
            user_agent=f"Browser {visitor}",
            ip_address=f"192.0.2.{visitor}",
            key="member",
        )

    found = {}
    for expression in expected:
        query = urlencode({"filters": json.dumps(by(expression))})
        answer = await world.request("GET", f"{SITE}/overview?{query}", key="member")
        found[expression] = answer.json["data"]["sessions"]

    assert found == expected


async def saved(world):
    context = CommandContext()
    await world.commands.segments.define(1, name="Old", owner=None, conditions=SAVED, context=context)
    plan = alert_plan(
        name="Old",
        metric=AlertMetric.SESSIONS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.ABOVE,
        value=1,
        goal_id=None,
        filters=SAVED,
        targets=[],
        active=True,
    )
    await world.commands.alerts.define(1, plan, context)
    await world.directory.catch_up()


async def test_a_saved_segment_that_is_refused_is_named_and_can_be_changed(world):
    await fill(world)
    await saved(world)
    # Afterwards the segment has no sessions, so that no group of errors has a cost.
    filtered = [
        path_of(address)
        for address, report in REPORTS.items()
        if "segment" in report.common and "{group}" not in address
    ]

    listed = await world.request("GET", f"{SITE}/segments", key="member")
    refused = [await ask(world, path, {"segment": "1"}) for path in filtered]
    body = {"name": "New", "filters": by("é")}
    changed = await world.request("PUT", f"{SITE}/segments/1", key="member", json=body)
    taken = [await ask(world, path, {"segment": "1"}) for path in filtered]

    assert (listed.status_code, changed.status_code) == (200, 200)
    errors = {"segment": ["not an accepted regular expression: invalid escape sequence: \\é"]}
    assert [(one.status_code, one.json["details"]["fieldErrors"]) for one in refused] == [
        (400, errors)
    ] * len(filtered)
    assert {one.status_code for one in taken} == {200}


async def test_a_saved_rule_that_is_refused_is_listed_and_can_be_deleted(world):
    await saved(world)

    listed = await world.request("GET", f"{SITE}/alerts", key="member")
    shown = await world.request("GET", f"{SITE}/alerts/1", key="member")
    gone = await world.request("DELETE", f"{SITE}/alerts/1", key="member")

    assert [one["filters"][1]["value"] for one in listed.json["data"]] == [["\\é"]]
    assert (shown.status_code, gone.status_code) == (200, 200)
