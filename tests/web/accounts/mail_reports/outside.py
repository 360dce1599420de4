"""What tests of reports to addresses outside share: adding an address, and what its reader gets and answers."""

import re

from footfall.domain.mail.mail import MailKind
from tests.web.accounts.mail_reports.conftest import MONDAY, posted

LIST = "/organizations/1/mail-recipients"
CUSTOMER = "customer@example.org"
ONE_CLICK = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}


async def add(browser, address=CUSTOMER, site="1", interval="weekly"):
    return await browser.post(LIST, page=LIST, address=address, site=site, interval=interval)


def questions(world):
    return [mail for mail in world.ports.outbox.waiting_mails if mail.kind is MailKind.REPORT_QUESTION]


def link_of(mail):
    [link] = re.findall(r"https://stats\.example\.com(/reports/confirmation/\S+)", mail.content.text)
    return link


async def agreed(world, browser, **known):
    """Add an address whose reader agrees, and return the link of the question."""
    await add(browser, **known)
    link = link_of(questions(world)[-1])
    answer = await world.stranger().send(link, {})
    assert answer.status_code == 303
    return link


async def reports(world, at=MONDAY):
    return [mail for mail in await posted(world, at) if mail.kind is MailKind.OUTSIDE_REPORT]
