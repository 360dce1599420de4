"""Pages of any origin send to the service and read its answers, with credentials too."""

import pytest

PATHS = {
    "/api/track": "POST",
    "/api/track/batch": "POST",
    "/api/identify": "POST",
    "/api/site/tracking-config/1": "GET",
    "/api/track/1": "GET",
}
ORIGINS = ["https://example.com", "http://localhost:5173", "null", "capacitor://localhost"]
# The parts of the answer to a preflight that browsers refuse to take as `*` when credentials are sent.
NAMED = ["origin", "methods", "headers"]


def cors_names(headers):
    return {name for name in headers if name.lower().startswith("access-control-")}


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize(("path", "method"), PATHS.items())
async def test_a_preflight_names_what_it_allows_to_requests_with_credentials(world, path, method, origin):
    asked = {"Origin": origin, "Access-Control-Request-Method": method}

    answered = await world.request("OPTIONS", path, headers=asked)

    allowed = [answered.headers[f"access-control-allow-{name}"] for name in NAMED]
    assert (answered.status_code, answered.headers["vary"], answered.content) == (204, "Origin", b"")
    assert (allowed[0], answered.headers["access-control-allow-credentials"]) == (origin, "true")
    assert method in allowed[1].split(", ")
    assert {"Authorization", "Content-Type", "Idempotency-Key"} <= set(allowed[2].split(", "))
    assert not any("*" in value for value in allowed)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize(("path", "method"), [*PATHS.items(), ("/api/site/tracking-config/99", "GET")])
async def test_every_answer_names_the_origin_that_asked(world, path, method, origin):
    answered = await world.request(method, path, headers={"Origin": origin})

    assert answered.headers["access-control-allow-origin"] == origin
    assert answered.headers["access-control-allow-credentials"] == "true"
    assert answered.headers["vary"] == "Origin"
    exposed = answered.headers["access-control-expose-headers"].split(", ")
    assert {"Idempotent-Replay", "RateLimit-Remaining", "Retry-After", "X-Request-Id"} <= set(exposed)


@pytest.mark.parametrize("headers", [{}, {"Origin": ""}, {"Origin": "https://example.com/ and more"}])
@pytest.mark.parametrize(("path", "method"), PATHS.items())
async def test_without_an_origin_there_is_no_cors_header(world, path, method, headers):
    preflight = await world.request("OPTIONS", path, headers=headers)
    answered = await world.request(method, path, headers=headers)

    for one in (preflight, answered):
        assert cors_names(one.headers) == set()
        assert one.headers["vary"] == "Origin"


async def test_an_origin_that_no_browser_sends_is_not_repeated(world):
    answered = await world.track(headers={"Origin": "https://ex\xe4mple.com"})

    assert cors_names(answered.headers) == set()


async def test_a_cookie_is_no_credential(world):
    cookie = {"Cookie": f"session={world.keys['owner']}; api_key={world.keys['owner']}"}

    answered = await world.track(hostname="elsewhere.example", headers=cookie)

    assert (answered.status_code, answered.json["error"]) == (403, "Domain mismatch")
