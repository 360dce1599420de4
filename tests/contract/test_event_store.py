"""The journal."""

import asyncio

import pytest
from attrs import evolve

from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata
from footfall.domain.accounts.api_key import ApiKeyIssued, ApiKeyRevoked
from footfall.domain.accounts.organization import (
    MemberAdded,
    MemberRemoved,
    MemberRoleChanged,
    OrganizationRegistered,
    OrganizationRenamed,
    Role,
)
from footfall.domain.alerts.firings import AlertAcknowledged, AlertFired, AlertOver, OverReason
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow
from footfall.domain.alerts.rules import (
    AlertRuleDefined,
    AlertRuleDeleted,
    AlertRuleRedefined,
    AlertTargetAdded,
    AlertTargetRemoved,
    TargetKind,
)
from footfall.domain.annotations.annotations import (
    AnnotationAdded,
    AnnotationChanged,
    AnnotationRemoved,
)
from footfall.domain.error_tracking.decisions import (
    ErrorGroupAssigned,
    ErrorGroupCommented,
    ErrorGroupCommentRemoved,
    ErrorGroupMuted,
    ErrorGroupReopened,
    ErrorGroupResolved,
    ErrorGroupsMerged,
    ErrorGroupsSeparated,
)
from footfall.domain.examples import NOON
from footfall.domain.funnels.funnel import (
    FunnelDefined,
    FunnelDeleted,
    FunnelPlan,
    FunnelRedefined,
    GoalStep,
)
from footfall.domain.goals.goal import EventRule, GoalDefined, GoalDeleted, GoalRedefined, PathRule
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites.aliases import SiteAliased, SiteAliasRemoved
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.currencies import PropertyCurrencySet
from footfall.domain.sites.page_groups import PageGroupsArranged
from footfall.domain.sites.report_recipients import (
    EndReason,
    ReportRecipientAdded,
    ReportRecipientConfirmed,
    ReportRecipientEnded,
)
from footfall.domain.sites.segment import Condition, SegmentDefined, SegmentDeleted, SegmentRedefined
from footfall.domain.sites.sharing.private_link_key import PrivateLinkGenerated, PrivateLinkRevoked
from footfall.domain.sites.sharing.shared_links import (
    LinkTerms,
    SharedLinkChanged,
    SharedLinkMade,
    SharedLinkRevoked,
)
from footfall.domain.sites.site import (
    MonthlyLimitSet,
    SiteConfigured,
    SiteDeleted,
    SiteRegistered,
    SiteRenamed,
)
from footfall.domain.sites.user_signatures import UserSecretIssued, UserSecretRevoked
from tests.waiting import LONG

