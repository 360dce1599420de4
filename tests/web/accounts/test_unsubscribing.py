"""Unsubscribing from mails with the link that they bring, and mails that were not delivered."""

import re
from datetime import timedelta
from html import unescape

import pytest

from footfall.adapters.languages.spoken import CatalogueLanguages
from footfall.adapters.mail.rendering import TemplateRenderer
from footfall.adapters.system import SystemRandomness
from footfall.application.access.language_choice import LanguageChoice
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.notifications.unsubscribing import Unsubscribing
from footfall.domain.mail.mail import MailKind
from tests.application import SECRET

ANN = "ann@example.com"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def mailer(world):
    """The mailer of the dashboard, as if a mail server were configured."""
    unsubscribing = Unsubscribing(world.ports.unsubscriptions, world.clock, SECRET, "http://localhost:8000")
    return Mailer(
        enabled=True,
        outbox=world.ports.outbox,
        renderer=TemplateRenderer(),
        unsubscribing=unsubscribing,
        languages=LanguageChoice(CatalogueLanguages({}), world.directory),
        randomness=SystemRandomness(),
        clock=world.clock,
    )


def an_invitation(world, address=ANN):
    return Letter(
        kind=MailKind.INVITATION,
        recipient=address,
        values={
            "invited_by": "Bob",
            "organization": "Acme",
            "role": "member",
            "link": "http://localhost:8000/x",
        },
        user_id="1",
        useless_after=world.clock.now() + timedelta(days=7),
        organization_id="1",
    )


def path_of(mail):
    return mail.unsubscribe_url.removeprefix("http://localhost:8000")


async def test_one_click_without_a_sign_in_ends_mails_of_this_kind_to_this_address(world, mailer):
    assert await mailer.post(an_invitation(world))
    [mail] = world.ports.outbox.waiting_mails

    result = await world.client.simulate_request(
        "POST", path_of(mail), body="List-Unsubscribe=One-Click", headers=ONE_CLICK
    )

    assert result.status_code == 200
    assert not await mailer.post(an_invitation(world, "ANN@example.com"))
    assert await mailer.post(an_invitation(world, "bob@example.com"))


async def test_the_button_of_the_page_leads_to_an_address_that_can_be_opened_again(world, mailer):
    await mailer.post(an_invitation(world))
    browser, path = world.stranger(), path_of(world.ports.outbox.waiting_mails[0])
    [action] = re.findall(r'<form method="post" action="([^"]+)"', (await browser.get(path)).text)

    answer = await browser.send(unescape(action), {})
    shown = await browser.get(answer.headers["location"])

    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert "You are unsubscribed" in shown.text


async def test_security_mails_arrive_all_the_same(world, mailer):
    link = mailer.unsubscribing.link(ANN, MailKind.SIGN_IN_LINK).removeprefix("http://localhost:8000")
    await world.stranger().send(link, {})

    expires_at = world.clock.now() + timedelta(minutes=15)
    letter = Letter.of_member(
        kind=MailKind.SIGN_IN_LINK, recipient=ANN, values={"link": "x"}, user_id="1", useless_after=expires_at
    )
    assert await mailer.post(letter)


async def test_looking_at_the_link_changes_nothing(world, mailer):
    await mailer.post(an_invitation(world))
    [mail] = world.ports.outbox.waiting_mails

    shown = await world.stranger().get(path_of(mail))

    assert "Unsubscribe from these mails?" in shown.text
    assert "invitation" in shown.text
    assert await mailer.post(an_invitation(world))


@pytest.mark.parametrize("part", [2, 3, 4])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_changed_link_does_not_work(world, mailer, part, method):
    await mailer.post(an_invitation(world))
    parts = path_of(world.ports.outbox.waiting_mails[0]).split("/")
    parts[part] = {2: "test", 3: parts[3][:-2] + "zz", 4: parts[4][::-1]}[part]

    result = await world.client.simulate_request(method, "/".join(parts), headers=ONE_CLICK)

    assert result.status_code == 404
    assert "This link does not work" in result.text


async def test_the_link_does_not_show_the_address(world, mailer):
    await mailer.post(an_invitation(world))

    assert "ann" not in world.ports.outbox.waiting_mails[0].unsubscribe_url


async def test_without_a_mail_server_nothing_is_queued(world):
    assert not world.service.mailer.enabled
    assert not await world.service.mailer.post(an_invitation(world))
    assert world.ports.outbox.waiting_mails == []


async def test_a_user_sees_which_of_their_mails_were_given_up(world, mailer):
    await mailer.post(an_invitation(world))
    async with world.ports.outbox.lock() as locked:
        queued = await locked.next_due(world.clock.now())
        await locked.give_up(queued.mail.mail_id, at=world.clock.now(), reason="550 secret")

    owner = await (await world.browser("owner")).get("/account")
    member = await (await world.browser("member")).get("/account")

    assert "Invitation to ann@example.com" in owner.text
    assert "550 secret" not in owner.text
    assert "ann@example.com" not in member.text
