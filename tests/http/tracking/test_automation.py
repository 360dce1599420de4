"""What is noticed about the browser of an event: signs, which are stored and refuse nothing."""

import pytest

from tests.http.conftest import BROWSER

SCREEN = {"screenWidth": 1920, "screenHeight": 1080}
A_PERSON = {"language": "de", **SCREEN}
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36"
PICTURE = "/api/pixel.gif?site_id=1"


async def signs(world, headers=None, **event):
    response = await world.track(headers=headers, **event)

    assert (response.status_code, response.json) == (200, {"success": True})
    return (await world.hits())[-1].automation


@pytest.mark.parametrize(
    ("headers", "event", "expected"),
    [
        ({}, A_PERSON, "none"),
        ({}, {**A_PERSON, "webdriver": False}, "none"),
        ({}, {**A_PERSON, "webdriver": ""}, "none"),
        ({}, {**A_PERSON, "webdriver": 1}, "none"),
        ({}, {**A_PERSON, "webdriver": "true"}, "none"),
        ({}, {**A_PERSON, "webdriver": {"a": [1]}}, "none"),
        ({"Accept-Language": "de"}, SCREEN, "none"),
        ({}, {**A_PERSON, "webdriver": True}, "webdriver"),
        ({}, SCREEN, "no_language"),
        ({"Accept-Language": ""}, {**SCREEN, "language": ""}, "no_language"),
        ({}, {"language": "de"}, "no_screen"),
        ({}, {**A_PERSON, "screenHeight": 0}, "no_screen"),
        ({"User-Agent": CHROME, "Sec-CH-UA": '"Chromium";v="149"'}, A_PERSON, "headless_hints"),
        ({"User-Agent": CHROME, "Sec-CH-UA-Mobile": "?1"}, A_PERSON, "headless_hints"),
        ({"User-Agent": CHROME, "Sec-CH-UA-Platform": '"Linux"'}, A_PERSON, "headless_hints"),
        (
            {"User-Agent": CHROME, "Sec-CH-UA-Platform": '"Linux"'},
            {"webdriver": True},
            "headless_hints,no_language,no_screen,webdriver",
        ),
    ],
)
async def test_signs_are_stored_of_an_event_without_a_key(world, headers, event, expected):
    assert await signs(world, headers, **event) == expected


async def test_hints_are_compared_with_the_user_agent_of_their_request(world):
    headers = {"User-Agent": CHROME, "Sec-CH-UA": '"Chromium";v="150"'}

    assert await signs(world, headers, user_agent=BROWSER, **A_PERSON) == "none"


async def test_the_verdict_of_a_sender_is_ignored(world):
    assert await signs(world, automation="none", language="de") == "no_screen"


@pytest.mark.parametrize(("event", "expected"), [({}, None), ({"webdriver": True}, "webdriver")])
async def test_an_event_with_a_key_has_the_sign_that_it_names_and_no_other(world, event, expected):
    await world.track(key="member", **event)

    [hit] = await world.hits()
    assert hit.automation == expected


async def test_a_picture_names_no_screen(world):
    headers = {"Referer": "https://example.com/", "Accept-Language": "de"}
    response = await world.request("GET", PICTURE, headers=headers)

    assert response.status_code == 200
    [hit] = await world.hits()
    assert hit.automation == "no_screen"
