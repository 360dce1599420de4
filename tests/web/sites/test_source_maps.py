"""Source maps on the dashboard: offered where stacks are minified, uploaded by a form, listed and deleted."""

import re
from html import unescape
from urllib.parse import quote

import pytest

from footfall.adapters.http.wire.bodies import MAX_UPLOAD_BODY
from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.error_tracking.source_maps import MinifiedFile, PackedFile
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.hit import HitType
from tests.source_maps import CODE, THROWN, source_map

PAGE = "/sites/1/source-maps"
# The code of the map begins after a long line, as the parts of a bundle do.
STACK = "TypeError: no amount\n    at a (https://example.com/assets/app.min.js:{}:{})".format(*THROWN)
GROUP = fingerprint("TypeError", ErrorDetails(message="no amount", stack=STACK))
FIELDS = {"release": "1.4.2", "file": "assets/app.min.js"}
FILES = {"code": ("app.min.js", CODE.encode()), "map": ("app.min.js.map", source_map().encode())}
BOUNDARY = "a-boundary"


async def fail(world, release="1.4.2", stack=STACK):
    properties = {"message": "no amount", "stack": stack}
    await world.hit(
        type=HitType.ERROR, event_name="TypeError", pathname="/pay", release=release, properties=properties
    )


def encoded(fields, files):
    """Return a form with files as browsers send it."""
    parts = [f'name="{name}"\r\n\r\n'.encode() + text.encode() for name, text in fields.items()]
    parts += [
        f'name="{name}"; filename="{sent}"\r\nContent-Type: application/octet-stream\r\n\r\n'.encode()
        + content
        for name, (sent, content) in files.items()
    ]
    head = f"--{BOUNDARY}\r\nContent-Disposition: form-data; ".encode()
    return b"".join(head + part + b"\r\n" for part in parts) + f"--{BOUNDARY}--\r\n".encode()


async def upload(browser, *, path=PAGE, fields=FIELDS, files=FILES, **headers):
    found = re.search(r'name="token" value="([^"]+)"', (await browser.get("/sites/1/settings")).text)
    token = {} if found is None else {"token": unescape(found[1])}
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", **headers}
    return await browser._send("POST", path, body=encoded({**token, **fields}, files), headers=headers)


async def test_a_minified_stack_is_shown_as_written_after_the_upload_that_its_page_offers(world):
    await fail(world)
    browser = await world.browser("member")
    page = f"/sites/1/errors/{GROUP}?period=7d"

    offered = (await browser.get(page)).text
    action = unescape(re.search(r'enctype="multipart/form-data" action="([^"]+)"', offered)[1])
    refused = await upload(browser, path=action, files={})
    again = unescape(re.search(r'enctype="multipart/form-data" action="([^"]+)"', refused.text)[1])
    uploaded = await upload(browser, path=again)
    shown = (await browser.get(uploaded.headers["location"])).text

    assert 'release <bdi>1.4.2</bdi> has no source maps: <a href="#source-maps">upload them</a>' in offered
    assert (
        "footfall sourcemaps upload dist --site 1 --release=1.4.2 --url http://falconframework.org" in offered
    )
    assert 'value="assets/app.min.js"' in offered
    assert (refused.status_code, again) == (400, action)
    assert (uploaded.status_code, uploaded.headers["location"]) == (303, page)
    assert "webpack:///src/pay.js:3:11" in shown
    assert "Upload source map" not in shown


@pytest.mark.parametrize(
    ("release", "stack", "said"),
    [
        ("1.4.2", STACK.replace(".min", ""), None),
        (None, STACK, "sent without a release"),
        ("odd \u202ename", STACK, "Minified"),
    ],
    ids=["written by people", "without a release", "a release that no map can have"],
)
async def test_no_upload_is_offered_where_none_can_help(world, release, stack, said):
    await fail(world, release, stack)
    group = fingerprint("TypeError", ErrorDetails(message="no amount", stack=stack))

    page = (await (await world.browser("member")).get(f"/sites/1/errors/{group}")).text

    assert "Upload source map" not in page
    assert ("Minified" in page) is (said is not None)
    assert said is None or said in page


async def test_the_release_of_an_event_is_quoted_in_the_command(world):
    await fail(world, "1; rm -rf $HOME")

    page = unescape((await (await world.browser("member")).get(f"/sites/1/errors/{GROUP}")).text)

    assert "--release='1; rm -rf $HOME' --url" in page


async def test_only_members_are_offered_an_upload(world):
    await fail(world)
    await world.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CommandContext())
    await world.commands.organizations.change_member("1", "2", CommandContext(), role=Role.VIEWER)
    viewer = await world.browser("member")

    pages = [(await one.get(f"/sites/1/errors/{GROUP}")).text for one in (viewer, world.stranger())]

    assert ["Upload source map" in page for page in pages] == [False, False]
    assert (await upload(viewer)).status_code == 403
    assert (await upload(world.stranger())).headers["location"].startswith("/sign-in")


