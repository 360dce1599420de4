"""Signing in with a link by mail, and confirming an address."""

import re
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.mail.server import parse_smtp_url

ANN = "ann@example.com"
CONTEXT = CommandContext()


@pytest.fixture
def configured():
    return {"smtp_url": parse_smtp_url("smtp://localhost")}


@pytest.fixture
async def entered(world):
    """User 2, who has entered an address and not confirmed it."""
    await world.commands.people.change("2", name="Ann", address=ANN, context=CONTEXT)
    return "2"


@pytest.fixture
async def ann(world, entered):
    """User 2, who has verified the address."""
    await world.commands.people.verify_address(entered, ANN, CONTEXT)
    return entered


def paths_of(world):
    """The paths of the links in all waiting mails, the oldest first."""
    mails = world.ports.outbox.waiting_mails
    return [re.search(r"http://localhost:8000(\S+)", mail.content.text)[1] for mail in mails]


async def ask(world, address=ANN, **arguments):
    return await world.stranger().post("/sign-in/mail", address=address, **arguments)


@pytest.mark.usefixtures("ann")
async def test_a_link_signs_in_once(world):
    await ask(world)
    [path] = paths_of(world)
    first, second = world.stranger(), world.stranger()

    results = [await browser.post(path) for browser in (first, second)]

    assert [result.status_code for result in results] == [303, 400]
    assert "(user ID 2)" in (await first.get("/account")).text
    assert "used before or is too old" in results[1].text


@pytest.mark.usefixtures("entered")
async def test_an_address_that_is_only_entered_gets_no_link(world):
    result = await ask(world)

    assert result.status_code == 303
    assert paths_of(world) == []


@pytest.mark.usefixtures("ann")
async def test_looking_at_a_link_does_not_use_it_up(world):
    await ask(world)
    [path] = paths_of(world)

    await world.stranger().get(path)

    assert (await world.stranger().post(path)).status_code == 303


@pytest.mark.usefixtures("ann")
async def test_a_link_ends_after_15_minutes(world):
    await ask(world)
    world.clock.advance(timedelta(minutes=15))

    assert (await world.stranger().post(paths_of(world)[0])).status_code == 400


@pytest.mark.usefixtures("ann")
async def test_the_answer_and_the_work_are_the_same_for_every_address(world):
    known = await ask(world)
    unknown = await ask(world, "eve@example.com")

    assert known.status_code == unknown.status_code == 303
    assert known.headers["location"] == unknown.headers["location"] == "/sign-in?next=%2Fsites&done=mail"
    shown = await world.stranger().get(known.headers["location"])
    assert "If this address belongs to an account" in shown.text
    assert len(world.ports.sign_in.tokens.tokens) == len(world.ports.outbox.entries) == 2
    assert [mail.recipient for mail in world.ports.outbox.waiting_mails] == [ANN]


async def test_a_text_that_is_no_address_is_refused_and_nothing_is_queued(world):
    result = await ask(world, "ann@example.com\r\nBcc: eve@example.com")

    assert result.status_code == 400
    assert "must be a mail address" in result.text.lower() or "Must be a mail address" in result.text
    assert world.ports.outbox.entries == {}


@pytest.mark.usefixtures("ann")
async def test_an_address_gets_five_links_an_hour_whether_or_not_it_has_an_account(world):
    for address in (ANN, "eve@example.com"):
        results = [await ask(world, address) for _ in range(6)]

        assert [result.status_code for result in results] == [303] * 5 + [429]
        assert int(results[5].headers["retry-after"]) <= 3600
    world.clock.advance(timedelta(hours=1))
    assert (await ask(world)).status_code == 303


async def test_a_client_asks_for_twenty_links_an_hour(world):
    results = [await ask(world, f"a{number}@example.com") for number in range(21)]

    assert [result.status_code for result in results] == [303] * 20 + [429]


