"""The command line over a real store: organizations, members, sites, keys and their history."""

import json
import re

import pytest
from click.testing import CliRunner

from footfall.application.commands import Cause
from footfall.application.ports import Actor
from footfall.entrypoints.cli import cli
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import with_journal


@pytest.fixture
def footfall(database_url, monkeypatch):
    """Run one command and return its result; options that are not given are not in the environment either."""
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", database_url)
    runner = CliRunner()

    def run(*arguments, **options):
        return runner.invoke(cli, [str(argument) for argument in arguments], **options)

    return run


@pytest.fixture
def answered(footfall):
    """Run one command that must succeed and return its JSON document."""

    def run(*arguments):
        result = footfall(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def begun(answered):
    return answered("init", "--organization", "Acme", "--site", "Shop", "--domain", "shop.example")


def test_a_fresh_store_gets_everything_that_is_needed(answered, begun):
    assert set(begun) == {"userId", "organizationId", "siteId", "id", "apiKey"}
    (site,) = answered("site", "list")
    assert (site["siteId"], site["domain"]) == (begun["siteId"], "shop.example")


@pytest.mark.parametrize(
    ("option", "value"), [("--organization", ""), ("--site", "x" * 101), ("--domain", "not a host")]
)
def test_a_beginning_that_is_refused_leaves_nothing_behind(footfall, answered, option, value):
    options = {"--organization": "Example", "--site": "Shop", "--domain": "shop.example"}

    refused = footfall("init", *(part for pair in (options | {option: value}).items() for part in pair))

    assert refused.exit_code == 1
    assert answered("org", "list") == []


def test_times_are_written_as_in_the_interface(answered, begun):
    site = answered("site", "show", begun["siteId"])
    [key] = answered("key", "list", "--user", begun["userId"])
    [event] = answered("history", "apikey-1")

    for time in (site["createdAt"], site["updatedAt"], key["createdAt"], event["at"]):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time)


def test_members_join_change_and_leave(footfall, answered, begun):
    organization = begun["organizationId"]
    joined = answered("member", "add", "--organization", organization)
    user = joined["userId"]
    footfall("member", "role", "--organization", organization, "--user", user, "--role", "admin")
    members = answered("member", "list", "--organization", organization)
    footfall("member", "remove", "--organization", organization, "--user", user)

    assert members == [
        {"userId": begun["userId"], "role": "owner"},
        {"userId": user, "role": "admin"},
    ]
    (listed,) = answered("org", "list")
    assert listed["members"] == {begun["userId"]: "owner"}


def test_sites_are_made_shown_renamed_limited_and_deleted(footfall, answered, begun):
    organization = begun["organizationId"]
    made = answered("site", "create", "--organization", organization, "--name", "B", "--domain", "b.example")
    number = made["siteId"]
    assert footfall("site", "rename", number, "--domain", "c.example").exit_code == 0
    assert footfall("site", "limit", number, 1000).exit_code == 0
    shown = answered("site", "show", made["id"])
    assert footfall("site", "limit", number, "--clear").exit_code == 0
    cleared = answered("site", "show", number)
    deleted = footfall("site", "delete", number, input="y\n")

    assert (shown["domain"], shown["monthlyLimit"], shown["blockBots"]) == ("c.example", 1000, True)
    assert cleared["monthlyLimit"] is None
    assert deleted.exit_code == 0
    assert [site["siteId"] for site in answered("site", "list", "--organization", organization)] == [
        begun["siteId"]
    ]


def test_a_site_is_not_deleted_without_a_yes(footfall, answered, begun):
    result = footfall("site", "delete", begun["siteId"], input="n\n")

    assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, "footfall: nothing was deleted")
    assert len(answered("site", "list")) == 1


def test_what_is_deleted_is_named_before_one_says_yes(footfall, begun):
    result = footfall("site", "delete", begun["siteId"], input="n\n")

    assert "Delete Shop (shop.example)" in result.stdout


def test_a_site_is_shown_in_the_words_of_the_interface(footfall, begun):
    shown = footfall("site", "show", begun["siteId"]).stdout.splitlines()

    assert {"monthlyLimit: -", "public: false", "blockBots: true", "excludedIPs: -"} <= set(shown)


def test_who_may_sign_in_is_named_when_there_are_several(footfall, begun):
    footfall("member", "add", "--organization", begun["organizationId"], "--role", "member")

    result = footfall("user", "sign-in")

    assert result.exit_code == 1
    assert "say which with --user: 1 (owner of Acme), 2 (member of Acme)" in result.stderr


