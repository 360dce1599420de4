"""The command line over a real store: names and addresses of users, invitations, sites of members, forgetting."""

import re

import pytest

INIT = ["init", "--organization", "Acme", "--site", "Shop", "--domain", "shop.example"]


@pytest.fixture
def begun(answered):
    return answered(*INIT, "--owner-name", "Ann", "--owner-address", "ann@example.com")


@pytest.mark.usefixtures("begun")
def test_the_first_user_has_the_given_name_and_address(answered):
    ann = {"userId": "1", "name": "Ann", "address": "ann@example.com", "addressVerified": False}

    assert answered("user", "list") == [ann]


def test_name_and_address_are_taken_from_the_environment(footfall, answered):
    footfall(*INIT, env={"FOOTFALL_OWNER_NAME": "Eve", "FOOTFALL_OWNER_ADDRESS": "eve@example.com"})

    [user] = answered("user", "list")
    assert (user["name"], user["address"]) == ("Eve", "eve@example.com")


@pytest.mark.parametrize(
    ("option", "value", "fault"),
    [("--owner-name", "n" * 101, "at most 100"), ("--owner-address", "nowhere", "mail address")],
)
def test_a_name_or_address_that_breaks_a_rule_is_refused_and_nothing_is_made(
    footfall, answered, option, value, fault
):
    refused = footfall(*INIT, option, value)

    assert (refused.exit_code != 0, fault in refused.stderr) == (True, True)
    assert answered("org", "list") == []


@pytest.mark.usefixtures("begun")
def test_a_user_gets_another_name_and_keeps_the_address(footfall, answered):
    changed = answered("user", "change", "1", "--name", "Anna")
    history = footfall("history", "user-1").stdout

    assert (changed["name"], changed["address"]) == ("Anna", "ann@example.com")
    assert "user-name-changed" in history
    assert "Anna" not in history
    assert footfall("user", "change", "99", "--name", "X").exit_code == 1
    assert footfall("user", "change", "1").exit_code == 2


@pytest.mark.usefixtures("begun")
def test_a_user_is_forgotten_after_a_confirmation_and_an_owner_is_not(footfall, answered):
    user = answered("member", "add", "--organization", "1")["userId"]
    answered("user", "change", user, "--name", "Bob", "--address", "bob@example.com")

    declined = footfall("user", "forget", user, input="n\n")
    forgotten = footfall("user", "forget", user, "--yes")
    last_owner = footfall("user", "forget", "1", "--yes")

    assert (declined.exit_code, forgotten.exit_code, last_owner.exit_code) == (1, 0, 1)
    assert "at least one owner" in last_owner.stderr
    assert [one["userId"] for one in answered("user", "list")] == ["1"]
    assert [one["userId"] for one in answered("member", "list", "--organization", "1")] == ["1"]
    assert footfall("user", "sign-in", "--user", user).exit_code == 1


@pytest.mark.usefixtures("begun")
def test_an_invitation_prints_its_link_with_the_public_url(footfall):
    arguments = [
        "member",
        "invite",
        "--organization",
        "1",
        "--address",
        "bob@example.com",
        "--role",
        "viewer",
    ]

    made = footfall(*arguments, env={"FOOTFALL_PUBLIC_URL": "https://stats.example.com"})

    assert re.search(
        r"^link: https://stats\.example\.com/invitations/1/[0-9A-Za-z]{32}$", made.stdout, re.MULTILINE
    )
    assert footfall(*arguments[:4], "--address", "nowhere").exit_code == 1


@pytest.mark.usefixtures("begun")
def test_a_member_is_limited_to_sites_and_sees_all_again(footfall, answered):
    user = answered("member", "add", "--organization", "1", "--role", "viewer")["userId"]
    member = ["member", "sites", "--organization", "1", "--user", user]

    footfall(*member, "--site", "1")
    limited = answered("member", "list", "--organization", "1")[1]
    footfall(*member, "--all")

    assert (limited["role"], limited["siteIds"]) == ("viewer", [1])
    assert answered("member", "list", "--organization", "1")[1]["siteIds"] is None
    assert footfall(*member, "--site", "99").exit_code == 1
    assert footfall(*member).exit_code == 2