async def test_a_client_that_was_refused_thirty_times_waits(world):
    results = [await world.stranger().post("/sign-in/mail/wrong") for _ in range(31)]

    assert [result.status_code for result in results] == [400] * 30 + [429]
    assert (await world.stranger().post("/sign-in", key=world.keys["owner"])).status_code == 429
    world.clock.advance(timedelta(minutes=10))
    assert (await world.stranger().post("/sign-in", key=world.keys["owner"])).status_code == 303


async def test_an_address_that_changed_meanwhile_signs_no_one_in(world, ann):
    await ask(world)
    await world.commands.people.change(ann, name="Ann", address="other@example.com", context=CONTEXT)

    assert (await world.stranger().post(paths_of(world)[0])).status_code == 400
    assert (await world.commands.people.of(ann)).verified_address is None


async def test_an_address_that_two_users_entered_belongs_to_the_one_who_verified_it(world, ann):
    await world.commands.people.change("3", name="Eve", address=ANN, context=CONTEXT)

    await ask(world)

    browser = world.stranger()
    await browser.post(paths_of(world)[0])
    assert f"(user ID {ann})" in (await browser.get("/account")).text


@pytest.mark.usefixtures("ann")
async def test_signing_out_everywhere_voids_links(world):
    await ask(world)
    browser = await world.browser("member")
    asked = await browser.post("/sign-out", page="/account", everywhere="on")
    await browser.confirm(asked, "/sign-out")

    assert (await world.stranger().post(paths_of(world)[0])).status_code == 400


async def test_a_forgotten_person_gets_no_link_and_no_mail_waits_for_them(world, ann):
    await ask(world)
    await world.commands.people.forget(ann, CONTEXT)

    assert world.ports.outbox.waiting_mails == []
    await ask(world)
    assert world.ports.outbox.waiting_mails == []


@pytest.mark.usefixtures("entered")
async def test_the_account_page_sends_a_link_that_confirms_the_address(world):
    browser = await world.browser("member")
    result = await browser.post("/account/address", page="/account")
    [path] = paths_of(world)

    assert result.headers["location"] == "/account?done=verification-sent"
    assert "Confirm the address" in (await browser.get(path)).text
    confirmed = await browser.post(path, page=path)
    assert "Address confirmed" in (await browser.get(confirmed.headers["location"])).text
    assert "This address is verified" in (await browser.get("/account")).text
    assert (await browser.post(path, page=path)).status_code == 400


async def test_a_link_confirms_an_address_only_for_the_user_who_asked_for_it(world, entered):
    await (await world.browser("member")).post("/account/address", page="/account")
    [path] = paths_of(world)
    owner = await world.browser("owner")

    assert (await owner.post(path, page=path)).status_code == 400
    assert (await world.stranger().get(path)).headers["location"].startswith("/sign-in")
    assert (await world.commands.people.of(entered)).verified_address is None


@pytest.mark.usefixtures("entered")
async def test_a_confirmation_signs_no_one_in(world):
    await (await world.browser("member")).post("/account/address", page="/account")
    [path] = paths_of(world)

    assert (
        await world.stranger().post(path.replace("/account/address/", "/sign-in/mail/"))
    ).status_code == 400


@pytest.mark.usefixtures("entered")
async def test_an_address_that_another_user_verified_meanwhile_is_refused(world):
    browser = await world.browser("member")
    await browser.post("/account/address", page="/account")
    await world.commands.people.change("3", name="Eve", address=ANN, context=CONTEXT)
    await world.commands.people.verify_address("3", ANN, CONTEXT)
    [path] = paths_of(world)

    assert (await browser.post(path, page=path)).status_code == 409


async def test_a_link_leads_to_the_page_that_offers_all_ways(world):
    shown = (await world.stranger().get("/sign-in")).text

    assert "Send me a sign-in link" in shown
    assert "footfall user sign-in" in shown


class TestWithoutMail:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_offers_no_link_by_mail(self, world):
        assert "Send me a sign-in link" not in (await world.stranger().get("/sign-in")).text

    async def test_asking_for_one_all_the_same_is_answered_with_a_page(self, world):
        result = await ask(world)

        assert result.status_code == 404
        assert "sends no mail" in result.text