METADATA = Metadata(Actor("user-1", "ff_abcde"), NOON, "request-1")
TERMS = LinkTerms(name="Agency", panels=("overview", "pages"), segment=7, ends_at=NOON, embed=True)
REGISTERED = SiteRegistered(
    site_id=1,
    public_id="0123456789ab",
    organization_id="1",
    name="Ünïcode",
    domain="example.com",
    created_by="1",
)
ALERT_PLAN = AlertPlan(
    name="Süß \U0001f600\n'\"\\",
    metric=AlertMetric.GOAL_RATE,
    window=AlertWindow.FIFTEEN_MINUTES,
    condition=AlertCondition.UNUSUALLY_LOW,
    value=2.5,
    goal_id=2**53,
    filters=(Condition("country", "not_equals", ("DE", "")), Condition("pathname", "regex", ("x" * 2048,))),
    targets=(1, 20),
)
EVERY_EVENT = [
    OrganizationRegistered("1", "Acme"),
    MemberAdded("1", Role.OWNER),
    MemberRoleChanged("1", Role.ADMIN),
    MemberRemoved("1"),
    OrganizationRenamed("Acme \U0001f600"),
    REGISTERED,
    SiteConfigured(ConfigChanges(public=False, excluded_ips=("10.0.0.0/8",), excluded_countries=())),
    SiteRenamed("New", "new.example.com"),
    MonthlyLimitSet(10_000),
    MonthlyLimitSet(None),
    PrivateLinkGenerated("0" * 64, "gAAAA" + "x" * 120 + "=="),
    PrivateLinkRevoked(),
    SharedLinkMade(1, TERMS, "0" * 64, "gAAAA" + "x" * 120 + "=="),
    SharedLinkChanged(1, LinkTerms(name="\U0001f600")),
    SharedLinkRevoked(1, "Agency"),
    UserSecretIssued(2**53),
    UserSecretRevoked(),
    PropertyCurrencySet("order", "amount", "EUR"),
    PropertyCurrencySet("order", "amount", None),
    PageGroupsArranged((GroupRule("Orders \U0001f600", "/user/*/orders"), GroupRule("/a", "/a"))),
    PageGroupsArranged(()),
    SiteAliased("7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"),
    SiteAliasRemoved("shop.example/blog"),
    SegmentDefined(1, "Phones", None, (Condition("device_type", "equals", ("mobile", "tablet")),)),
    SegmentRedefined(1, "\U0001f600", (Condition("pathname", "regex", ("^/[a-z]\\.",)),)),
    SegmentDeleted(1),
    ReportRecipientAdded(number=1, interval=Interval.DAILY, digest="d", expires_at=NOON, added_by="1"),
    ReportRecipientAdded(
        number=2**31 - 1, interval=Interval.MONTHLY, digest="d", expires_at=NOON, added_by=None
    ),
    ReportRecipientConfirmed(number=1, since=NOON),
    ReportRecipientEnded(number=1, reason=EndReason.UNSUBSCRIBED),
    SiteDeleted(),
    AnnotationAdded("0123456789ab", NOON, "Süß \U0001f600", "1.0", "2"),
    AnnotationAdded("0123456789ab", NOON, "", None, None),
    AnnotationChanged("0123456789ab", NOON, "x", None),
    AnnotationRemoved("0123456789ab"),
    ErrorGroupsMerged("1-0123456789abcdef", ("1-00000000000000aa", "1-00000000000000bb")),
    ErrorGroupsSeparated(("1-00000000000000aa",)),
    ErrorGroupResolved("1-0123456789abcdef", NOON),
    ErrorGroupMuted("1-0123456789abcdef", NOON, until=NOON),
    ErrorGroupMuted("1-0123456789abcdef", NOON, occurrences=1_000_000),
    ErrorGroupReopened("1-0123456789abcdef"),
    ErrorGroupAssigned("1-0123456789abcdef", None),
    ErrorGroupCommented("1-0123456789abcdef", "0123456789ab", "2", NOON, "Süß \U0001f600\n'\"\\"),
    ErrorGroupCommentRemoved("1-0123456789abcdef", "0123456789ab"),
    AlertRuleDefined(1, ALERT_PLAN),
    AlertRuleRedefined(
        50, evolve(ALERT_PLAN, value=1e12, goal_id=None, filters=(), targets=(), active=False)
    ),
    AlertRuleDeleted(1),
    AlertTargetAdded(1, TargetKind.MAIL, "Süß \U0001f600\n'\"\\", "2"),
    AlertTargetAdded(20, TargetKind.NTFY, "\u202eteam", None),
    AlertTargetRemoved(20),
    AlertFired(2**53, 50, 1, NOON, NOON, 1e308, -1e308, 5e-324),
    AlertFired(1, 1, 2**31, NOON, NOON, 0.1, None, None),
    AlertAcknowledged(1, None),
    AlertAcknowledged(1, "2"),
    AlertOver(1, NOON, OverReason.CALM),
    AlertOver(1, NOON, OverReason.CHANGED),
    GoalDefined(1, 1, "Pricing", PathRule("/pricing*")),
    GoalRedefined("Big", EventRule("purchase", "total", 12.5)),
    GoalRedefined("Yes", EventRule("purchase", "gift", True)),  # noqa: FBT003
    GoalRedefined("Any", EventRule("purchase")),
    GoalDeleted(),
    FunnelDefined(1, 1, FunnelPlan("Buy", (GoalStep(1), PathRule("/a"), EventRule("buy", "gift", True)), 7)),  # noqa: FBT003
    FunnelRedefined(FunnelPlan("Buy", (EventRule("buy", "n", 1.5), EventRule("buy")))),
    FunnelDeleted(),
    ApiKeyIssued(key_id=1, user_id="1", name="k", digest="d" * 64, prefix="ff_abcde", expires_at=NOON),
    ApiKeyIssued(key_id=1, user_id="1", name="k", digest="d" * 64, prefix="ff_abcde"),
    ApiKeyRevoked(),
]


