"""The page on the data of visitors: owners download it, and have it erased after a question."""

import re

import pytest

from footfall.domain.examples import a_hit
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import session_text

PAGE = "/sites/1/visitors"


@pytest.fixture
def _visited(world):
    world.log.hits += [
        RecordedHit(1, a_hit(site_id=1, visitor_id=1, user_id=" anna", pathname="/<b>")),
        RecordedHit(2, a_hit(site_id=1, visitor_id=2, user_id="bob")),
    ]


@pytest.mark.usefixtures("_visited")
async def test_the_data_of_a_visitor_is_a_file(world):
    browser = await world.browser("owner")

    answer = await browser.post(f"{PAGE}/data", page=PAGE, user_id=" anna")

    assert answer.headers["content-disposition"] == 'attachment; filename="visitor-of-site-1.json"'
    assert answer.json["meta"]["events"] == 1
    by_visit = await browser.post(f"{PAGE}/data", page=PAGE, visit=session_text(2), user_id="")
    assert by_visit.json["data"]["visits"][0]["user_id"] == "bob"


@pytest.mark.usefixtures("_visited")
async def test_an_erasure_asks_before_and_is_listed(world):
    browser = await world.browser("owner")

    asked = await browser.post(f"{PAGE}/erasure", page=PAGE, user_id=" anna")
    nothing = await browser.get(PAGE)
    confirmed = await browser.confirm(asked, f"{PAGE}/erasure")
    page = await browser.get(confirmed.headers["location"])

    assert "Erase 1 event of this visitor?" in asked.text
    assert "No erasures yet" in nothing.text
    assert confirmed.headers["location"] == f"{PAGE}?asked"
    assert "Erasure started" in page.text
    assert "Looking for events" in page.text
    assert "anna" not in page.text


@pytest.mark.usefixtures("_visited")
async def test_the_question_names_what_can_bring_the_visitor_again(world):
    world.log.archives = {"abc<i>"}

    asked = await (await world.browser("owner")).post(f"{PAGE}/erasure", page=PAGE, user_id=" anna")

    assert "Can bring events of the visitor again: archive of the site abc&lt;i&gt;." in asked.text


@pytest.mark.usefixtures("_visited")
async def test_the_list_names_stale_copies_and_open_sources_of_a_certificate(world):
    browser, erasures = await world.browser("owner"), world.service.visitors
    asked = await browser.post(f"{PAGE}/erasure", page=PAGE, user_id=" anna")
    await browser.confirm(asked, f"{PAGE}/erasure")
    [erasure] = await erasures.erasures(1)
    copy = {"host": "web-1", "directory": "/backup/<i>", "exported_at": "2026-03-01T00:00:00.000Z"}
    certificate = {"proven": True, "staleCopies": [copy], "openSources": ["import 1 from matomo, running"]}
    await erasures._erasures.finish(erasure, certificate, world.clock.now())

    page = (await browser.get(PAGE)).text

    assert re.search("Stale copy: <code>.*/backup/&lt;i&gt;.*</code> on .*web-1", page)
    assert re.search("Can bring events again: .*import 1 from matomo, running", page)


@pytest.mark.usefixtures("_visited")
async def test_an_erasure_is_a_file_of_its_own(world):
    browser = await world.browser("owner")
    asked = await browser.post(f"{PAGE}/erasure", page=PAGE, user_id=" anna")
    await browser.confirm(asked, f"{PAGE}/erasure")
    [erasure] = await world.service.visitors.erasures(1)

    answer = await browser.get(f"{PAGE}/{erasure.erasure}")

    assert answer.json["erasure"] == str(erasure.erasure)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert (await browser.get(f"{PAGE}/none")).status_code == 404


@pytest.mark.usefixtures("_visited")
@pytest.mark.parametrize(
    ("fields", "status", "text"),
    [
        ({"user_id": "carl"}, 404, "No event of this visitor is stored"),
        ({"visit": "x"}, 404, "Session not found"),
        ({}, 400, "either a user id or a visit"),
        ({"user_id": "a", "visit": "b"}, 400, "either a user id or a visit"),
    ],
)
async def test_who_is_not_found_is_said(world, fields, status, text):
    browser = await world.browser("owner")

    answers = [await browser.post(f"{PAGE}/{form}", page=PAGE, **fields) for form in ("data", "erasure")]

    assert {answer.status_code for answer in answers} == {status}
    assert [text in answer.text for answer in answers] == [True, True], answers[0].text


@pytest.mark.usefixtures("_visited")
async def test_a_visit_leads_owners_to_the_data_of_its_visitor(world):
    link = f"{PAGE}?visit={session_text(2)}"

    pages = {
        who: (await (await world.browser(who)).get(f"/sites/1/sessions/{session_text(2)}")).text
        for who in ("owner", "member")
    }

    assert link in pages["owner"]
    assert link not in pages["member"]
    prefilled = await (await world.browser("owner")).get(link)
    assert f'value="{session_text(2)}"' in prefilled.text
    assert PAGE in (await (await world.browser("owner")).get("/sites/1/privacy")).text
