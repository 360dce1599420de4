"""The rules of the groups of pages of a site."""

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.paths.page_groups import MAX_GROUP_NAME, UNGROUPED, GroupRule, PageGroups
from footfall.domain.sites.page_groups import MAX_RULES, PageGroupsArranged, arrange

RULE = GroupRule("Orders", "/user/*/orders")


def test_rules_are_replaced_as_a_whole_with_their_order():
    other = GroupRule("Users", "/user/*")

    assert arrange(UNGROUPED, [RULE, other]) == [PageGroupsArranged((RULE, other))]
    assert arrange(PageGroups((RULE, other)), [other, RULE]) == [PageGroupsArranged((other, RULE))]
    assert arrange(PageGroups((RULE,)), []) == [PageGroupsArranged(())]


def test_the_same_rules_again_are_no_event():
    assert arrange(PageGroups((RULE,)), [GroupRule(" Orders ", " user/*/orders ")]) == []


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        (GroupRule("", "/a"), "groups[0].name"),
        (GroupRule("x" * (MAX_GROUP_NAME + 1), "/a"), "groups[0].name"),
        (GroupRule("a\nb", "/a"), "groups[0].name"),
        (GroupRule("/b", "/a"), "groups[0].name"),
        (GroupRule("A", ""), "groups[0].pattern"),
        (GroupRule("A", "/*a" * 21), "groups[0].pattern"),
        (GroupRule("A", "/\x00"), "groups[0].pattern"),
    ],
)
def test_what_a_rule_may_not_be_is_refused_by_name(rule, named):
    with pytest.raises(Invalid) as refusal:
        arrange(UNGROUPED, [rule])

    assert list(refusal.value.field_errors) == [named]


def test_a_group_may_be_called_after_its_pattern():
    assert arrange(UNGROUPED, [GroupRule("/user/*", "/user/*")]) != []


def test_a_site_has_a_limit_of_rules():
    with pytest.raises(Invalid, match="groups"):
        arrange(UNGROUPED, [RULE] * (MAX_RULES + 1))
