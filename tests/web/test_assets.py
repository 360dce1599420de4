"""Static files: their addresses, caching and compression."""

import pytest

from footfall.adapters.web.compression import accepts_gzip


async def test_assets_are_cached_for_a_year_and_compressed(world):
    browser = world.stranger()
    address = (await browser.get("/sign-in")).text.split('rel="stylesheet" href="')[1].split('"')[0]

    plain = await browser.get(address)
    compressed = await browser.get(address, headers={"Accept-Encoding": "gzip"})

    assert "immutable" in plain.headers["cache-control"]
    assert len(compressed.content) < len(plain.content) / 2


async def test_asset_with_another_digest_is_not_cached(world):
    result = await world.stranger().get("/assets/0123456789ab/footfall.css")

    assert result.headers["cache-control"] == "no-cache"


async def test_unknown_assets_are_not_found(world):
    for name in ("nothing.css", "..%2Fapp.py", "%2e%2e"):
        assert (await world.stranger().get(f"/assets/0/{name}")).status_code == 404


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("br, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("gzip;q=0.001", True),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("identity", False),
        ("x-gzip-variant", False),
    ],
)
def test_gzip_is_sent_only_where_the_header_accepts_it(header, accepted):
    assert accepts_gzip(header) is accepted


async def test_asset_is_sent_plain_when_gzip_has_a_weight_of_zero(world):
    address = "/assets/0/footfall.css"

    result = await world.stranger().get(address, headers={"Accept-Encoding": "gzip;q=0, br"})

    assert "content-encoding" not in result.headers
    assert result.headers["vary"] == "Accept-Encoding"
