"""Which targets are told the beginning of a firing and its end, whatever has changed in between."""

import json
from datetime import timedelta

from attrs import evolve

from footfall.application.journal.event_codec import EventCodec, SerializedEvent
from footfall.domain.accounts.organization import Role
from footfall.domain.alerts import firings
from footfall.domain.alerts.firings import AlertFired, AlertOver, OverReason
from footfall.domain.alerts.plan import AlertMetric
from footfall.domain.alerts.rules import TargetKind
from tests.unit.alerts.conftest import (
    BEGAN,
    HOUR,
    OPERATOR,
    die_before_telling,
    firing,
    redefine,
)


async def test_a_changed_rule_ends_its_firing_and_begins_anew(world):
    number = await world.define(value=1)
    await world.evaluation.work()
    await world.pass_time(2)
    rule = world.journal.directory.alerts(1).rules[number]

    await world.commands.alerts.redefine(1, number, evolve(rule.plan, value=1e6), OPERATOR)
    await world.journal.directory.catch_up()
    await world.pass_time(24)

    events = await world.events()
    assert [type(one) for one in events] == [AlertFired, AlertOver]
    assert events[1].reason is OverReason.CHANGED
    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]


async def test_a_target_that_a_firing_rule_gets_is_not_told_the_end_of_what_it_does_not_know(world):
    await world.commands.alerts.add_target(1, TargetKind.SLACK, "late", None, OPERATOR)
    await firing(world)

    await redefine(world, targets=(1, 2))
    await world.pass_time(1)
    changed = world.told
    await world.pass_time(2)

    assert changed == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]
    assert world.told[2:] == ["alert-1-1-2-opened-1", "alert-1-1-2-opened-2"]


async def test_a_target_that_a_firing_rule_loses_is_told_the_end_of_what_it_knows(world):
    await world.commands.alerts.add_target(1, TargetKind.SLACK, "other", None, OPERATOR)
    await firing(world)

    await redefine(world, targets=(2,))
    await world.pass_time(1)

    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]
    assert world.queue.requests["alert-1-1-1-over-1"].after == "alert-1-1-1-opened-1"


async def test_a_rule_that_begins_to_tell_while_it_fires_begins_with_a_beginning(world):
    await firing(world, targets=[])

    await redefine(world, targets=(1,))
    await world.pass_time(3)

    assert world.told == ["alert-1-1-2-opened-1"]


async def test_a_firing_of_a_rule_that_is_set_inactive_is_over_for_those_who_know_it(world):
    await world.commands.alerts.add_target(1, TargetKind.SLACK, "late", None, OPERATOR)
    await firing(world)

    await redefine(world, targets=(1, 2), active=False)
    await world.pass_time(2)

    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]


async def test_a_target_that_was_removed_is_told_no_end(world):
    await firing(world)

    await world.commands.alerts.remove_target(1, 1, OPERATOR)
    await world.journal.directory.catch_up()
    await redefine(world, value=1e6)
    await world.pass_time(2)

    assert world.told == ["alert-1-1-1-opened-1"]


async def test_the_end_of_a_changed_rule_names_no_unit_of_its_new_metric(world):
    await firing(world)

    await redefine(world, metric=AlertMetric.PAGEVIEWS, value=1e6)
    await world.pass_time(1)

    over = json.loads(world.queue.requests["alert-1-1-1-over-1"].body)["text"]
    assert "The rule was changed" in over
    assert "pageviews" not in over


async def test_a_worker_that_died_before_it_told_a_beginning_leaves_it_to_be_told_before_the_end(world):
    await die_before_telling(world)
    await world.journal.directory.catch_up()
    await redefine(world, value=1e6)
    await world.pass_time(1)

    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]


async def test_however_late_a_beginning_is_told_before_its_end(world):
    await die_before_telling(world)
    world.course.by_hour = {}
    world.clock.advance(timedelta(days=9))
    await world.pass_time(3)

    assert world.told == ["alert-1-1-1-opened-1", "alert-1-1-1-over-1"]


def mails(world):
    return [one.mail_id for one in world.stores.ports.outbox.waiting_mails]


async def test_a_member_who_got_no_mail_at_the_beginning_gets_none_at_the_end(mailing_world):
    world = mailing_world
    member = await world.commands.people.register(OPERATOR, name="Max", address="max@example.com")
    await world.commands.organizations.add_member("1", member, Role.MEMBER, OPERATOR)
    await world.commands.alerts.add_target(1, TargetKind.MAIL, "Max", member, OPERATOR)
    await firing(world, targets=[2])

    await world.commands.people.verify_address(member, "max@example.com", OPERATOR)
    await redefine(world, value=2)
    await world.pass_time(1)
    over = mails(world)
    await world.pass_time(3)

    assert over == []
    assert mails(world) == ["alert-1-1-2-opened-2"]


async def test_a_firing_of_an_earlier_version_tells_the_targets_of_its_rule(world):
    number = await world.define(value=1, targets=[1])
    await world.journal.directory.catch_up()
    plan = world.journal.directory.alerts(1).rules[number].plan
    data = {"site_id": 1, "rule": 1, "number": 1, "value": 2.0, "lower": None, "upper": 1.0}
    data |= {"start": BEGAN.isoformat(), "end": (BEGAN + HOUR).isoformat()}

    read = EventCodec().decode(SerializedEvent("alert-fired", 0, data))

    assert firings.apply(None, read).latest[1].told(plan) == (1,)


async def test_a_mail_goes_to_a_member_with_a_verified_address(world):
    member = await world.commands.people.register(OPERATOR, name="Max", address=None)
    await world.commands.organizations.add_member("1", member, Role.MEMBER, OPERATOR)
    number = await world.commands.alerts.add_target(1, TargetKind.MAIL, "Max", member, OPERATOR)
    await world.define(value=1, targets=[number])
    await world.evaluation.work()

    await world.pass_time(2)

    # Without an address there is no mail, and without a mail server none either.
    assert world.told == []
    assert world.stores.ports.outbox.waiting_mails == []
