"""The encoding of domain events: stable names, versions, and upcasts of older versions."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn
from cattrs.strategies import configure_tagged_union

from footfall.application.ports.journal import Unstorable
from footfall.domain.accounts import api_key, organization, user
from footfall.domain.alerts import firings, rules
from footfall.domain.annotations import annotations
from footfall.domain.cells import cell
from footfall.domain.error_tracking import decisions
from footfall.domain.event_stream import ErasedEvent, UnknownEvent
from footfall.domain.funnels import funnel
from footfall.domain.goals import goal
from footfall.domain.number import exact_json, number_errors
from footfall.domain.sites import (
    aliases,
    currencies,
    page_groups,
    report_recipients,
    segment,
    site,
    standing_exclusions,
    user_signatures,
    visitor_erasures,
)
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.sharing import private_link_key, shared_links

# A name is never reused and never removed, because existing journals contain it.
EVENT_TYPES: Mapping[str, type] = MappingProxyType(
    {
        "organization-registered": organization.OrganizationRegistered,
        "organization-renamed": organization.OrganizationRenamed,
        "organization-language-chosen": organization.OrganizationLanguageChosen,
        "member-added": organization.MemberAdded,
        "member-role-changed": organization.MemberRoleChanged,
        "member-removed": organization.MemberRemoved,
        "member-sites-limited": organization.MemberSitesLimited,
        "member-invited": organization.MemberInvited,
        "invitation-revoked": organization.InvitationRevoked,
        "invitation-accepted": organization.InvitationAccepted,
        "site-registered": site.SiteRegistered,
        "site-configured": site.SiteConfigured,
        "site-renamed": site.SiteRenamed,
        "monthly-limit-set": site.MonthlyLimitSet,
        "retention-set": site.RetentionSet,
        "private-link-generated": private_link_key.PrivateLinkGenerated,
        "private-link-revoked": private_link_key.PrivateLinkRevoked,
        "shared-link-made": shared_links.SharedLinkMade,
        "shared-link-changed": shared_links.SharedLinkChanged,
        "shared-link-revoked": shared_links.SharedLinkRevoked,
        "user-secret-issued": user_signatures.UserSecretIssued,
        "user-secret-revoked": user_signatures.UserSecretRevoked,
        "error-resolved": site.ErrorResolved,
        "property-currency-set": currencies.PropertyCurrencySet,
        "segment-defined": segment.SegmentDefined,
        "segment-redefined": segment.SegmentRedefined,
        "segment-deleted": segment.SegmentDeleted,
        "exclusion-rule-defined": standing_exclusions.ExclusionRuleDefined,
        "exclusion-rule-redefined": standing_exclusions.ExclusionRuleRedefined,
        "exclusion-rule-switched": standing_exclusions.ExclusionRuleSwitched,
        "exclusion-rule-removed": standing_exclusions.ExclusionRuleRemoved,
        "page-groups-arranged": page_groups.PageGroupsArranged,
        "visitor-erased": visitor_erasures.VisitorErased,
        "report-recipient-added": report_recipients.ReportRecipientAdded,
        "report-recipient-confirmed": report_recipients.ReportRecipientConfirmed,
        "report-recipient-ended": report_recipients.ReportRecipientEnded,
        "site-aliased": aliases.SiteAliased,
        "site-alias-removed": aliases.SiteAliasRemoved,
        "site-placed": site.SitePlaced,
        "site-deleted": site.SiteDeleted,
        "annotation-added": annotations.AnnotationAdded,
        "annotation-changed": annotations.AnnotationChanged,
        "annotation-removed": annotations.AnnotationRemoved,
        "alert-rule-defined": rules.AlertRuleDefined,
        "alert-rule-redefined": rules.AlertRuleRedefined,
        "alert-rule-deleted": rules.AlertRuleDeleted,
        "alert-target-added": rules.AlertTargetAdded,
        "alert-target-removed": rules.AlertTargetRemoved,
        "alert-fired": firings.AlertFired,
        "alert-acknowledged": firings.AlertAcknowledged,
        "alert-over": firings.AlertOver,
        "error-groups-merged": decisions.ErrorGroupsMerged,
        "error-groups-separated": decisions.ErrorGroupsSeparated,
        "error-group-resolved": decisions.ErrorGroupResolved,
        "error-group-muted": decisions.ErrorGroupMuted,
        "error-group-reopened": decisions.ErrorGroupReopened,
        "error-group-assigned": decisions.ErrorGroupAssigned,
        "error-group-commented": decisions.ErrorGroupCommented,
        "error-group-comment-removed": decisions.ErrorGroupCommentRemoved,
        "goal-defined": goal.GoalDefined,
        "goal-redefined": goal.GoalRedefined,
        "goal-deleted": goal.GoalDeleted,
        "funnel-defined": funnel.FunnelDefined,
        "funnel-redefined": funnel.FunnelRedefined,
        "funnel-deleted": funnel.FunnelDeleted,
        "api-key-issued": api_key.ApiKeyIssued,
        "api-key-revoked": api_key.ApiKeyRevoked,
        "cell-added": cell.CellAdded,
        "cell-moved": cell.CellMoved,
        "cell-closed": cell.CellClosed,
        "cell-opened": cell.CellOpened,
        "user-registered": user.UserRegistered,
        "user-name-changed": user.UserNameChanged,
        "user-address-changed": user.UserAddressChanged,
        "user-address-verified": user.UserAddressVerified,
        "user-forgotten": user.UserForgotten,
        "sign-in-link-issued": user.SignInLinkIssued,
        "signed-in": user.SignedIn,
        "signed-out": user.SignedOut,
        "signed-out-everywhere": user.SignedOutEverywhere,
        "passkey-registered": user.PasskeyRegistered,
        "passkey-removed": user.PasskeyRemoved,
        "identity-linked": user.IdentityLinked,
        "identity-unlinked": user.IdentityUnlinked,
        "report-subscribed": user.ReportSubscribed,
        "report-unsubscribed": user.ReportUnsubscribed,
        "user-language-chosen": user.UserLanguageChosen,
    }
)

# The version of an event whose content was erased.
ERASED = -1

Upcast = Callable[[dict[str, Any]], dict[str, Any]]


def _kept(data: dict[str, Any]) -> dict[str, Any]:
    """Keep the event, which gained values or fields that earlier versions must not read during a rolling update.

    Those of `report-subscribed` are daily reports, those of goals and funnels properties of pageviews, and groups
    of pages.
    """
    return data


# One function for each step from a version to the next; their number is the current version.
UPCASTS: Mapping[str, Sequence[Upcast]] = MappingProxyType(
    {
        "private-link-generated": (_kept,),
        "report-subscribed": (_kept,),
        "goal-defined": (_kept,),
        "goal-redefined": (_kept,),
        "funnel-defined": (_kept,),
        "funnel-redefined": (_kept,),
    }
)

# An escaped NUL, but not after an escaped backslash.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

_RULE_KINDS: Mapping[type, str] = MappingProxyType(
    {goal.PathRule: "path", goal.EventRule: "event", goal.PageGroupRule: "page_group"}
)
_STEP_KINDS = MappingProxyType({**_RULE_KINDS, funnel.GoalStep: "goal"})


@frozen
class SerializedEvent:
    """An event as a store keeps it: a name from the registry, the version of its shape, and a JSON object.

    An erased event keeps only its name; its version is `ERASED`.
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
        # Cached for each type, because a worker reads the whole journal when it starts.
        self._structure = cache(self._converter.get_structure_hook)

    def encode(self, event: Any) -> SerializedEvent:
        """Return the event as the store keeps it."""
        name = self._names[type(event)]
        return SerializedEvent(name, len(self._upcasts.get(name, ())), self._converter.unstructure(event))

    def proven(self, event: Any) -> SerializedEvent:
        """Return the event as the store keeps it, verified by reading it back from its text.

        Raises:
            Unstorable: it would not be read back as it is.

        """
        serialized = self.encode(event)
        try:
            text = json.dumps(serialized.data, allow_nan=False, ensure_ascii=False)
            text.encode()
            data = exact_json(text)
            read = self.decode(evolve(serialized, data=data))
        except Exception:  # noqa: BLE001 - any failure of a reader must occur before the event is stored
            raise Unstorable from None
        if read != event or number_errors(data) or _NUL.search(text):
            raise Unstorable
        return serialized

    def decode(self, serialized: SerializedEvent) -> Any:
        """Return the event, upcast to the current version of its type, or an event without content.

        During a rolling update, a newer version may write types or versions that this one does not know.
        """
        event_type, data = self._types.get(serialized.type), serialized.data
        upcasts = self._upcasts.get(serialized.type, ())
        if serialized.schema_version == ERASED:
            return ErasedEvent(serialized.type)
        if event_type is None or serialized.schema_version > len(upcasts):
            return UnknownEvent(serialized.type)
        for upcast in upcasts[serialized.schema_version :]:
            data = upcast(data)
        return self._structure(event_type)(data, event_type)


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=False, omit_if_default=False)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    scalar = goal.Scalar | None
    converter.register_structure_hook_func(lambda kind: kind == scalar, lambda value, _: value)
    converter.register_unstructure_hook_func(lambda kind: kind == scalar, lambda value: value)
    # What a group means is said by the events of its site.
    converter.register_unstructure_hook(goal.PageGroupRule, lambda rule: {"group": rule.group})
    converter.register_structure_hook(
        goal.PageGroupRule, lambda data, _: goal.PageGroupRule(converter.structure(data["group"], str))
    )
    configure_tagged_union(goal.Rule, converter, tag_name="kind", tag_generator=_RULE_KINDS.__getitem__)
    configure_tagged_union(funnel.Step, converter, tag_name="kind", tag_generator=_STEP_KINDS.__getitem__)
    converter.register_unstructure_hook(
        ConfigChanges,
        make_dict_unstructure_fn(ConfigChanges, converter, _cattrs_omit_if_default=True),
    )
    return converter
