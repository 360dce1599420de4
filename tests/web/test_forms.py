"""The addresses of forms: each can be opened again after a form was sent to it, and none holds a token."""

import re
from hashlib import sha256
from html import escape, unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from footfall.adapters.web.rendering import TEMPLATES
from footfall.adapters.web.session.forms import refusal_page
from footfall.adapters.web.session.refused_forms import COOKIE as REFUSED
from footfall.adapters.web.session.refused_forms import PARAMETER
from footfall.adapters.web.session.shown_once import COOKIE
from footfall.application.commands.context import CommandContext
from footfall.domain.exceptions import Invalid
from footfall.domain.funnels.funnel import funnel_plan
from footfall.domain.goals.goal import path_rule
from footfall.domain.mail.server import parse_smtp_url
from tests.routes import page_routes
from tests.web.test_access import filled, token_of

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


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


PAGES_OF_FORMS = {
    "/sites": (
        "/sites",
        {"organization": "1", "name": "Typed & more", "domain": "no domain"},
        "Typed & more",
    ),
    "/account": ("/account", {"name": "Typed", "expires_in_days": "x"}, "Typed"),
    "/account/profile": ("/account", {"person_name": "Typed", "address": "no address"}, "no address"),
    "/account/mail-reports": (
        "/account/mail-reports",
        {"site": "1", "interval": "weekly", "time_zone": "Mars"},
        "Mars",
    ),
    "/organizations/1": (
        "/organizations/1",
        {"action": "invite", "address": "typed", "role": "viewer"},
        "typed",
    ),
    "/organizations/1/mail-recipients": (
        "/organizations/1/mail-recipients",
        {"address": "typed", "site": "1", "interval": "daily"},
        "typed",
    ),
    "/sites/1/settings/details": ("/sites/1/settings", {"name": "Typed", "domain": "no domain"}, "Typed"),
    "/sites/1/annotations": ("/sites/1/annotations", {"at": "then", "text": "Typed"}, "Typed"),
    "/sites/1/goals": ("/sites/1/goals", {"goalType": "event", "eventName": "", "name": "Typed"}, "Typed"),
    "/sites/1/goals/1": (
        "/sites/1/goals/1",
        {"goalType": "event", "eventName": "", "name": "Typed"},
        "Typed",
    ),
    "/sites/1/funnels": ("/sites/1/funnels", {"name": "", "step1": "path", "value1": "/typed"}, "/typed"),
    "/sites/1/funnels/1": ("/sites/1/funnels/1", {"name": "", "step1": "path", "value1": "/typed"}, "/typed"),
}


class TestWithMail:
    @pytest.fixture
    def configured(self):
        return {"smtp_url": parse_smtp_url("smtp://localhost"), "public_url": "https://stats.example.com"}

    @pytest.mark.parametrize("path", PAGES_OF_FORMS)
    async def test_a_refused_form_is_shown_again_at_an_address_that_can_be_opened_again(self, world, path):
        page, fields, typed = PAGES_OF_FORMS[path]
        browser = await with_definitions(world)
        token = unescape(re.search(r'name="token" value="([^"]+)"', (await browser.get(page)).text)[1])

        answer = await browser._send("POST", path, body=urlencode({"token": token, **fields}), headers=FORM)
        shown = [await browser.get(answer.headers["location"]) for _ in "12"]
        plain = await browser.get(page)

        address = urlsplit(answer.headers["location"])
        assert (answer.status_code, address.path, list(parse_qs(address.query))) == (303, page, [PARAMETER])
        assert [one.status_code for one in shown] == [400, 400]
        assert f'value="{escape(typed)}"' in shown[1].text
        assert 'aria-invalid="true"' in shown[1].text or "field-error" in shown[1].text
        assert f'value="{escape(typed)}"' not in plain.text
        assert plain.status_code == 200
        assert token not in browser.cookies[REFUSED]


async def with_definitions(world):
    """Return the browser of an owner of a site with a goal and a funnel."""
    plan = funnel_plan("Buy", [path_rule("/pricing"), path_rule("/thanks")])
    await world.commands.goals.define(1, name="g", rule=path_rule("/pricing"), context=CommandContext())
    await world.commands.funnels.define(1, plan, CommandContext())
    return await world.browser("owner")


async def test_a_refused_form_is_shown_only_by_the_sign_in_that_sent_it_at_its_page_for_ten_minutes(world):
    browser, other = await world.browser("owner"), await world.browser("owner")
    sent = await browser.send(
        "/account", {"token": await token_of(browser), "name": "Typed", "expires_in_days": "x"}
    )
    carried = browser.cookies[REFUSED]
    name = sha256(carried.encode()).hexdigest()[:12]

    other.cookies[REFUSED] = carried
    elsewhere = await other.get(f"/account?{PARAMETER}={name}")
    browser.cookies[REFUSED] = carried
    wrong_page = await browser.get(f"/sites?{PARAMETER}={name}")
    wrong_name = await browser.get(f"/account?{PARAMETER}={name[::-1]}")
    browser.cookies[REFUSED] = "forged"
    forged = await browser.get(f"/account?{PARAMETER}={sha256(b'forged').hexdigest()[:12]}")

    assert sent.status_code == 400
    assert "Typed" not in carried
    for one in (elsewhere, wrong_page, wrong_name, forged):
        assert (one.status_code, 'value="Typed"' in one.text) == (200, False)


async def test_a_form_that_is_refused_twice_keeps_the_rest_of_its_address_and_tells_of_nothing_earlier(world):
    browser = await world.browser("owner")
    fields = {"token": await token_of(browser), "action": "rename", "name": ""}
    page = "/organizations/1?search=ann&done=rename"

    answers = []
    for _ in "12":
        answers.append(await browser._send("POST", page, body=urlencode(fields), headers=FORM))
        page = answers[-1].headers["location"]
    shown = await browser.get(page)

    assert [list(parse_qs(urlsplit(one.headers["location"]).query)) for one in answers] == [
        ["search", PARAMETER]
    ] * 2
    assert shown.status_code == 400
    assert "Saved" not in shown.text


async def test_a_refused_form_that_is_too_long_for_a_cookie_is_shown_in_place(world):
    browser = await world.browser("owner")

    answer = await browser.post(
        "/sites/1/annotations", page="/sites/1/annotations", at="then", text="t" * 3_000
    )

    assert answer.status_code == 400
    assert "t" * 3_000 in answer.text
    assert REFUSED not in browser.cookies


def test_what_no_field_holds_is_said_above_the_form():
    refusal = Invalid({"name": ["is required"]}, form_errors=["The journal cannot hold this"])

    page = refusal_page(refusal, "goal")

    assert page["field_errors"] == {"goal": ["The journal cannot hold this"], "name": ["is required"]}
