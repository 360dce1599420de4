"""What members see and change of addresses outside, and what the journal keeps of them."""

import logging
import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from footfall.domain.accounts.organization import SiteLimit
from footfall.domain.sites.report_recipients import EndReason
from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY, MONDAY
from tests.web.accounts.mail_reports.outside import (
    CUSTOMER,
    LIST,
    add,
    agreed,
    reports,
)


async def test_owners_see_who_added_an_address_and_its_state_and_remove_it(world, owner):
    await agreed(world, owner)
    await add(owner, address="second@example.org")
    listed = (await owner.get(LIST)).text

    asked = await owner.post(f"{LIST}/removal", page=LIST, site="1", recipient="1")
    before = CUSTOMER in (await owner.get(LIST)).text
    removed = await owner.confirm(asked, f"{LIST}/removal")

    assert re.search(r"customer@example\.org.*Ann.*Agreed on", listed, re.DOTALL)
    assert re.search(r"second@example\.org.*Asked, can agree until 17 Mar 2026", listed, re.DOTALL)
    assert "Remove this address?" in asked.text
    assert before
    assert removed.headers["location"] == f"{LIST}?done=removed"
    assert list(world.ports.outbox.outside.values()) == ["second@example.org"]
    assert await reports(world) == []


async def test_owners_see_that_a_mail_could_not_be_delivered(world, owner):
    await add(owner)
    async with world.ports.outbox.lock() as locked:
        queued = await locked.next_due(world.clock.now())
        await locked.give_up(queued.mail.mail_id, at=world.clock.now(), reason="550 secret")

    listed = (await owner.get(LIST)).text

    assert "The latest mail could not be delivered (14 Mar 2026, 12:00 UTC)" in listed
    assert "550 secret" not in listed


async def test_a_removed_address_has_no_mails_left_in_the_queue(world, owner):
    await agreed(world, owner)
    await reports(world)

    await world.service.report_recipients.remove(1, 1, CONTEXT)

    assert world.ports.outbox.waiting_mails == []


async def test_members_see_the_addresses_and_change_nothing_and_viewers_see_none(world, owner):
    await agreed(world, owner)
    member = await world.browser("member")

    listed = await member.get(LIST)

    assert CUSTOMER in listed.text
    assert "Remove" not in listed.text
    assert "Owners of the organization can add and remove addresses" in listed.text
    token = re.search(r'name="token" value="([^"]+)"', listed.text)[1]
    for path in (LIST, f"{LIST}/removal"):
        answer = await member.send(
            path, {"token": unescape(token), "site": "1", "recipient": "1", "confirmed": "on"}
        )
        assert answer.status_code == 403
    assert world.ports.outbox.outside


async def test_a_member_who_is_limited_to_other_sites_sees_no_address(world, owner):
    await agreed(world, owner)
    other = await world.commands.sites.register(
        "1", name="Other", domain="example.org", created_by="1", context=CONTEXT
    )
    await world.commands.organizations.change_member("1", "2", CONTEXT, limit=SiteLimit((other,)))

    assert CUSTOMER not in (await (await world.browser("member")).get(LIST)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"address": "no address"}, "must be a mail address"),
        ({"address": "a@example.org, b@example.org"}, "must be a mail address"),
        ({"site": "2"}, "must be one of your sites"),
        ({"site": "9" * 30}, "must be one of your sites"),
        ({"interval": "hourly"}, "must be one of daily, weekly, monthly"),
    ],
)
async def test_a_refused_address_names_its_fault_and_keeps_what_was_typed(world, owner, fields, fault):
    refused = await add(owner, **{"address": "typed@example.org", **fields})

    assert refused.status_code == 400
    assert fault in unescape(refused.text).replace("Must", "must")
    assert fields.get("address", "typed@example.org") in unescape(refused.text)
    assert world.ports.outbox.waiting_mails == []


async def test_an_address_is_in_no_log_and_no_representation(world, owner, caplog):
    caplog.set_level(logging.DEBUG)
    await agreed(world, owner)
    await reports(world)
    shown = await world.service.report_recipients.of_sites(world.directory.sites())

    texts = [repr(shown), repr(world.ports.outbox.waiting_mails), repr(world.ports.outbox), caplog.text]

    assert not [text for text in texts if "customer" in text]


async def test_changes_are_in_the_audit_log_without_the_address(world, owner):
    await agreed(world, owner)

    shown = (await owner.get("/sites/1/history")).text

    assert "Address outside added to reports by mail" in shown
    assert "weekly, confirmed" in shown
    assert CUSTOMER not in shown


async def test_the_audit_log_says_that_readers_and_the_service_acted_and_not_an_operator(world, owner):
    await agreed(world, owner)
    await add(owner, address="second@example.org")
    [report] = await reports(world, MONDAY)
    await world.stranger().send(urlsplit(report.unsubscribe_url).path, {})
    world.clock.advance(3 * DAY)
    await world.service.report_recipients.erase_expired()
    await add(owner, address="third@example.org")
    await world.commands.report_recipients.end(1, 3, EndReason.REMOVED, CONTEXT)

    shown = (await owner.get("/sites/1/history")).text
    found = (await owner.get("/sites/1/history?containing=reader+of+the+address")).text

    rows = re.findall(r"<td>([^<]*)</td>\s*<td>(Address outside [^<]*)</td>", shown)
    ended = "Address outside removed from reports by mail"
    assert [row for row in rows if row[0] != "Ann"] == [
        ("Operator", ended),
        ("Service", ended),
        ("Reader of the address", ended),
        ("Reader of the address", "Address outside confirmed"),
    ]
    assert re.search(r"Reason: (<bdi>)?unsubscribed", shown)
    assert found.count("<td>Reader of the address</td>") == 2


class TestWithoutMail:
    @pytest.fixture
    def configured(self):
        return {}

    async def test_the_page_says_so_and_no_address_is_asked(self, world, owner):
        page = (await owner.get(LIST)).text
        token = re.search(r'name="token" value="([^"]+)"', (await owner.get("/account")).text)[1]
        refused = await owner.send(
            LIST, {"token": unescape(token), "address": CUSTOMER, "site": "1", "interval": "daily"}
        )

        assert "This service sends no mail" in page
        assert refused.status_code == 400
        assert world.ports.outbox.outside == {}
