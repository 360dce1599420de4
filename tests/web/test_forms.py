"""The addresses of forms: each can be opened again after a form was sent to it, and none holds a token."""

import re
from urllib.parse import parse_qs, urlsplit

from footfall.adapters.web.rendering import TEMPLATES
from footfall.adapters.web.session.shown_once import COOKIE
from footfall.application.commands.context import CommandContext
from footfall.domain.funnels.funnel import funnel_plan
from footfall.domain.goals.goal import path_rule
from tests.routes import page_routes
from tests.web.test_access import filled


async def test_each_address_that_takes_forms_can_be_opened_as_a_page(world):
    browser = await world.browser("owner")
    paths = [path for path, method, _ in page_routes(world.app) if method == "POST"]

    opened = {}
    for path in paths:
        answer = await browser.get(filled(path))
        while "location" in answer.headers:
            answer = await browser.get(answer.headers["location"])
        opened[path] = (answer.status_code, answer.headers["content-type"].partition(";")[0])

    assert len(opened) > 30
    assert {
        path: one for path, one in opened.items() if one[1] != "text/html" or one[0] not in {200, 404}
    } == {}


async def test_page_of_a_form_keeps_the_view_of_its_address(world):
    browser = await world.browser("owner")

    answer = await browser.get("/sites/1/errors/0a/resolve?period=7d&filter=country,equals,DE")

    assert answer.headers["location"] == "/sites/1/errors/0a?period=7d&filter=country,equals,DE"


async def test_parts_of_an_address_stay_parts_of_its_path(world):
    answer = await (await world.browser("owner")).get("/organizations/a%3Fb%0d%0ac/departure")

    assert answer.headers["location"] == "/organizations/a%3Fb%0D%0Ac"


async def test_preview_of_a_report_by_mail_has_what_the_form_says_in_its_address_and_no_token(world):
    browser = await world.browser("owner")
    fields = {"site": "1", "interval": "weekly", "time_zone": "Asia/Tokyo", "action": "preview"}

    answer = await browser.post("/account/mail-reports", page="/account/mail-reports", **fields)
    shown = await browser.get(answer.headers["location"])

    address = urlsplit(answer.headers["location"])
    assert (address.path, parse_qs(address.query)) == (
        "/account/mail-reports/preview",
        {"site": ["1"], "interval": ["weekly"], "time_zone": ["Asia/Tokyo"]},
    )
    assert shown.status_code == 200
    await world.directory.catch_up()
    assert world.directory.state.users["1"].reports == {}


async def test_a_what_if_has_what_the_form_says_in_its_address_and_no_token(world):
    plan = funnel_plan("Buy", [path_rule("/pricing"), path_rule("/thanks")])
    await world.commands.funnels.define(1, plan, CommandContext())
    browser, page = await world.browser("member"), "/sites/1/funnels/1"
    fields = {"name": "Buy & go", "step1": "path", "value1": "/a?b=ü", "step2": "path", "value2": "/thanks"}

    answer = await browser.post(page, page=page, action="what-if", **fields)
    address = urlsplit(answer.headers["location"])
    shown = await browser.get(f"{address.path}?{address.query}")

    assert (answer.status_code, address.path, address.fragment) == (303, page, "what-if")
    assert {name: value for name, [value] in parse_qs(address.query).items()} == {
        "action": "what-if",
        **fields,
    }
    assert 'id="what-if"' in shown.text
    assert 'value="/a?b=ü"' in shown.text
    await world.directory.catch_up()
    assert world.directory.funnel(1).funnel.plan == plan


async def test_a_form_that_is_too_long_for_an_address_is_answered_in_place(world):
    browser, page = await world.browser("member"), "/sites/1/funnels"
    steps = {f"step{number}": "event" for number in range(1, 9)}
    values = {f"value{number}": "e" * 900 for number in range(1, 9)}

    answer = await browser.post(page, page=page, action="preview", name="Long", **steps, **values)

    assert answer.status_code == 400
    assert "e" * 900 in answer.text


async def test_preview_of_an_invalid_report_by_mail_is_explained_beside_the_field(world):
    browser = await world.browser("owner")
    fields = {"site": "77", "interval": "weekly", "action": "preview"}

    answer = await browser.post("/account/mail-reports", page="/account/mail-reports", **fields)

    assert (answer.status_code, "must be one of your sites" in answer.text.lower()) == (400, True)


def test_forms_with_a_token_are_posted():
    for template in TEMPLATES.iterdir():
        text = template.read_text()
        assert "formmethod" not in text, template.name
        for form in re.findall(r"<form.*?</form>", text, re.DOTALL):
            assert "token" not in form or 'method="post"' in form, template.name


async def test_loading_the_page_of_a_new_key_again_makes_no_other_one_and_shows_it_no_more(world):
    browser = await world.browser("owner")

    shown = await browser.submit("/account", page="/account", name="Deploys")
    again = await browser.get("/account")

    assert "Copy it now" in shown.text
    assert "Copy it now" not in again.text
    assert COOKIE not in browser.cookies
    assert [record.key.name for record in world.directory.keys_of("1")].count("Deploys") == 1


async def test_new_key_is_sealed_and_shown_only_by_the_sign_in_that_made_it(world):
    browser, other = await world.browser("owner"), await world.browser("owner")
    answer = await browser.post("/account", page="/account", name="Deploys")
    carried = browser.cookies[COOKIE]
    attributes = answer.cookies[COOKIE]

    other.cookies[COOKIE] = carried
    elsewhere = (await other.get("/account")).text
    other.cookies[COOKIE] = carried
    members = (await other.get("/organizations/1")).text
    other.cookies[COOKIE] = "forged"
    forged = (await other.get("/account")).text

    assert "ff_" not in carried
    assert (attributes.http_only, attributes.path, attributes.max_age) == (True, "/account", 60)
    assert not any("not shown again" in page for page in (elsewhere, members, forged))
    assert "not shown again" in (await browser.get("/account")).text
