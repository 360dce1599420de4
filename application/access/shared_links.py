"""What the readers of links and public sites may see and ask (docs/share/sharing.md).

Fields and attributes are for members only; a link of some panels shows these, filters by what they show, and no finer
buckets than hours.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.sites.site import Site
from footfall.domain.traffic.dimensions import ALL, QUERY, Family, keyed, of_events_alone
from footfall.domain.traffic.filters import FUNNEL, GOAL, GROUP_PARAMETERS, PAGE_GROUP, Filter

# The value of a withheld field in responses to readers who are not members.
WITHHELD: Mapping[str, Any] = MappingProxyType({"user_id": "", "stack": None})
# The count of a report with such a filter would disclose whether a visitor came.
_IDENTITIES = frozenset({"user_id"})
# Query strings hold what links carry: addresses, tokens, names. No other report shows them.
_SECRETIVE = (QUERY,)
NOT_SHOWN = "this link does not show {parameter}"
FOR_MEMBERS = "is only for members of the site's organization"
# The panels of single dimensions; a group has a panel of its name.
OF_GROUPS = (
    SharedPanel.PAGES,
    SharedPanel.SOURCES,
    SharedPanel.PLACES,
    SharedPanel.SYSTEMS,
    SharedPanel.EVENTS,
)
# What panels show beside the dimensions of the group of their name.
_SHOWN: Mapping[SharedPanel, tuple[str, ...]] = {
    SharedPanel.GOALS: (GOAL,),
    SharedPanel.FUNNELS: (FUNNEL,),
    SharedPanel.PAGES: tuple(GROUP_PARAMETERS),
    SharedPanel.JOURNEYS: ("pathname", "event_name", PAGE_GROUP),
}
_TOO_FINE = frozenset(
    {BucketSize.MINUTE, BucketSize.FIVE_MINUTES, BucketSize.TEN_MINUTES, BucketSize.FIFTEEN_MINUTES}
)
BUCKETS = tuple(size for size in BucketSize if size not in _TOO_FINE)
# The parameters of reports that say what is asked about beside the sessions of the link. Others choose visitors,
# segments, minutes, or what the exclusion rules leave out.
PARAMETERS = frozenset(
    {
        *("start_date", "end_date", "time_zone", "filters", "as_of", "private_key"),
        *("compare", "compare_with", "compare_start_date", "compare_end_date", "bucket"),
        *("page", "limit", "page_size", "sort", "order", "search", "visitors", "groups"),
        *("by", "goal", "funnel", "event", "property", "errorMessage", "cohort"),
        *("after", "before", "custom_events", *(f"step_{number}" for number in range(1, 6))),
        *("report", "from", "to"),
    }
)


@frozen
class LinkLimits:
    """What the readers of a link see: its panels, of the sessions that the filters of its segment select."""

    panels: frozenset[str]
    filters: tuple[Filter, ...] = ()

    def opens(self, panels: Collection[SharedPanel]) -> bool:
        """Whether the link opens one of these panels."""
        return not self.panels.isdisjoint(panels)

    def shows(self, parameter: str) -> bool:
        """Whether a panel of the link shows a dimension, so that its readers may count and filter by it."""
        return any(
            dimension.name == parameter
            and dimension.group is not None
            and dimension.group.name.lower() in self.panels
            for dimension in ALL
        ) or any(parameter in shown for panel, shown in _SHOWN.items() if panel in self.panels)

    def errors(self, texts: Mapping[str, str]) -> dict[str, list[str]]:
        """Return why parameters of a report are refused, by their names."""
        errors = {name: [FOR_MEMBERS] for name in texts if name not in PARAMETERS}
        return errors | self.choice_errors(texts)

    def choice_errors(self, texts: Mapping[str, str]) -> dict[str, list[str]]:
        """Return the same of those parameters alone whose values choose what is shown."""
        errors = {}
        if "by" in texts and not self.shows(texts["by"]):
            errors["by"] = [NOT_SHOWN.format(parameter=texts["by"])]
        if texts.get("bucket") in _TOO_FINE:
            errors["bucket"] = [f"must be one of {', '.join(BUCKETS)} for a link"]
        of_goals = [name for name in ("after", "before") if texts.get(name, "").startswith("goal:")]
        for name in (*of_goals, *(["goal"] if "goal" in texts else [])):
            if not self.shows(GOAL):
                errors[name] = [NOT_SHOWN.format(parameter="goals")]
        return errors


def require_shareable(site: Site, number: int | None) -> None:
    """Refuse a segment whose filters a link would disclose by its counts.

    Raises:
        Invalid: one of them is on an attribute for members only; the error names `segmentId`.

    """
    segment = None if number is None else site.segments.present.get(number)
    names = {condition.parameter for condition in segment.conditions} if segment else set()
    if hidden := sorted(filter(is_for_members, names)):
        raise Invalid({"segmentId": [f"selects by {', '.join(hidden)}, which no link shows"]})


def is_for_members(name: str) -> bool:
    """Whether an attribute is shown to members only: no other readers count or filter by it."""
    dimension = keyed(name)
    return name in _IDENTITIES or (dimension is not None and dimension.family in _SECRETIVE)


def dimension_for(by: str, *, belongs: bool) -> str:
    """Return the dimension that a permitted one is for a reader: that of custom events for one who is no member."""
    return by if belongs else of_events_alone(by)


def permitted_families(families: Iterable[Family], *, belongs: bool) -> list[Family]:
    """Return the families whose dimensions a reader may use."""
    return [family for family in families if belongs or not is_for_members(family.of_key(""))]