async def test_settings_list_the_latest_maps_and_lead_to_all_of_them(world):
    packed = PackedFile.of(MinifiedFile(CODE.encode(), source_map().encode()))
    for number in range(11):
        await world.ports.source_maps.put(1, f"1.{number}", "<app>.js", packed, world.clock.now())
    browser = await world.browser("member")

    settings = (await browser.get("/sites/1/settings")).text
    every = (await browser.get(PAGE)).text
    one = (await browser.get(f"{PAGE}?release=1.3")).text

    assert (settings.count("&lt;app&gt;.js"), "All 11 source maps" in settings) == (10, True)
    assert every.count("<td") == 11 * 5
    assert (one.count("<td"), "Delete all of this release" in one) == (5, True)


async def test_long_lists_of_maps_go_on(world):
    packed = PackedFile.of(MinifiedFile(b"a", b"{}"))
    for number in range(101):
        await world.ports.source_maps.put(1, "1 & 2", f"{number:03}.js", packed, world.clock.now())
    browser = await world.browser("member")

    first, second = [
        (await browser.get(f"{PAGE}?release={quote('1 & 2')}&page={one}")).text for one in (1, 2)
    ]

    assert f'href="{PAGE}?page=2&amp;release=1%20%26%202" data-more="maps"' in first
    assert (second.count("<td"), "Previous rows" in second) == (5, True)


async def test_maps_are_deleted_after_a_confirmation(world):
    packed = PackedFile.of(MinifiedFile(b"a", b"{}"))
    for name in ("a.js", "b.js", "c.js"):
        await world.ports.source_maps.put(1, "1.0", name, packed, world.clock.now())
    browser = await world.browser("member")

    asked = await browser.post(f"{PAGE}/deletion", page=PAGE, release="1.0", file="a.js")
    await browser.confirm(asked, f"{PAGE}/deletion")
    left = (await browser.get(PAGE)).text
    asked_again = await browser.post(f"{PAGE}/deletion", page=PAGE, release="1.0")
    done = await browser.confirm(asked_again, f"{PAGE}/deletion")
    empty = (await browser.get(done.headers["location"])).text
    again = await browser.post(f"{PAGE}/deletion", page=PAGE, release="1.0", confirmed="on")

    assert "Delete the source map of a.js of release 1.0?" in asked.text
    assert [name in left for name in ("a.js", "b.js", "c.js")] == [False, True, True]
    assert ("Deleted" in empty, "No source maps yet" in empty) == (True, True)
    assert again.status_code == 404


@pytest.mark.parametrize(
    ("fields", "files", "faults"),
    [
        ({**FIELDS, "release": ""}, FILES, ["release"]),
        ({**FIELDS, "file": "../app.js"}, FILES, ["file"]),
        (FIELDS, {"code": ("a.js", b"\xff"), "map": ("a.js.map", b"[]")}, ["code", "map"]),
        ({"release": "1", "file": ""}, {}, ["file", "code", "map"]),
        (FIELDS, {**FILES, "map": ("", b"")}, ["map"]),
    ],
    ids=["no release", "a folder above", "no texts", "nothing", "no map"],
)
async def test_a_refused_upload_says_why_beside_its_fields(world, fields, files, faults):
    browser = await world.browser("member")

    refused = await upload(browser, fields=fields, files=files)

    assert refused.status_code == 400
    assert re.findall(r'id="(\w+)-error" role="alert"', refused.text) == [
        name for name in ("release", "code", "map", "file") if name in faults
    ]
    assert (await world.ports.source_maps.with_maps(1, {"1.4.2", "1"})) == frozenset()


async def test_the_name_of_the_file_is_that_of_the_sender_where_no_path_is_given(world):
    browser = await world.browser("member")

    answer = await upload(browser, fields={**FIELDS, "file": ""})

    assert answer.headers["location"] == f"{PAGE}?done=uploaded"
    assert await world.ports.source_maps.read(1, "1.4.2", "app.min.js") is not None


async def test_only_a_form_of_the_dashboard_uploads(world):
    browser = await world.browser("member")

    foreign = await upload(browser, Origin="https://evil.example")
    forged = await upload(browser, fields={**FIELDS, "token": "forged"})
    no_form = await upload(browser, **{"Content-Type": "multipart/form-data"})

    assert [one.status_code for one in (foreign, forged, no_form)] == [403, 403, 400]


async def test_a_form_that_is_too_large_is_refused_and_those_below_the_limit_are_not(world):
    browser = await world.browser("member")
    large = b"a" * (MAX_UPLOAD_BODY - len(source_map()) - 2_000)

    answers = [
        await upload(browser, files={**FILES, "code": ("app.js", code)})
        for code in (large, large + b"a" * 2_000)
    ]

    assert [one.status_code for one in answers] == [303, 413]