def test_no_line_names_more_users_than_can_be_read(footfall, begun):
    for _ in range(9):
        footfall("member", "add", "--organization", begun["organizationId"])

    result = footfall("user", "sign-in")

    assert result.stderr.rstrip().endswith("8 (member of Acme), ...")


def test_a_demonstration_ends_with_a_link_to_look_at_it(footfall, answered):
    first = answered("demo", "--days", "1")
    again = footfall("demo", "--days", "1")

    [url] = re.findall(r"^url: (.+)$", again.stdout, re.MULTILINE)
    owner = next(org["members"] for org in answered("org", "list") if org["name"] == "Demonstration")
    assert [link.split("/")[-2] for link in (first["url"], url)] == list(owner) * 2


def test_a_site_of_ones_own_is_filled_without_a_link(answered, begun):
    assert "url" not in answered("demo", "--site", begun["siteId"], "--days", "1")


def test_what_somebody_did_without_a_key_is_in_the_history(footfall, begun, database_url):
    cause = Cause(actor=Actor(user_id=begun["userId"]))
    with_journal(
        read_settings({"FOOTFALL_DATABASE_URL": database_url}),
        lambda journal: journal.commands.rename_site(1, name="New", domain=None, cause=cause),
    )

    shown = footfall("history", "site-1").stdout.splitlines()

    assert next(line for line in shown if "site-renamed" in line).endswith(f"user {begun['userId']}")


def test_a_store_that_is_away_leads_to_who_knows_more(footfall):
    away = {"FOOTFALL_DATABASE_URL": "postgresql://somebody:hidden@127.0.0.1:1/nothing"}

    result = footfall("org", "list", env=away)

    assert (result.exit_code, "hidden" in result.stderr) == (1, False)
    assert result.stderr.endswith("footfall doctor says more\n")


def test_keys_are_made_listed_and_revoked(footfall, answered, begun):
    made = answered("key", "create", "--user", begun["userId"], "--name", "CI", "--expires-in", 30)
    listed = answered("key", "list", "--user", begun["userId"])
    revoked = footfall("key", "revoke", made["keyId"])

    assert made["key"].startswith("ff_")
    assert made["key"] not in json.dumps(listed)
    assert [key["name"] for key in listed] == ["First key", "CI"]
    assert listed[1]["expiresAt"] is not None
    assert listed[1]["lastUsedAt"] is None
    assert revoked.exit_code == 0
    assert len(answered("key", "list", "--user", begun["userId"])) == 1


def test_the_history_of_each_kind_of_stream_says_what_changed(footfall, answered, begun):
    footfall("site", "rename", begun["siteId"], "--name", "New")

    site = answered("history", f"site-{begun['siteId']}")
    organization = answered("history", f"organization-{begun['organizationId']}")
    key = footfall("history", "apikey-1")

    assert site[-1]["changes"] == [{"field": "name", "from": "Shop", "to": "New"}]
    assert (site[-1]["type"], site[-1]["userId"]) == ("site-renamed", None)
    assert organization[-1]["changes"] == [
        {"field": f"members.{begun['userId']}", "from": None, "to": "owner"}
    ]
    assert "api-key-issued  operator" in key.stdout
    assert begun["apiKey"] not in key.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["site", "show", 99],
        ["site", "limit", 99, 5],
        ["site", "delete", 99],
        ["site", "create", "--organization", 99, "--name", "x", "--domain", "x.example"],
        ["site", "create", "--organization", 1, "--name", "x", "--domain", "not a host"],
        ["member", "add", "--organization", 99],
        ["member", "list", "--organization", 99],
        ["member", "role", "--organization", 1, "--user", 99, "--role", "admin"],
        ["member", "remove", "--organization", 1, "--user", 1],
        ["key", "create", "--user", 99, "--name", "x"],
        ["org", "create", "--name", "x", "--owner", 99],
        ["member", "add", "--organization", 1, "--user", 99],
        ["key", "list", "--user", 99],
        ["key", "revoke", 99],
        ["site", "list", "--organization", 99],
        ["site", "limit", 1, 10**23],
        ["history", "site-99"],
        ["history", "nothing"],
    ],
)
def test_a_refusal_is_one_line_and_status_1(footfall, begun, arguments):
    result = footfall(*arguments)

    assert begun["siteId"] == 1
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("footfall: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["site", "limit", 1], ["site", "rename", 1], ["key", "create", "--user", 1], ["member", "role"]],
)
def test_wrong_usage_is_status_2(footfall, begun, arguments):
    result = footfall(*arguments)

    assert (begun["siteId"], result.exit_code) == (1, 2)
