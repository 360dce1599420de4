"""Groups of pages: which one a path belongs to, and what is proposed as one."""

import pytest

from footfall.domain.paths.group_proposals import LEAST_PATHS, MOST_PROPOSALS, GroupProposal, proposals
from footfall.domain.paths.page_groups import GroupRule, PageGroups

ORDERS = GroupRule("Orders", "/user/*/orders")
USERS = GroupRule("Users", "/user/*")


@pytest.mark.parametrize(
    ("rules", "path", "group"),
    [
        ((ORDERS, USERS), "/user/7/orders", "Orders"),
        ((USERS, ORDERS), "/user/7/orders", "Users"),
        ((ORDERS, USERS), "/user/7/orders/1", "Users"),
        ((ORDERS,), "/user/7", None),
        ((), "/", None),
    ],
)
def test_the_first_rule_that_a_path_matches_is_that_of_its_group(rules, path, group):
    groups = PageGroups(rules)

    assert (groups.of(path), groups.shown(path)) == (group, group or path)


def test_rules_of_one_name_are_one_group():
    groups = PageGroups((ORDERS, USERS, GroupRule("Orders", "/orders")))

    assert groups.names == ("Orders", "Users")
    assert groups.of("/orders") == "Orders"


@pytest.mark.parametrize(
    ("ids", "pattern"),
    [
        (["7", "8", "1234567890"], "/user/*/orders"),
        ([f"3f2504e0-4f89-11d3-9a0c-0305e82c330{number}" for number in range(3)], "/user/*/orders"),
        ([f"deadbeef{number:02}" for number in range(3)], "/user/*/orders"),
        ([f"V1StGXR8_Z5jdHi6B-my{number}" for number in range(3)], "/user/*/orders"),
    ],
)
def test_paths_that_differ_by_ids_are_proposed_as_a_group(ids, pattern):
    pageviews = {f"/user/{one}/orders": 2 for one in ids}

    assert proposals(pageviews) == [GroupProposal(pattern=pattern, paths=3, pageviews=6)]


def test_names_and_few_paths_are_no_proposal():
    names = {f"/user/{name}/orders": 1 for name in ("anna", "ben", "cleopatra", "documentation")}
    few = {f"/post/{number}": 1 for number in range(LEAST_PATHS - 1)}

    assert proposals(names | few) == []


def test_a_proposal_counts_all_paths_that_its_pattern_matches():
    pageviews = {f"/user/{number}": 5 for number in range(4)} | {"/user/new": 1, "/users": 1}

    assert proposals(pageviews) == [GroupProposal(pattern="/user/*", paths=5, pageviews=21)]


def test_the_most_viewed_proposals_come_first_and_are_not_many():
    pageviews = {
        f"/{chr(ord('a') + place)}/{number}": place
        for place in range(MOST_PROPOSALS + 2)
        for number in range(3)
    }

    found = proposals(pageviews)

    assert [one.pattern for one in found] == [f"/{letter}/*" for letter in "lkjihgfedc"]