async def test_a_stream_that_does_not_exist_has_no_events(event_store):
    assert await event_store.load("site-1") == []


async def test_appended_events_are_loaded_with_their_metadata(event_store):
    await event_store.append("site-1", [REGISTERED, SiteDeleted()], expected=0, metadata=METADATA)

    loaded = await event_store.load("site-1")

    assert [(one.stream, one.version, one.event) for one in loaded] == [
        ("site-1", 1, REGISTERED),
        ("site-1", 2, SiteDeleted()),
    ]
    assert {one.metadata for one in loaded} == {METADATA}


async def test_every_kind_of_event_comes_back_as_it_was(event_store):
    await event_store.append("all-1", EVERY_EVENT, expected=0, metadata=METADATA)

    loaded = await event_store.load("all-1")

    assert [one.event for one in loaded] == EVERY_EVENT
    assert [type(one.event) for one in loaded] == [type(event) for event in EVERY_EVENT]


async def test_an_append_returns_the_recorded_events(event_store):
    recorded = await event_store.append("site-1", [REGISTERED], expected=0, metadata=METADATA)

    assert recorded == await event_store.load("site-1")


@pytest.mark.parametrize("expected", [0, 2, 7])
async def test_an_append_to_another_version_is_refused(event_store, expected):
    await event_store.append("site-1", [REGISTERED], expected=0, metadata=METADATA)

    with pytest.raises(ConcurrencyConflict):
        await event_store.append("site-1", [SiteDeleted()], expected=expected, metadata=METADATA)

    assert len(await event_store.load("site-1")) == 1


async def test_one_of_two_concurrent_writers_of_a_stream_wins(event_store):
    async def append():
        return await event_store.append("site-1", [REGISTERED, SiteDeleted()], expected=0, metadata=METADATA)

    outcomes = await asyncio.gather(append(), append(), return_exceptions=True)

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["ConcurrencyConflict", "list"]
    assert [one.version for one in await event_store.load("site-1")] == [1, 2]


async def test_all_streams_are_read_in_the_order_of_their_positions(event_store):
    for number in range(1, 6):
        await event_store.append(f"site-{number}", [REGISTERED], expected=0, metadata=METADATA)

    first = await event_store.read_all(after=0, limit=3)
    rest = await event_store.read_all(after=first[-1].position, limit=10)

    assert [one.stream for one in first + rest] == [f"site-{number}" for number in range(1, 6)]
    assert [one.position for one in first + rest] == sorted({one.position for one in first + rest})


async def test_an_append_wakes_waiting_readers(event_store):
    await asyncio.sleep(0.3)
    await event_store.changed(within=0.01)
    waiting = asyncio.create_task(event_store.changed(within=10 * LONG))
    await asyncio.sleep(0.05)

    await event_store.append("site-1", [REGISTERED], expected=0, metadata=METADATA)

    async with asyncio.timeout(LONG):
        await waiting


async def test_waiting_for_events_times_out(event_store):
    async with asyncio.timeout(LONG):
        await event_store.changed(within=0.01)


async def test_the_events_of_a_site_include_its_errors_and_all_goals_that_it_ever_had(event_store):
    await event_store.append("site-1", [REGISTERED], expected=0, metadata=METADATA)
    await event_store.append("goal-7", [GoalDefined(7, 1, "g", PathRule("/"))], expected=0, metadata=METADATA)
    await event_store.append(
        "goal-8", [GoalDefined(8, 11, "g", PathRule("/"))], expected=0, metadata=METADATA
    )
    await event_store.append("site-11", [REGISTERED], expected=0, metadata=METADATA)
    await event_store.append("site-1", [SiteRenamed("New", "example.com")], expected=1, metadata=METADATA)
    await event_store.append("goal-7", [GoalDeleted()], expected=1, metadata=METADATA)
    decided = [ErrorGroupResolved("1-0123456789abcdef", NOON)]
    for stream in ("errors-1", "errors-11"):
        await event_store.append(stream, decided, expected=0, metadata=METADATA)

    recorded = await event_store.load_site(1)

    assert [(one.stream, one.version) for one in recorded] == [
        ("site-1", 1),
        ("goal-7", 1),
        ("site-1", 2),
        ("goal-7", 2),
        ("errors-1", 1),
    ]
