"""Events in existing journals stay readable."""

import pytest
from attrs import frozen

from footfall.application.journal.event_codec import EVENT_TYPES, EventCodec, SerializedEvent
from footfall.domain.event_stream import UnknownEvent
from footfall.domain.funnels.funnel import FunnelDefined, FunnelPlan, FunnelRedefined, GoalStep
from footfall.domain.goals.goal import GoalDefined, GoalRedefined, PageGroupRule, PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.site import SiteConfigured

# Names in existing journals: never remove or reuse one; add new ones.
WRITTEN = {
    "alert-acknowledged",
    "alert-fired",
    "alert-over",
    "alert-rule-defined",
    "alert-rule-deleted",
    "alert-rule-redefined",
    "alert-target-added",
    "alert-target-removed",
    "api-key-issued",
    "api-key-revoked",
    "cell-added",
    "cell-closed",
    "cell-moved",
    "cell-opened",
    "error-resolved",
    "funnel-defined",
    "funnel-deleted",
    "funnel-redefined",
    "annotation-added",
    "annotation-changed",
    "annotation-removed",
    "error-groups-merged",
    "error-groups-separated",
    "error-group-resolved",
    "error-group-muted",
    "error-group-reopened",
    "error-group-assigned",
    "error-group-commented",
    "error-group-comment-removed",
    "goal-defined",
    "goal-deleted",
    "goal-redefined",
    "identity-linked",
    "identity-unlinked",
    "invitation-accepted",
    "invitation-revoked",
    "member-added",
    "member-invited",
    "member-removed",
    "member-role-changed",
    "member-sites-limited",
    "monthly-limit-set",
    "organization-registered",
    "organization-language-chosen",
    "organization-renamed",
    "passkey-registered",
    "passkey-removed",
    "private-link-generated",
    "private-link-revoked",
    "shared-link-made",
    "shared-link-changed",
    "shared-link-revoked",
    "user-secret-issued",
    "user-secret-revoked",
    "exclusion-rule-defined",
    "exclusion-rule-redefined",
    "exclusion-rule-removed",
    "exclusion-rule-switched",
    "report-recipient-added",
    "report-recipient-confirmed",
    "report-recipient-ended",
    "report-subscribed",
    "report-unsubscribed",
    "user-language-chosen",
    "page-groups-arranged",
    "site-aliased",
    "site-alias-removed",
    "visitor-erased",
    "property-currency-set",
    "retention-set",
    "segment-defined",
    "segment-deleted",
    "segment-redefined",
    "sign-in-link-issued",
    "signed-in",
    "signed-out",
    "signed-out-everywhere",
    "site-configured",
    "site-deleted",
    "site-placed",
    "site-registered",
    "site-renamed",
    "user-address-changed",
    "user-address-verified",
    "user-forgotten",
    "user-name-changed",
    "user-registered",
}


@frozen
class Renamed:
    """An event that has been changed twice since it was first written."""

    name: str
    reason: str


def test_no_name_is_reused_and_none_vanishes():
    assert set(EVENT_TYPES) == WRITTEN
    assert len(set(EVENT_TYPES.values())) == len(WRITTEN)


def test_an_event_is_written_by_its_name():
    written = EventCodec().encode(GoalDefined(1, 2, "g", PathRule("/a")))

    assert written == SerializedEvent(
        "goal-defined",
        1,
        {
            "goal_id": 1,
            "site_id": 2,
            "name": "g",
            "rule": {"kind": "path", "path_pattern": "/a", "property_key": None, "property_value": None},
        },
    )


def test_rules_from_before_pageviews_had_properties_are_read_as_they_were():
    rule = {"kind": "path", "path_pattern": "/a"}
    plan = {"name": "f", "steps": [rule, {"kind": "goal", "goal_id": 1}], "within_days": None}
    written = {
        "goal-defined": {"goal_id": 1, "site_id": 2, "name": "g", "rule": rule},
        "goal-redefined": {"name": "g", "rule": rule},
        "funnel-defined": {"funnel_id": 3, "site_id": 2, "plan": plan},
        "funnel-redefined": {"plan": plan},
    }

    read = [EventCodec().decode(SerializedEvent(name, 0, data)) for name, data in written.items()]

    kept = FunnelPlan("f", (PathRule("/a"), GoalStep(1)), None)
    assert read == [
        GoalDefined(1, 2, "g", PathRule("/a")),
        GoalRedefined("g", PathRule("/a")),
        FunnelDefined(3, 2, kept),
        FunnelRedefined(kept),
    ]


@pytest.mark.parametrize("value", ["pro", 12, 19.5, True])
def test_the_property_of_a_pageview_keeps_the_type_of_its_value(value):
    codec, rule = EventCodec(), PathRule("/a", "plan", value)
    plan = FunnelPlan("f", (rule, rule), None)

    for event in (GoalDefined(1, 2, "g", rule), FunnelDefined(3, 2, plan)):
        read = codec.decode(codec.proven(event))
        found = read.rule if isinstance(read, GoalDefined) else read.plan.steps[0]
        assert read == event
        assert type(found.property_value) is type(value)


def test_earlier_versions_do_not_read_rules_with_properties_of_pageviews():
    earlier = EventCodec(upcasts={})

    read = earlier.decode(EventCodec().encode(GoalDefined(1, 2, "g", PathRule("/a", "plan", "pro"))))

    assert read == UnknownEvent("goal-defined")


def test_a_goal_by_a_group_is_written_without_the_rules_of_the_group():
    defined = GoalDefined(1, 2, "g", PageGroupRule("Orders"))

    written = EventCodec().proven(defined)

    assert written.data["rule"] == {"kind": "page_group", "group": "Orders"}
    assert EventCodec().decode(written) == defined


def test_changes_name_only_what_changed():
    written = EventCodec().encode(SiteConfigured(ConfigChanges(public=False, excluded_ips=())))

    assert written.data == {"changes": {"public": False, "excluded_ips": []}}


def test_an_old_version_is_upcast_step_by_step():
    upcasts = {"renamed": [lambda data: {"name": data["title"]}, lambda data: {**data, "reason": "unknown"}]}
    codec = EventCodec({"renamed": Renamed}, upcasts)

    decoded = [
        codec.decode(SerializedEvent("renamed", 0, {"title": "a"})),
        codec.decode(SerializedEvent("renamed", 1, {"name": "a"})),
        codec.decode(SerializedEvent("renamed", 2, {"name": "a", "reason": "why"})),
    ]

    assert decoded == [Renamed("a", "unknown"), Renamed("a", "unknown"), Renamed("a", "why")]
    assert codec.encode(Renamed("a", "b")).schema_version == 2


@pytest.mark.parametrize(
    "serialized",
    [SerializedEvent("site-teleported", 0, {}), SerializedEvent("goal-deleted", 7, {"why": "no reason"})],
)
def test_of_an_event_of_a_newer_version_only_the_type_is_read(serialized):
    assert EventCodec().decode(serialized) == UnknownEvent(serialized.type)
