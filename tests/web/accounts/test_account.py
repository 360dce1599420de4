"""The account page: name, address and signed-in browsers."""

import re
from datetime import timedelta

from footfall.application.commands.context import CommandContext

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
# A user agent whose markup must not reach the page as such.
HOSTILE = 'Mozilla/5.0 <script>alert(1)</script>"; Firefox/140.0'


def ending(page):
    """The addresses that the buttons of signed-in browsers send to."""
    return re.findall(r'action="(/account/sign-ins/[0-9a-f]{16}/end)"', page.text)


async def test_name_and_address_are_changed_and_shown(world):
    browser = await world.browser("member")

    saved = await browser.post(
        "/account/profile", page="/account", person_name="Zoe <b>", address="zoe@example.com"
    )
    page = await browser.get(saved.headers["location"])

    assert saved.status_code == 303
    assert "Signed in as <bdi>Zoe &lt;b&gt;</bdi>" in page.text
    assert 'value="zoe@example.com"' in page.text
    assert "This address is not verified" in page.text


async def test_a_refused_form_keeps_what_was_typed_and_names_each_fault(world):
    browser = await world.browser("member")

    page = await browser.post("/account/profile", page="/account", person_name="n" * 101, address="nowhere")

    assert page.status_code == 400
    assert 'value="nowhere"' in page.text
    assert page.text.count('class="field-error"') == 2


async def test_every_signed_in_browser_is_listed_and_this_one_is_marked(world):
    other, browser = await world.browser("member"), await world.browser("member")
    await other.get("/account", headers={"User-Agent": HOSTILE})

    page = await browser.get("/account", headers={"User-Agent": FIREFOX})

    assert len(ending(page)) == 2
    assert page.text.count("(this browser)") == 1
    assert "Firefox on Linux (this browser)" in page.text
    assert "<script>alert" not in page.text


async def test_last_use_of_a_browser_is_not_before_its_sign_in(world):
    world.clock.advance(timedelta(minutes=20))
    browser = await world.browser("member")

    page = await browser.get("/account", headers={"User-Agent": FIREFOX})

    [row] = [row for row in re.findall(r"<tr>(.*?)</tr>", page.text, re.DOTALL) if "(this browser)" in row]
    began, used = re.findall(r'class="number"[^>]*>(.*?)</td>', row)
    assert (began, "12:20" in used) == (used, True)


async def test_a_browser_that_was_signed_out_by_another_is_a_stranger_at_once(world):
    other, browser = await world.browser("member"), await world.browser("member")
    page = await browser.get("/account")
    listed = ending(page)
    own = await other.get("/account")

    # The latest sign-in comes first; both began at the same time here, so the own mark tells them apart.
    rows = re.findall(r"<tr>(.*?)</tr>", page.text, re.DOTALL)
    [theirs] = [ending_of(row) for row in rows if ending_of(row) and "(this browser)" not in row]
    ended = await browser.post(theirs, page="/account")

    assert own.status_code == 200
    assert len(listed) == 2
    assert ended.headers["location"] == "/account?done=ended"
    assert (await other.get("/account")).headers["location"].startswith("/sign-in")
    assert (await browser.get("/account")).status_code == 200


def ending_of(row):
    found = re.search(r'action="(/account/sign-ins/[0-9a-f]{16}/end)"', row)
    return found[1] if found else None


async def test_a_forgotten_user_is_signed_out_everywhere_and_signs_in_no_more(world):
    browser = await world.browser("member")
    await world.commands.people.forget("2", CommandContext())

    refused = await world.stranger().post("/sign-in", key=world.keys["member"])

    assert (await browser.get("/account")).headers["location"].startswith("/sign-in")
    assert refused.status_code == 400


async def test_the_page_takes_no_name_from_another_site(world):
    browser = await world.browser("member")

    answer = await browser.send("/account/profile", {"person_name": "X"}, **{"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 403
    assert (await world.commands.people.of("2")).name is None
