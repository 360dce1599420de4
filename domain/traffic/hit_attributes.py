"""Attributes of hits by which reports count and filter, those with a key among them (docs/read/dimensions.md)."""

from collections.abc import Collection, Iterable, Sequence

from footfall.domain.goals.matching import property_text
from footfall.domain.tracking.acquisition.query_parameters import parameter_names, query_parameter
from footfall.domain.tracking.hit import Hit, HitType
from footfall.domain.traffic.dimensions import Family, keyed
from footfall.domain.traffic.session import Visit


def types_with(name: str) -> Sequence[HitType]:
    """Return the types of the hits whose attribute counts, as in the breakdown by it; without any, hits of all types.

    The `event_name` of errors is their class.
    """
    dimension = keyed(name)
    if dimension is not None:
        return dimension.family.of
    return (HitType.CUSTOM_EVENT,) if name == "event_name" else ()


def text_of_hit(hit: Hit, name: str) -> str | None:
    """Return the text of an attribute, empty where it is unknown; None for a key that the hit does not have.

    A property that is null, an array or an object has no text.
    """
    dimension = keyed(name)
    if dimension is None:
        return str(getattr(hit, name) or "")
    if dimension.family.has_properties:
        return property_text((hit.properties or {}).get(dimension.key))
    return query_parameter(hit.querystring, dimension.key)


def keys_of_hit(hit: Hit, family: Family) -> Collection[str]:
    """Return the keys that a hit has in a family of dimensions."""
    return (hit.properties or {}).keys() if family.has_properties else parameter_names(hit.querystring)


def hits_with(visit: Visit, name: str) -> Iterable[Hit]:
    """Return the hits of a visit whose attribute counts."""
    types = types_with(name)
    return (recorded.hit for recorded in visit.hits if not types or recorded.hit.type in types)
