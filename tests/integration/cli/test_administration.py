"""The command line over a real store: organizations, members, sites, keys and their history."""

import json
import re

import psycopg
import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import Actor
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings

NAMES = ["--organization", "Acme", "--site", "Shop", "--domain", "shop.example"]


@pytest.fixture
def begun(answered):
    return answered("init", *NAMES)


def test_a_fresh_store_gets_everything_that_is_needed(answered, begun):
    assert set(begun) == {"userId", "organizationId", "siteId", "id", "apiKey"}
    (site,) = answered("site", "list")
    assert (site["siteId"], site["domain"]) == (begun["siteId"], "shop.example")


@pytest.mark.parametrize(
    ("option", "value"), [("--organization", ""), ("--site", "x" * 101), ("--domain", "not a host")]
)
def test_a_refused_init_leaves_nothing_behind(footfall, answered, option, value):
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


def test_an_organization_is_renamed(answered, begun):
    renamed = answered("org", "rename", "--organization", begun["organizationId"], "--name", "New \u00e9")

    assert renamed == {"organizationId": begun["organizationId"], "name": "New \u00e9"}
    [listed] = answered("org", "list")
    assert listed["name"] == "New \u00e9"
    changed = answered("history", f"organization-{begun['organizationId']}")[-1]
    assert (changed["type"], changed["changes"]) == (
        "organization-renamed",
        [{"field": "name", "from": "Acme", "to": "New \u00e9"}],
    )


def test_members_join_change_and_leave(footfall, answered, begun):
    organization = begun["organizationId"]
    joined = answered("member", "add", "--organization", organization)
    user = joined["userId"]
    footfall("member", "role", "--organization", organization, "--user", user, "--role", "admin")
    members = answered("member", "list", "--organization", organization)
    footfall("member", "remove", "--organization", organization, "--user", user)

    assert members == [
        {"userId": begun["userId"], "name": None, "role": "owner", "siteIds": None},
        {"userId": user, "name": None, "role": "admin", "siteIds": None},
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


def test_a_site_is_not_deleted_without_confirmation(footfall, answered, begun):
    result = footfall("site", "delete", begun["siteId"], input="n\n")

    assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, "footfall: nothing was deleted")
    assert len(answered("site", "list")) == 1


def test_the_confirmation_names_the_site_to_be_deleted(footfall, begun):
    result = footfall("site", "delete", begun["siteId"], input="n\n")

    assert "Delete Shop (shop.example)" in result.stderr


def test_a_site_is_shown_in_the_words_of_the_interface(footfall, begun):
    shown = footfall("site", "show", begun["siteId"]).stdout.splitlines()

    assert {"monthlyLimit: -", "public: false", "blockBots: true", "excludedIPs: -"} <= set(shown)


def test_of_several_users_the_first_owner_is_signed_in_and_the_others_are_named(footfall, answered, begun):
    member = answered("member", "add", "--organization", begun["organizationId"])["userId"]

    result = footfall("user", "sign-in")
    chosen = footfall("user", "sign-in", "--user", member)

    assert (result.exit_code, chosen.exit_code) == (0, 0)
    assert re.fullmatch(rf"http://\S+/sign-in/{begun['userId']}/\S+\n", result.stdout)
    assert re.fullmatch(rf"http://\S+/sign-in/{member}/\S+\n", chosen.stdout)
    assert result.stderr == f"The link signs in user 1 (owner of Acme). Others, with --user: {member}.\n"
    assert f"user {member} (member of Acme). Others, with --user: 1." in chosen.stderr


@pytest.mark.usefixtures("begun")
def test_the_document_of_a_sign_in_link_names_its_user(answered):
    signed = answered("user", "sign-in")

    assert (signed["userId"], signed["roles"], signed["otherUsers"]) == ("1", {"Acme": "owner"}, [])


@pytest.mark.usefixtures("begun")
def test_the_only_user_is_signed_in_without_a_word_about_others(footfall):
    assert footfall("user", "sign-in").stderr == "The link signs in user 1 (owner of Acme).\n"


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("user", ["99", ""])
def test_an_unknown_user_is_not_signed_in(footfall, user):
    result = footfall("user", "sign-in", "--user", user)

    assert (result.exit_code, result.stdout) == (1, "")
    assert "is not a member of any organization" in result.stderr


def test_a_line_names_at_most_eight_other_users(footfall, begun):
    for _ in range(9):
        footfall("member", "add", "--organization", begun["organizationId"])

    result = footfall("user", "sign-in")

    assert result.stderr.rstrip().endswith("8, 9 and 1 more.")


def test_a_demonstration_ends_with_a_link_to_look_at_it(footfall, answered):
    first = answered("demo", "--days", "1")
    again = footfall("demo", "--days", "1")

    [url] = re.findall(r"^url: (.+)$", again.stdout, re.MULTILINE)
    owner = next(org["members"] for org in answered("org", "list") if org["name"] == "Demonstration")
    assert [link.split("/")[-2] for link in (first["url"], url)] == list(owner) * 2


def test_a_demonstration_decides_once_what_a_member_would(answered, database_url):
    answered("demo", "--days", "10")
    first = decisions(database_url)
    answered("demo", "--days", "10")

    assert first == {
        "goal-defined": 4,
        "funnel-defined": 1,
        "segment-defined": 1,
        "property-currency-set": 1,
        "alert-rule-defined": 1,
        "annotation-added": first["annotation-added"],
    }
    # A release is deployed every nine days.
    assert 1 <= first["annotation-added"] <= 2
    assert decisions(database_url) == first


def decisions(url):
    """Return how many events there are of each type about what a member decides of a site."""
    with psycopg.connect(url) as connection:
        return dict(
            connection.execute(
                "select type, count(*) from event where type ~ '^(goal|funnel|segment|property|alert|annotation)'"
                " group by type"
            ).fetchall()
        )


