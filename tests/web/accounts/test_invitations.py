"""Inviting a person on the page of an organization, and accepting on the page of the link."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.maintenance.housekeeping import Housekeeping
from footfall.domain.accounts.organization import Role, SiteLimit

PAGE = "/organizations/1"
CONTEXT = CommandContext()


async def invite(world, who="owner", role="member", address="bob@example.com"):
    """Invite by the form of the page, and return the path of the link."""
    browser = await world.browser(who)
    page = await browser.submit(PAGE, page=PAGE, action="invite", address=address, role=role)
    assert page.status_code == 200, page.text
    [link] = re.findall(r"http://localhost:8000(/invitations/1/[0-9A-Za-z]{32})", unescape(page.text))
    return link


async def roles(world):
    await world.directory.catch_up()
    return {user: role.value for user, role in world.directory.organization("1").organization.roles.items()}


async def test_a_link_is_shown_once_and_the_invitation_is_listed(world):
    link = await invite(world)

    page = (await (await world.browser("admin")).get(PAGE)).text

    assert link not in page
    assert "bob@example.com" in page
    assert "bob@example.com" not in (await (await world.browser("member")).get(PAGE)).text


async def test_inviting_alone_makes_nobody_a_member(world):
    before = await roles(world)
    link = await invite(world)
    await world.stranger().get(link)

    assert await roles(world) == before


async def test_a_person_without_account_creates_one_and_is_signed_in(world):
    link, browser = await invite(world, role="viewer"), world.stranger()
    await world.commands.people.change("1", name="Ann <b>", address=None, context=CONTEXT)

    shown = await browser.get(link)
    joined = await browser.post(link, name="Bob", address="bob@example.com")
    sites = await browser.get(joined.headers["location"])

    assert "Ann &lt;b&gt; invites you as viewer" in shown.text
    assert (joined.status_code, joined.headers["location"]) == (303, "/sites?done=joined")
    assert "You joined the organization" in sites.text
    assert (await roles(world))["5"] == "viewer"
    person = await world.commands.people.of("5")
    assert (person.name, person.address, person.verified_address) == ("Bob", "bob@example.com", None)


async def test_a_signed_in_user_joins_with_the_account_that_they_have(world):
    link, browser = await invite(world), await world.browser("stranger")

    joined = await browser.post(link, page=link)

    assert joined.headers["location"] == "/sites?done=joined"
    assert (await roles(world))["3"] == "member"
    assert await world.commands.people.register(CONTEXT) == "5"


async def test_a_person_with_an_account_signs_in_first_and_comes_back(world):
    link, browser = await invite(world), world.stranger()

    page = (await browser.get(link)).text
    signed_in = await browser.post("/sign-in", key=world.keys["stranger"], next=link)

    assert f'href="/sign-in?next={link}"' in page
    assert signed_in.headers["location"] == link


async def test_a_link_works_once(world):
    link = await invite(world)
    await world.stranger().post(link, name="Bob")

    shown, refused = await world.stranger().get(link), await world.stranger().post(link, name="Eve")

    assert (shown.status_code, refused.status_code) == (404, 404)
    assert "Ask the person who invited you for a new one" in refused.text
    assert set(await roles(world)) == {"1", "2", "4", "5"}


@pytest.mark.parametrize("who", ["a new user", "stranger"])
async def test_a_second_click_says_that_the_user_is_a_member(world, who):
    link = await invite(world)
    browser = world.stranger() if who == "a new user" else await world.browser(who)
    page = {} if who == "a new user" else {"page": link}
    fields = {"name": "Bob"} if who == "a new user" else {}
    await browser.post(link, **page, **fields)

    again, shown = await browser.post(link, **fields), await browser.get(link)

    assert (again.status_code, shown.status_code) == (200, 200)
    assert "You are a member of <bdi>Acme</bdi>" in again.text
    assert "You are a member of <bdi>Acme</bdi>" in shown.text
    assert await world.commands.people.register(CONTEXT) == ("6" if who == "a new user" else "5")


async def test_a_link_ends_when_it_is_revoked_and_after_seven_days(world):
    revoked, old = await invite(world), await invite(world)
    browser = await world.browser("admin")
    done = await browser.post(PAGE, page=PAGE, action="revoke", invitation="1")
    revoked_page = await world.stranger().get(revoked)
    world.clock.advance(timedelta(days=7))

    assert done.headers["location"] == f"{PAGE}?done=revoke"
    assert revoked_page.status_code == 404
    assert (await world.stranger().post(old, name="Bob")).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/invitations/1/none", "/invitations/99/none", "/invitations/x%00/none", "/invitations/1/%ff%00"],
)
async def test_a_link_that_never_was_gets_the_same_answer_as_a_used_one(world, path):
    used = await invite(world)
    await world.stranger().post(used, name="Bob")
    member = await world.browser("stranger")

    shown = [await world.stranger().get(one) for one in (used, path)]
    sent = [await world.stranger().post(one, name="Eve") for one in (used, path)]
    joined = [await member.post(one, page="/sites") for one in (used, path)]

    for answers in (shown, sent, joined):
        assert [one.status_code for one in answers] == [404, 404]
        assert all("was used or revoked, or is too old" in one.text for one in answers)


async def test_a_member_is_told_so_and_the_link_stays(world):
    link, browser = await invite(world), await world.browser("member")

    shown = await browser.get(link)
    refused = await browser.post(link, page="/sites")

    assert "You are a member of this organization already" in shown.text
    assert refused.status_code == 409
    assert (await world.stranger().get(link)).status_code == 200


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, "1 to 100 characters"),
        ({"name": "n" * 101}, "at most 100 characters"),
        ({"name": "A\x1b"}, "control characters"),
        ({"name": "Bob", "address": "nowhere"}, "mail address"),
    ],
)
async def test_a_refused_form_names_its_fault_and_leaves_the_link(world, fields, fault):
    link = await invite(world)

    refused = await world.stranger().post(link, **fields)

    assert (refused.status_code, fault in refused.text) == (400, True)
    assert await world.commands.people.register(CONTEXT) == "5"
    assert (await world.stranger().get(link)).status_code == 200


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"address": "nowhere", "role": "member"}, "ust be a mail address"),
        ({"address": "", "role": "member"}, "ust be a mail address"),
        ({"address": "bob@example.com", "role": "king"}, "Role must be one of"),
    ],
)
async def test_a_refused_invitation_names_its_fault(world, fields, fault):
    browser = await world.browser("owner")

    refused = await browser.post(PAGE, page=PAGE, action="invite", **fields)

    assert (refused.status_code, fault in refused.text) == (400, True)


async def test_a_person_is_invited_to_some_sites(world):
    browser, newcomer = await world.browser("owner"), world.stranger()
    other = await world.commands.sites.register(
        "1", name="Other", domain="example.org", created_by="1", context=CONTEXT
    )

    page = await browser.submit(
        PAGE, page=PAGE, action="invite", address="b@example.com", role="viewer", **{f"site-{other}": "on"}
    )
    [link] = re.findall(r"http://localhost:8000(/invitations/1/[0-9A-Za-z]{32})", page.text)
    shown = await newcomer.get(link)
    await newcomer.post(link, name="Bob")

    assert "Viewer, 1 site" in page.text
    assert "limited to 1 site" in shown.text
    assert (await newcomer.get(f"/sites/{other}")).status_code == 200
    assert (await newcomer.get("/sites/1")).status_code == 403


async def test_an_admin_is_not_invited_to_some_sites(world):
    browser = await world.browser("owner")

    refused = await browser.post(
        PAGE, page=PAGE, action="invite", address="b@example.com", role="admin", **{"site-1": "on"}
    )

    assert (refused.status_code, "only members and viewers can be limited" in refused.text) == (400, True)


async def test_an_admin_is_not_offered_to_invite_an_owner_and_refused(world):
    browser = await world.browser("admin")

    offered = (await browser.get(PAGE)).text.partition('id="invited-role"')[2].partition("</select>")[0]
    refused = await browser.post(PAGE, page=PAGE, action="invite", address="b@example.com", role="owner")

    assert re.findall(r">(\w+)</option>", offered) == ["Viewer", "Member", "Admin"]
    assert refused.status_code == 403


async def test_the_link_of_a_removed_admin_does_not_let_them_back_in(world):
    link, admin = await invite(world, who="admin"), await world.browser("admin")
    await world.commands.organizations.remove_member("1", "4", CONTEXT)

    assert (await admin.get(link)).status_code == 404


async def verify(world, user_id, address):
    await world.commands.people.change(user_id, name="Bob", address=address, context=CONTEXT)
    await world.commands.people.verify_address(user_id, address, CONTEXT)


async def test_a_link_from_before_a_removal_does_not_bring_the_member_back_and_a_later_one_does(world):
    before, browser = await invite(world), await world.browser("member")
    await world.commands.organizations.remove_member("1", "2", CONTEXT)
    after = await invite(world)

    refused = await browser.post(before, page=before)
    assert refused.status_code == 404
    assert "2" not in await roles(world)
    joined = await browser.post(after, page=after)

    assert joined.status_code == 303
    assert (await roles(world))["2"] == "member"


@pytest.mark.parametrize("change", ["remove", "leave", "demote", "limit"])
async def test_open_links_to_the_verified_address_of_a_member_end_with_the_membership_or_its_role(
    world, change
):
    await verify(world, "2", "bob@example.com")
    link, other = await invite(world, address="BOB@example.com"), await invite(world, address="c@example.com")
    organizations = world.commands.organizations
    changes = {
        "remove": lambda: organizations.remove_member("1", "2", CONTEXT),
        "leave": lambda: organizations.leave("1", "2", CONTEXT),
        "demote": lambda: organizations.change_member("1", "2", CONTEXT, role=Role.VIEWER),
        "limit": lambda: organizations.change_member("1", "2", CONTEXT, limit=SiteLimit((1,))),
    }

    await changes[change]()

    assert (await world.stranger().post(link, name="Bob")).status_code == 404
    assert (await world.stranger().get(other)).status_code == 200
    assert await world.ports.invitation_addresses.of("1") == {2: "c@example.com"}


async def test_a_change_that_changes_nothing_ends_no_link(world):
    await verify(world, "2", "bob@example.com")
    link = await invite(world, address="bob@example.com")

    await world.commands.organizations.change_member("1", "2", CONTEXT, role=Role.MEMBER)

    assert (await world.stranger().get(link)).status_code == 200


@pytest.mark.parametrize("joining", ["a new user", "stranger"])
async def test_one_of_several_links_to_an_address_is_the_only_one_that_works(world, joining):
    first, second = await invite(world), await invite(world, address="Bob@Example.com")
    browser = world.stranger() if joining == "a new user" else await world.browser("stranger")

    fields = {"name": "Bob"} if joining == "a new user" else {"page": first}
    await browser.post(first, **fields)

    assert (await world.stranger().post(second, name="Eve")).status_code == 404
    assert await world.ports.invitation_addresses.of("1") == {}


@pytest.mark.parametrize("end", ["forget", "remove", "leave", "demote"])
async def test_the_addresses_of_invitations_end_with_their_inviter(world, end):
    await invite(world, who="admin", address="bob@example.com")
    await invite(world, who="owner", address="eve@example.com")
    organizations = world.commands.organizations
    ends = {
        "forget": lambda: world.commands.people.forget("4", CONTEXT),
        "remove": lambda: organizations.remove_member("1", "4", CONTEXT),
        "leave": lambda: organizations.leave("1", "4", CONTEXT),
        "demote": lambda: organizations.change_member("1", "4", CONTEXT, role=Role.MEMBER),
    }

    await ends[end]()

    assert await world.ports.invitation_addresses.of("1") == {2: "eve@example.com"}


async def test_housekeeping_erases_addresses_of_invitations_that_are_over(world):
    await invite(world, address="bob@example.com")
    addresses = world.ports.invitation_addresses
    await addresses.save("1", 7, "over@example.com", expires_at=world.clock.now() + timedelta(days=1))
    sign_in = world.ports.sign_in
    housekeeping = Housekeeping(
        world.ports.salts,
        world.ports.sign_in_uses,
        addresses,
        sign_in.tokens,
        sign_in.attempts,
        world.ports.alerts.queue,
        world.directory,
        world.clock,
    )

    await housekeeping.clean()

    assert await addresses.of("1") == {1: "bob@example.com"}


async def test_a_form_of_another_site_does_not_join(world):
    link, browser = await invite(world), await world.browser("stranger")

    signed_in = await browser.send(link, {}, **{"Sec-Fetch-Site": "cross-site"})
    signed_out = await world.stranger().send(link, {"name": "Bob"}, **{"Sec-Fetch-Site": "cross-site"})

    assert (signed_in.status_code, signed_out.status_code) == (403, 403)
    assert set(await roles(world)) == {"1", "2", "4"}


async def test_the_page_of_a_link_is_kept_from_caches_and_search_engines(world):
    page = await world.stranger().get(await invite(world))

    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-robots-tag"] == "noindex"
    assert page.headers["referrer-policy"] in {"no-referrer", "same-origin"}


async def test_a_client_that_presents_many_wrong_links_has_to_wait(world):
    link = await invite(world)

    tried = [(await world.stranger().post(f"/invitations/1/{number}")).status_code for number in range(31)]
    known = await world.stranger().post(link, name="Bob")
    world.clock.advance(timedelta(minutes=10))

    assert tried == [404] * 30 + [429]
    assert (known.status_code, known.headers["retry-after"]) == (429, "600")
    assert (await world.stranger().post(link, name="Bob")).status_code == 303


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}, {}])
async def test_images_of_links_that_are_none_keep_no_one_from_signing_in(world, headers):
    link = await invite(world)

    for number in range(31):
        shown = await world.stranger().get(f"/invitations/1/{number}", headers=headers)
        assert shown.status_code == 404

    assert (await world.stranger().post("/sign-in", key=world.keys["owner"])).status_code == 303
    assert (await world.stranger().post(link, name="Bob")).status_code == 303


async def test_a_form_of_another_site_is_no_attempt(world):
    refused = [
        (await world.stranger().send("/sign-in", {"key": "x"}, **headers)).status_code
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"})
        for _ in range(31)
    ]

    assert set(refused) == {403}
    assert (await world.stranger().post("/sign-in", key=world.keys["owner"])).status_code == 303
