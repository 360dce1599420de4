"""How domain events are written down: stable names, versions, and upcasts of what was written before."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any

from attrs import frozen
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn
from cattrs.strategies import configure_tagged_union

from footfall.domain import api_key, goal, organization, site, user
from footfall.domain.stream import Erased, FromNewer

# A name is never used again for something else, and never vanishes: it stands in journals out there.
EVENT_TYPES: Mapping[str, type] = MappingProxyType(
    {
        "organization-registered": organization.OrganizationRegistered,
        "member-added": organization.MemberAdded,
        "member-role-changed": organization.MemberRoleChanged,
        "member-removed": organization.MemberRemoved,
        "site-registered": site.SiteRegistered,
        "site-configured": site.SiteConfigured,
        "site-renamed": site.SiteRenamed,
        "monthly-limit-set": site.MonthlyLimitSet,
        "retention-set": site.RetentionSet,
        "private-link-generated": site.PrivateLinkGenerated,
        "private-link-revoked": site.PrivateLinkRevoked,
        "error-resolved": site.ErrorResolved,
        "site-deleted": site.SiteDeleted,
        "goal-defined": goal.GoalDefined,
        "goal-redefined": goal.GoalRedefined,
        "goal-deleted": goal.GoalDeleted,
        "api-key-issued": api_key.ApiKeyIssued,
        "api-key-revoked": api_key.ApiKeyRevoked,
        "sign-in-link-issued": user.SignInLinkIssued,
        "signed-in": user.SignedIn,
        "signed-out": user.SignedOut,
        "signed-out-everywhere": user.SignedOutEverywhere,
    }
)

# The version of an event whose content was erased.
ERASED = -1

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

# One function for each step from a version to the next; how many there are is the current version.
UPCASTS: Mapping[str, Sequence[Upcast]] = MappingProxyType({})

_RULE_KINDS = MappingProxyType({goal.PathRule: "path", goal.EventRule: "event"})


@frozen
class SerializedEvent:
    """An event as a store keeps it: a name from the registry, the version of its shape, and a JSON object.

    Of an event that was erased only the name is left; its version says so.
    """

    type: str
    schema_version: int
    data: dict[str, Any]


class EventCodec:
    """Turns events into JSON objects and back, by registered names, never by class paths."""

    def __init__(
        self, types: Mapping[str, type] = EVENT_TYPES, upcasts: Mapping[str, Sequence[Upcast]] = UPCASTS
    ) -> None:
        self._types = types
        self._names = {event_type: name for name, event_type in types.items()}
        self._upcasts = upcasts
        self._converter = _converter()
        # Looked up once for each type: a worker that starts reads everything.
        self._structure = cache(self._converter.get_structure_hook)

    def encode(self, event: Any) -> SerializedEvent:
        """Return the event as the store keeps it."""
        name = self._names[type(event)]
        return SerializedEvent(name, len(self._upcasts.get(name, ())), self._converter.unstructure(event))

    def decode(self, serialized: SerializedEvent) -> Any:
        """Return the event, upcast to the current version of its type, or what can be read of it.

        During a rolling update, events of a type or shape that only the newer version knows come from there.
        """
        event_type, data = self._types.get(serialized.type), serialized.data
        upcasts = self._upcasts.get(serialized.type, ())
        if serialized.schema_version == ERASED:
            return Erased(serialized.type)
        if event_type is None or serialized.schema_version > len(upcasts):
            return FromNewer(serialized.type)
        for upcast in upcasts[serialized.schema_version :]:
            data = upcast(data)
        return self._structure(event_type)(data, event_type)


def _converter() -> Converter:
    converter = Converter(detailed_validation=False, omit_if_default=False)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    scalar = goal.Scalar | None
    converter.register_structure_hook_func(lambda kind: kind == scalar, lambda value, _: value)
    converter.register_unstructure_hook_func(lambda kind: kind == scalar, lambda value: value)
    configure_tagged_union(goal.Rule, converter, tag_name="kind", tag_generator=_RULE_KINDS.__getitem__)
    converter.register_unstructure_hook(
        site.ConfigChanges,
        make_dict_unstructure_fn(site.ConfigChanges, converter, _cattrs_omit_if_default=True),
    )
    return converter