def test_a_demonstration_goes_into_the_organization_that_is_there(answered, begun):
    other = answered("org", "create", "--name", "Other")["organizationId"]

    first = answered("demo", "--days", "1")
    chosen = answered("demo", "--days", "1", "--organization", other)

    sites = {site["siteId"]: site["organizationId"] for site in answered("site", "list")}
    assert "apiKey" not in first
    assert first["url"].split("/")[-2] == begun["userId"]
    assert (sites[first["siteId"]], sites[chosen["siteId"]]) == (begun["organizationId"], other)
    assert [org["name"] for org in answered("org", "list")] == ["Acme", "Other"]


def test_a_demonstration_asks_for_an_organization_that_there_is(footfall, begun):
    unknown = footfall("demo", "--organization", "99")
    both = footfall("demo", "--organization", "1", "--site", begun["siteId"])

    assert (unknown.exit_code, both.exit_code) == (1, 2)


def test_a_site_of_ones_own_is_filled_without_a_link(answered, begun):
    assert "url" not in answered("demo", "--site", begun["siteId"], "--days", "1")


def test_a_change_without_an_api_key_is_in_the_history(footfall, begun, database_url):
    context = CommandContext(actor=Actor(user_id=begun["userId"]))
    with_journal(
        read_settings({"FOOTFALL_DATABASE_URL": database_url}),
        lambda journal: journal.commands.sites.rename(1, name="New", domain=None, context=context),
    )

    shown = footfall("history", "site-1").stdout.splitlines()

    assert next(line for line in shown if "site-renamed" in line).endswith(f"user {begun['userId']}")


def test_an_unreachable_store_is_refused_with_a_hint_to_the_doctor(footfall):
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
        ["org", "rename", "--organization", 99, "--name", "x"],
        ["org", "rename", "--organization", 1, "--name", ""],
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
def test_wrong_usage_is_status_2(footfall_without_store, arguments):
    assert footfall_without_store(*arguments).exit_code == 2


def test_every_command_prints_one_json_document(answered, begun):
    site, organization = begun["siteId"], begun["organizationId"]
    member = answered("member", "add", "--organization", organization)["userId"]
    key = answered("key", "create", "--user", "1", "--name", "Second")["keyId"]
    belongs = ("--organization", organization, "--user", member)

    assert answered("site", "rename", site, "--name", "Renamed")["name"] == "Renamed"
    assert answered("site", "limit", site, "500")["monthlyLimit"] == 500
    assert answered("site", "limit", site, "--clear")["monthlyLimit"] is None
    assert answered("site", "alias", site, "Shop.example")["aliases"] == ["shop.example"]
    assert answered("site", "show", site)["aliases"] == ["shop.example"]
    assert answered("site", "alias", site, "shop.example", "--remove")["aliases"] == []
    assert answered("member", "role", *belongs, "--role", "admin")["role"] == "admin"
    assert answered("member", "remove", *belongs)["removed"] is True
    assert answered("key", "revoke", key) == {"keyId": key, "revoked": True}
    assert answered("migrate") == {"applied": [], "refusedFilters": []}
    assert answered("migrate", "--check") == {"missing": []}
    assert answered("site", "delete", site, "--yes") == {"siteId": site, "deleted": True}


def test_a_transfer_is_described_in_one_document(footfall, answered, begun, tmp_path):
    archive = tmp_path / "events.jsonl"

    copy = answered(
        "site", "create", "--organization", begun["organizationId"], "--name", "Copy", "--domain", "c.example"
    )

    exported = answered("export", begun["siteId"], archive)

    assert exported.keys() == {"events", "position"}
    assert answered("import", copy["siteId"], archive) == {"events": 0}
    assert footfall("export", begun["siteId"], "-", "--json").exit_code == 2


@pytest.mark.parametrize(("option", "value"), [("--port", "http"), ("--workers", "0")])
def test_an_invalid_option_of_serve_is_wrong_usage(footfall, option, value):
    typed = footfall("serve", option, value)
    configured = footfall("serve", env={f"FOOTFALL_{option[2:].upper()}": value})

    assert (typed.exit_code, configured.exit_code) == (2, 1)
    assert option in typed.stderr
    assert configured.stderr.startswith(f"footfall: FOOTFALL_{option[2:].upper()} ")


def test_flags_have_environment_twins(footfall, begun):
    listed = footfall("site", "list", env={"FOOTFALL_JSON": "1"})

    assert json.loads(listed.stdout)[0]["siteId"] == begun["siteId"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "1", "/nowhere/at/all.jsonl"),
        ("import", "1", "/nowhere/at/all.jsonl"),
        ("export", "99", "/nowhere/at/all.jsonl"),
        ("history", "nonsense"),
        ("site", "show", "99"),
        ("site", "limit", "99", "5"),
        ("site", "alias", "99", "shop.example"),
        ("site", "delete", "99"),
        ("site", "create", "--organization", "99", "--name", "A", "--domain", "a.example"),
        ("key", "create", "--user", "99", "--name", "A"),
        ("key", "list", "--user", "99"),
        ("key", "revoke", "99"),
        ("member", "list", "--organization", "99"),
        ("member", "remove", "--organization", "1", "--user", "99"),
        ("member", "role", "--organization", "99", "--user", "1", "--role", "admin"),
        ("org", "create", "--name", ""),
        ("retention", "--site", "99"),
        ("demo", "--site", "99"),
    ],
)
@pytest.mark.usefixtures("begun")
def test_every_refusal_is_one_line_on_standard_error(footfall, arguments):
    result = footfall(*arguments, "--json")

    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(r"footfall: [^\n]+\n", result.stderr)
