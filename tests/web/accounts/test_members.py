"""The page of an organization: names, roles, sites and leaving."""

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role, SiteLimit

PAGE = "/organizations/1"
CONTEXT = CommandContext()


async def second_site(world):
    site_id = await world.commands.sites.register(
        "1", name="Second <b>", domain="example.org", created_by="1", context=CONTEXT
    )
    await world.directory.catch_up()
    return site_id


async def test_members_are_shown_by_name_and_without_one_by_number(world):
    await world.commands.people.change("1", name="Ann <i>", address="ann@example.com", context=CONTEXT)

    page = (await (await world.browser("member")).get(PAGE)).text

    assert "Ann &lt;i&gt;" in page
    assert "<bdi>User 2</bdi> (you)" in page
    assert "ann@example.com" not in page


async def test_a_member_is_limited_to_some_sites_and_to_all_again(world):
    site_id, browser = await second_site(world), await world.browser("owner")
    member = await world.browser("member")

    limited = await browser.post(PAGE, page=PAGE, action="sites", user="2", **{f"site-{site_id}": "on"})
    hidden, listed = await member.get("/sites/1"), await member.get("/sites")
    await browser.post(PAGE, page=PAGE, action="sites", user="2", all="on", **{"site-1": "on"})

    assert limited.headers["location"] == f"{PAGE}?done=sites"
    assert hidden.status_code == 403
    assert f'href="/sites/{site_id}"' in listed.text
    assert 'href="/sites/1"' not in listed.text
    assert (await member.get("/sites/1")).status_code == 200


async def test_a_member_with_some_sites_reads_no_names_of_other_sites(world):
    site_id = await second_site(world)
    await world.commands.organizations.change_member("1", "2", CONTEXT, limit=SiteLimit((1,)))
    other = await world.commands.people.register(CONTEXT, name="Bea")
    await world.commands.organizations.add_member("1", other, Role.VIEWER, CONTEXT)
    await world.commands.organizations.change_member("1", other, CONTEXT, limit=SiteLimit((site_id,)))

    page = (await (await world.browser("member")).get(PAGE)).text

    assert "Bea" in page
    assert "Second" not in page


async def test_a_viewer_is_offered_nothing_that_changes_a_site(world):
    await world.commands.organizations.change_member("1", "2", CONTEXT, role=Role.VIEWER)
    await world.hit()
    viewer = await world.browser("member")

    site, panel = await viewer.get("/sites/1"), await viewer.get("/sites/1/panels/goals")
    members = await viewer.get(PAGE)

    for part in ("settings", "goals", "install", "history"):
        assert f'href="/sites/1/{part}"' not in site.text
        assert (await viewer.get(f"/sites/1/{part}")).status_code == 403
    assert 'href="/sites/1/ingestion"' in site.text
    assert "Add a goal" not in panel.text
    assert 'name="role"' not in members.text


async def test_a_viewer_does_not_resolve_an_error(world):
    await world.commands.organizations.change_member("1", "2", CONTEXT, role=Role.VIEWER)
    viewer = await world.browser("member")

    refused = await viewer.post("/sites/1/errors/1-0123456789abcdef/resolve", page="/sites")

    assert refused.status_code == 403


async def test_leaving_is_confirmed_and_ends_the_membership(world):
    browser = await world.browser("member")

    asked = await browser.post(f"{PAGE}/departure", page=PAGE)
    left = await browser.confirm(asked, f"{PAGE}/departure")

    assert "Leave Acme?" in asked.text
    assert left.headers["location"] == "/sites?done=left"
    assert "You left the organization" in (await browser.get("/sites?done=left")).text
    assert (await browser.get(PAGE)).status_code == 403


async def test_the_only_owner_is_told_why_leaving_is_refused(world):
    browser = await world.browser("owner")

    asked = await browser.post(f"{PAGE}/departure", page=PAGE)
    refused = await browser.confirm(asked, f"{PAGE}/departure")

    assert (refused.status_code, "at least one owner" in refused.text) == (409, True)


async def test_a_stranger_cannot_leave(world):
    answer = await (await world.browser("stranger")).post(f"{PAGE}/departure", page="/sites", confirmed="on")

    assert answer.status_code == 403
    assert set(world.directory.organization("1").organization.roles) == {"1", "2", "4"}
