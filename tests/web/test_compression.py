"""Pages are compressed for browsers, except where the length of the answer could tell another site something."""

import gzip

import pytest

from tests.web.conftest import PART

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("origin", ["same-origin", "none"])
async def test_pages_and_panels_are_compressed_for_browsers(world, origin):
    for number in range(20):
        await world.hit(pathname=f"/page/{number}", visitor_id=number)
    browser = await world.browser("member")
    headers = {"Sec-Fetch-Site": origin, **GZIP}

    page = await browser.get("/sites/1?time_zone=UTC", headers=headers)
    panel = await browser.get("/sites/1/panels/pages", headers={**headers, **PART})

    for answer in (page, panel):
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) == len(answer.content)
    assert b"<!doctype html>" in gzip.decompress(page.content)
    assert b"/page/1" in gzip.decompress(panel.content)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", **GZIP},
        {"Sec-Fetch-Site": "same-site", **GZIP},
        GZIP,
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin", "Accept-Encoding": "gzip;q=0, br"},
    ],
)
async def test_other_answers_are_not_compressed(world, headers):
    page = await (await world.browser("member")).get("/sites/1", headers=headers)

    assert "content-encoding" not in page.headers
    assert "<!doctype html>" in page.text


async def test_redirects_and_short_answers_are_not_compressed(world):
    headers = {"Sec-Fetch-Site": "same-origin", **GZIP}

    redirected = await world.stranger().get("/sites", headers=headers)
    short = await (await world.browser("member")).get("/sites/1/online", headers=headers)

    assert (redirected.status_code, "content-encoding" in redirected.headers) == (303, False)
    assert (short.json, "content-encoding" in short.headers) == ({"visitors": 0}, False)
