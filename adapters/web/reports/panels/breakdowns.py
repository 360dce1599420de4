"""The breakdown panels: their titles and tabs."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import types_counted
from footfall.domain.traffic.dimensions import ALL, FAMILIES, Family, Group, keyed

Tabs = tuple[tuple[str, str], ...]


@frozen
class Panel:
    """A panel with the dimensions and labels of its tabs, and the families of which each key can be one more."""

    title: str
    tabs: Tabs
    families: tuple[Family, ...] = ()

    def tab(self, requested: str | None) -> str:
        """Return the requested tab, or the first one if there is no such tab."""
        is_offered = requested is not None and (requested in dict(self.tabs) or self._has_key(requested))
        return requested if requested is not None and is_offered else self.tabs[0][0]

    def shown_tabs(self, by: str) -> Tabs:
        """Return the tabs, and that of the chosen key."""
        dimension = keyed(by)
        return self.tabs if dimension is None else (*self.tabs, (by, dimension.key))

    def _has_key(self, requested: str) -> bool:
        dimension = keyed(requested)
        return dimension is not None and dimension.family in self.families and dimension.fault is None


def _tabs(group: Group) -> Tabs:
    return tuple((dimension.name, dimension.tab) for dimension in ALL if dimension.group is group)


def _families(group: Group) -> tuple[Family, ...]:
    return tuple(family for family in FAMILIES.values() if family.group is group)


PANELS: Mapping[str, Panel] = MappingProxyType(
    {group.name.lower(): Panel(group.value, _tabs(group), _families(group)) for group in Group}
)
_PANEL_OF: Mapping[str, str] = MappingProxyType(
    {by: name for name, panel in PANELS.items() for by, _ in panel.tabs}
)
_UNIT_OF_HITS = {
    HitType.PAGEVIEW: "pageview",
    HitType.CUSTOM_EVENT: "event",
    HitType.OUTBOUND: "click",
}


def panel_of(by: str) -> str | None:
    """Return the name of the panel with a dimension; None for one that no panel has."""
    dimension = keyed(by)
    return _PANEL_OF.get(by) if dimension is None else dimension.family.group.name.lower()


def unit_of(by: str) -> str:
    """Return what a panel calls what it counts: session, pageview, click, and event for all others."""
    types: Sequence[HitType] = types_counted(by)
    if not types:
        return "session"
    return _UNIT_OF_HITS[types[0]] if len(types) == 1 else "event"
