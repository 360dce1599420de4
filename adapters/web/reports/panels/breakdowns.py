"""The breakdown panels: their titles and tabs."""

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.dimensions import ALL, Group


@frozen
class Panel:
    """A panel with the dimensions and labels of its tabs."""

    title: str
    tabs: tuple[tuple[str, str], ...]

    def tab(self, requested: str | None) -> str:
        """Return the requested tab, or the first one if there is no such tab."""
        return requested if requested in dict(self.tabs) else self.tabs[0][0]


def _tabs(group: Group) -> tuple[tuple[str, str], ...]:
    return tuple((dimension.name, dimension.tab) for dimension in ALL if dimension.group is group)


PANELS: Mapping[str, Panel] = MappingProxyType(
    {group.name.lower(): Panel(group.value, _tabs(group)) for group in Group}
)
_UNIT_OF_HITS = {
    HitType.PAGEVIEW: "pageview",
    HitType.CUSTOM_EVENT: "event",
    HitType.OUTBOUND: "click",
}
UNITS: Mapping[str, str] = MappingProxyType(
    {dimension.name: _UNIT_OF_HITS[dimension.of] for dimension in ALL if dimension.of}
)
