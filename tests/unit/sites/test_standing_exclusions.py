"""Standing exclusions of a site."""

import pytest

from footfall.domain.event_stream import fold
from footfall.domain.exceptions import ExclusionRuleNotFound, Invalid, SiteNotFound, TooManyExclusionRules
from footfall.domain.sites import site, standing_exclusions
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.standing_exclusions import (
    ExclusionRule,
    ExclusionRuleRedefined,
    ExclusionRuleRemoved,
    ExclusionRuleSwitched,
    StandingExclusions,
)

HOSTING = (Condition("network", "equals", ("hosting",)),)
ONE_HIT = (*HOSTING, Condition("hits", "equals", ("1",)))


def with_(*decisions):
    state = StandingExclusions()
    for decide in decisions:
        for event in decide(state):
            state = standing_exclusions.apply(state, event)
    return state


def defined(name="Servers", conditions=HOSTING):
    return lambda state: standing_exclusions.define(state, name=name, conditions=conditions)


def changed(number=1, **changes):
    return lambda state: standing_exclusions.change(state, number, **changes)


def removed(number):
    return lambda state: standing_exclusions.remove(state, number)


def test_a_rule_is_enabled_when_it_is_defined():
    assert with_(defined()).enabled == (ExclusionRule("Servers", HOSTING, enabled=True),)


def test_the_number_of_a_removed_rule_is_not_used_again():
    state = with_(defined(), defined("Other"), removed(2), defined("Third"))

    assert list(state.rules) == [1, 3]


def test_a_rule_is_disabled_and_enabled_again():
    disabled = with_(defined(), changed(enabled=False))

    assert disabled.enabled == ()
    assert changed(enabled=True)(disabled) == [ExclusionRuleSwitched(1, "Servers", enabled=True)]


def test_what_is_not_given_stays():
    state = with_(defined(), changed(enabled=False), changed(name="Bots"), changed(conditions=ONE_HIT))

    assert state.rules == {1: ExclusionRule("Bots", ONE_HIT, enabled=False)}


def test_a_rule_is_redefined_and_switched_by_two_events():
    events = changed(name="Bots", enabled=False)(with_(defined()))

    assert events == [
        ExclusionRuleRedefined(1, "Bots", HOSTING),
        ExclusionRuleSwitched(1, "Bots", enabled=False),
    ]


def test_an_unchanged_rule_gives_no_event():
    assert changed(name="Servers", conditions=HOSTING, enabled=True)(with_(defined())) == []


def test_a_removed_rule_is_named():
    assert removed(1)(with_(defined())) == [ExclusionRuleRemoved(1, "Servers")]


@pytest.mark.parametrize("decide", [removed(2), changed(2, enabled=False)])
def test_unknown_rules_are_not_found(decide):
    with pytest.raises(ExclusionRuleNotFound):
        decide(with_(defined()))


@pytest.mark.parametrize(("name", "conditions"), [("", HOSTING), ("a" * 101, HOSTING), ("Servers", ())])
def test_names_and_conditions_have_limits(name, conditions):
    with pytest.raises(Invalid):
        defined(name, conditions)(StandingExclusions())
    with pytest.raises(Invalid):
        changed(name=name, conditions=conditions)(with_(defined()))


def test_a_site_has_at_most_20_rules():
    full = with_(*(defined(f"Rule {number}") for number in range(20)))

    with pytest.raises(TooManyExclusionRules):
        defined()(full)
    assert len(with_(*(defined(f"Rule {number}") for number in range(20)), removed(3), defined()).rules) == 20


def test_all_rules_together_have_at_most_50_conditions():
    state = with_(*(defined(conditions=HOSTING * 10) for _ in range(4)), defined(conditions=HOSTING * 9))

    assert defined()(state)
    with pytest.raises(Invalid) as refusal:
        defined(conditions=ONE_HIT)(state)
    assert refusal.value.field_errors == {
        "filters": ["all rules of a site together have at most 50 filters with 1,000 values, not 51 with 51"]
    }
    # The rule itself is replaced.
    assert changed(5, conditions=HOSTING * 10)(state)
    with pytest.raises(Invalid):
        changed(5, conditions=HOSTING * 11)(state)


def test_all_rules_together_have_at_most_1000_values():
    many = (Condition("country", "equals", tuple(f"{number:02}" for number in range(50))),)
    state = with_(*(defined(conditions=many) for _ in range(19)))

    assert defined(conditions=many)(state)
    with pytest.raises(Invalid):
        defined(conditions=many + HOSTING)(state)


def test_an_event_about_an_unknown_rule_changes_nothing():
    state = with_(defined())

    for event in (
        ExclusionRuleSwitched(2, "Gone", enabled=False),
        ExclusionRuleRedefined(2, "Gone", HOSTING),
        ExclusionRuleRemoved(2, "Gone"),
    ):
        assert standing_exclusions.apply(state, event) == state


def test_rules_belong_to_an_existing_site():
    registered = site.register(
        7, public_id="0123456789ab", organization_id="1", name="S", domain="s.example", created_by="1"
    )
    state = fold(site.apply, registered)
    events = site.change_part(state, lambda known: defined()(known.exclusions))

    assert list(fold(site.apply, events, state).exclusions.rules) == [1]
    with pytest.raises(SiteNotFound):
        site.change_part(None, lambda known: defined()(known.exclusions))


def test_rules_leave_out_the_same_whatever_they_are_called_and_whatever_disabled_ones_say():
    condition, other = Condition("country", "equals", ("DE",)), Condition("country", "equals", ("FR",))
    rules = StandingExclusions(
        {1: ExclusionRule("a", (condition,)), 2: ExclusionRule("b", (other,), enabled=False)}, 2
    )
    renamed = StandingExclusions({1: ExclusionRule("c", (condition,))}, 7)

    assert rules.leaves_out_the_same(renamed)
    assert not rules.leaves_out_the_same(StandingExclusions({1: ExclusionRule("a", (other,))}, 2))
