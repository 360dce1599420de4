"""Labels of form fields, report dimensions, comparisons and changes."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from footfall.application.languages.language import marked, tr
from footfall.application.reports.catalogue.journeys import BEGINNING, ENDED, OTHERS
from footfall.domain.sites.configuration import SETTINGS
from footfall.domain.traffic.dimensions import ALL, FAMILIES, keyed

# Fields of the rules of goals, and their names within a goal or a step of a funnel.
_OF_RULES: Mapping[str, str] = MappingProxyType(
    marked(
        {
            "pathPattern": "Path",
            "pageGroup": "Group of pages",
            "eventName": "Event name",
            "eventPropertyKey": "Property",
            "pagePropertyKey": "Property",
            "eventPropertyValue": "Value",
            "pagePropertyValue": "Value",
        }
    )
)
_OF_CONFIGS = MappingProxyType({f"config.{name}": label for name, label in _OF_RULES.items()})
# Names of fields in the HTTP interface and in addresses, and the labels of the same fields in forms.
FIELD_LABELS: Mapping[str, str] = MappingProxyType(
    marked(
        {
            **_OF_RULES,
            **_OF_CONFIGS,
            "excludedIPs": "IP addresses",
            "excludedCountries": "Countries",
            "excludedPaths": "Paths",
            "excludedHosts": "Hosts",
            "excludedUserAgents": "User agents",
            "embedOrigins": "Websites",
            "siteIds": "Sites",
            "expiresInDays": "Expires in days",
            "withinDays": "Days",
            "start_date": "From",
            "end_date": "To",
            "time_zone": "Time zone",
            "timeZone": "Time zone",
            "visitorReach": "Visitors are recognized",
        }
    )
)
_DIMENSIONS: Mapping[str, str] = MappingProxyType(
    {dimension.name: dimension.label for dimension in ALL}
    | {family.name: family.label for family in FAMILIES.values()}
)
COMPARISONS = MappingProxyType(
    marked(
        {
            "equals": "is",
            "not_equals": "is not",
            "not_contains": "does not contain",
            "regex": "matches",
            "not_regex": "does not match",
        }
    )
)
# Fields of changes in the audit log; their names are those of the HTTP interface.
_CHANGES = MappingProxyType(
    marked(
        {
            **{setting.name: setting.label for setting in SETTINGS.values()},
            **_OF_CONFIGS,
            "goalType": "Goal type",
            "withinDays": "Within days",
            "monthlyLimit": "Monthly limit",
            "retentionDays": "Retention in days",
            "pageGroups": "Groups of pages",
            "aliases": "Aliases",
            "alias": "Alias",
            "privateLink": "Private link",
            "userSecret": "Secret for signed users",
            "errorMessage": "Error message",
            "annotation_id": "Annotation",
            "at": "Time",
            "next_release": "In the next release",
            "user_id": "User",
            "goalId": "Goal",
        }
    )
)
ACTIONS = MappingProxyType(
    marked(
        {
            "site-registered": "Site added",
            "site-configured": "Settings changed",
            "site-renamed": "Name or domain changed",
            "private-link-generated": "Private link created",
            "user-secret-issued": "Secret for signed users created",
            "user-secret-revoked": "Secret for signed users revoked",
            "goal-defined": "Goal added",
            "goal-redefined": "Goal changed",
            "property-currency-set": "Currency of a property changed",
            "segment-defined": "Segment added",
            "segment-redefined": "Segment changed",
            "exclusion-rule-defined": "Exclusion rule added",
            "exclusion-rule-redefined": "Exclusion rule changed",
            "exclusion-rule-switched": "Exclusion rule turned on or off",
            "page-groups-arranged": "Groups of pages changed",
            "site-aliased": "Alias added",
            "site-alias-removed": "Alias removed",
            "visitor-erased": "Visitor erased",
            "funnel-defined": "Funnel added",
            "funnel-redefined": "Funnel changed",
            "report-recipient-added": "Address outside added to reports by mail",
            "report-recipient-confirmed": "Address outside confirmed",
            "report-recipient-ended": "Address outside removed from reports by mail",
            "alert-rule-defined": "Alert rule added",
            "alert-rule-redefined": "Alert rule changed",
            "alert-over": "Alert is over",
        }
    )
)
_MAIL_KINDS = MappingProxyType(
    marked(
        {
            "sign-in-link": "Sign-in link",
            "address-verification": "Confirmation of an address",
            "invitation": "Invitation",
            "report": "Report",
            "report-question": "Question whether reports are wanted",
            "outside-report": "Report",
            "alert": "Alert",
        }
    )
)
# What stands in the place of steps of journeys, of those that lead on and of those that lead back.
_OF_JOURNEYS: Mapping[str, tuple[str, str]] = MappingProxyType(
    marked({BEGINNING: ("Start", "End"), OTHERS: ("Others", "Others"), ENDED: ("Left", "Began here")})
)
# Dimensions whose values are words of this service.
SPOKEN_VALUES = frozenset(
    {"channel", "device_type", "location_source", "bot", "bot_purpose", "bot_verified", "network"}
    | {"color_scheme", "screen_class"}
)
_NAMES = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, FIELD_LABELS)) + r")(?!\w)")


def with_labels(text: str) -> str:
    """Return a text with the names of fields replaced by their labels."""
    return _NAMES.sub(lambda name: tr(FIELD_LABELS[name[0]]), text)


def mail_kind_label(kind: str) -> str:
    """Return the label of a kind of mail: Sign-in link, Invitation."""
    return tr(_MAIL_KINDS.get(kind, kind.replace("-", " ").capitalize()))


def dimension_label(parameter: str) -> str:
    """Return the label of a filter's dimension: Page, Entry page, UTM source."""
    dimension = keyed(parameter)
    if dimension is None:
        return tr(_DIMENSIONS.get(parameter, parameter.replace("_", " ").capitalize()))
    return f"{tr(dimension.family.label)} {dimension.key}"


def journey_step_label(kind: str, name: str, *, is_backward: bool) -> str:
    """Return the name of a step of journeys, or the words for what stands in its place: /pricing, Others, Left."""
    return tr(_OF_JOURNEYS[kind][is_backward]) if kind in _OF_JOURNEYS else name or tr("(none)")


def change_label(field: str) -> str:
    """Return the label of a changed field in the audit log."""
    if field.startswith("segments."):
        return tr("Segment {name}", name=_rest(field))
    if field.startswith("exclusionRules."):
        return tr("Exclusion rule {name}", name=_rest(field))
    if field.startswith("reportRecipients."):
        return tr("Address outside {name}", name=_rest(field))
    if field.startswith("steps."):
        return tr("Step {number}", number=_rest(field))
    if field.startswith("currencies."):
        return tr("Currency of {name}", name=_rest(field))
    return tr(_CHANGES.get(field, field[:1].upper() + field[1:]))


def action_label(event_type: str) -> str:
    """Return the label of an event in the audit log: Goal added, Private link revoked."""
    return tr(ACTIONS.get(event_type, event_type.replace("-", " ").capitalize()))


def comparison_label(comparison: str) -> str:
    """Return the words for a type of filter: is, does not contain, starts with."""
    return tr(COMPARISONS.get(comparison, comparison.replace("_", " ")))


def _rest(field: str) -> str:
    """Return a field without its first name."""
    return field.partition(".")[2].replace(".", ", ")
