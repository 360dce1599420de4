"""What the readers of a link may ask: its panels, filters by what they show, and no finer buckets than hours."""

from collections.abc import Collection, Mapping

from attrs import frozen

from footfall.domain.periods.buckets import BucketSize
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.dimensions import ALL
from footfall.domain.traffic.filters import FUNNEL, GOAL, GROUP_PARAMETERS, PAGE_GROUP, Filter

NOT_SHOWN = "this link does not show {}"
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
            errors["by"] = [NOT_SHOWN.format(texts["by"])]
        if texts.get("bucket") in _TOO_FINE:
            errors["bucket"] = [f"must be one of {', '.join(BUCKETS)} for a link"]
        of_goals = [name for name in ("after", "before") if texts.get(name, "").startswith("goal:")]
        for name in (*of_goals, *(["goal"] if "goal" in texts else [])):
            if not self.shows(GOAL):
                errors[name] = [NOT_SHOWN.format("goals")]
        return errors
