"""The script and the endpoint under names of the operator's choice."""

import pytest

from footfall.adapters.http.tracking.additional_names import Renamed

NAMES = {"/hello.js": "/footfall.js", "/out/parcel": "/api/track"}


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/hello.js", "/footfall.js"),
        ("/out/parcel", "/api/track"),
        ("/out/parcel/1", "/api/track/1"),
        ("/out/parcel/vitals.js", "/api/track/vitals.js"),
        ("/out/parcel/batch", "/api/track/batch"),
        ("/api/track", "/api/track"),
        ("/footfall.js", "/footfall.js"),
        ("/out/parcels", "/out/parcels"),
        ("/out", "/out"),
        ("/hello.json", "/hello.json"),
    ],
)
async def test_a_renamed_path_covers_everything_below_it(path, own):
    seen = []

    async def application(scope, _receive, _send):
        seen.append((scope["path"], scope["raw_path"]))

    scope = {"type": "http", "path": path, "raw_path": path.encode()}
    await Renamed(application, NAMES)(scope, None, None)

    assert seen == [(own, own.encode())]
    assert scope["path"] == path


async def test_scopes_other_than_http_are_passed_on():
    seen = []

    async def application(scope, _receive, _send):
        seen.append(scope)

    await Renamed(application, NAMES)({"type": "lifespan"}, None, None)

    assert seen == [{"type": "lifespan"}]
