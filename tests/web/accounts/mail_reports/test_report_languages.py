"""The language of reports by mail."""

import re

from tests.web.accounts.mail_reports.conftest import CONTEXT, DAY, MONDAY, posted, subscribe, visits


async def test_a_report_has_the_language_of_its_reader_before_that_of_the_organization(world, ann):
    await ann.submit("/organizations/1", page="/organizations/1", action="language", language="de")
    await visits(world, 1_200, pathname="/prices")
    await subscribe(ann)

    [of_organization] = await posted(world)
    await ann.submit("/account/language", page="/account", language="en")
    [_, of_user] = await posted(world, MONDAY + 7 * DAY)

    assert (
        of_organization.content.subject == "Example: 1.200 Besucher in der Woche 9.\N{EN DASH}15. März 2026"
    )
    assert re.search(r"1\.200\s+/prices", of_organization.content.text)
    assert " in the week " in of_user.content.subject


async def test_mails_about_a_site_are_all_in_the_language_of_its_organization(world, ann):
    other = await world.commands.organizations.register(name="Else", owner="1", context=CONTEXT)
    site = await world.commands.sites.register(
        other, name="Second", domain="second.example", created_by="1", context=CONTEXT
    )
    await world.commands.organizations.choose_language("1", "en", CONTEXT)
    await world.commands.organizations.choose_language(other, "de", CONTEXT)
    await visits(world, 3, site_id=site, pathname="/prices")
    await subscribe(ann, site=str(site))
    targets = {"page": f"/sites/{site}/alerts", "kind": "mail", "targetName": "Me"}
    await ann.submit(f"/sites/{site}/alert-targets", **targets)
    await ann.post(f"/sites/{site}/alert-targets", page=f"/sites/{site}/alerts", action="test", target="1")

    alert, report = sorted(await posted(world), key=lambda mail: mail.kind)

    assert "Dieser Empfänger wird über Warnungen benachrichtigt." in alert.content.text
    assert report.content.subject.startswith("Second: 3 Besucher in der Woche")
    assert ['<html lang="de">' in mail.content.html for mail in (alert, report)] == [True, True]


async def test_channels_and_empty_sections_of_a_report_are_in_its_language(world, ann):
    await ann.submit("/account/language", page="/account", language="de")
    await visits(world, 3, pathname="/prices", channel="Organic Search")
    await subscribe(ann)
    await subscribe(ann, site="all")

    texts = [mail.content.text for mail in await posted(world)]

    assert len(texts) == 2
    for text in texts:
        assert re.search(r"3\s+Organische Suche", text)
        assert "  None" not in text
