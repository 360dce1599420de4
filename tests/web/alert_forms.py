"""What tests of the pages of alert rules share: an ordinary rule, its form, and its filters."""

import re
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser

from footfall.application.commands.context import CommandContext
from footfall.domain.alerts.judged_windows import Bounds, Judged, Window
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.periods.period import Period

PAGE = "/sites/1/alerts"
RULE = {
    "name": "Many <b>",
    "metric": "visitors",
    "window": "hour",
    "condition": "above",
    "value": "0",
    "active": "on",
    # The site has no target.
    "untold": "on",
}
FILTER = {"add_parameter": "device_type", "add_type": "equals", "add_value": "<b>"}
BOX = re.compile(r'<input type="checkbox" name="(filter-[0-9]+)" value="([^"]*)" checked>')


def boxes(shown):
    """Return the checkboxes of filters on a page, as the fields that a browser sends."""
    return {name: unescape(value) for name, value in BOX.findall(shown)}


class Fields(HTMLParser):
    """The fields of the form of a rule, as a browser sends them when it is submitted as it is."""

    def __init__(self, page):
        super().__init__()
        self.is_inside, self.select, self.values, self.labels = False, "", {}, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        one = dict(attrs)
        if tag == "form":
            self.is_inside = "alert-fields" in one.get("class", "")
        elif not self.is_inside:
            return
        elif tag == "input" and (one.get("type") != "checkbox" or "checked" in one):
            self.values[one["name"]] = one.get("value", "on")
        elif tag == "select":
            self.select = one["name"]
        elif tag == "option" and ("selected" in one or self.select not in self.values):
            self.values[self.select] = one["value"]

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_inside = False


async def add_target(world, name="Ops"):
    await world.commands.alerts.add_target(1, TargetKind.NTFY, name, None, CommandContext())


async def fire(world):
    period = Period(datetime(2026, 3, 14, 12, tzinfo=UTC), datetime(2026, 3, 14, 13, tzinfo=UTC))
    judged = Judged(Window(period, period.start), 4.0, Bounds(None, 0.0))
    await world.commands.alerts.fire(1, 1, judged, CommandContext(), targets=[])
    await world.directory.catch_up()
