"""A dashboard in a frame of another site."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from attrs import define, field
from playwright.sync_api import expect

from tests.browser.conftest import track
from tests.servers.threads import served
from tests.snippets import ROOT, snippets_of


@define
class Blog:
    """A page of another origin than the service."""

    server: ThreadingHTTPServer
    body: str = ""
    origin: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.origin = f"http://localhost:{self.server.server_port}"


@pytest.fixture
def blog() -> Iterator[Blog]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = f"<!doctype html><title>Blog</title>{blog.body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    blog = Blog(server)
    with served(server):
        yield blog


def fits(reader, frame):
    """Wait until the frame is as high as its content, which it was not before."""
    frame.locator("[data-panel]").first.wait_for()
    frame.locator(".waiting").first.wait_for(state="detached")
    height = "() => Math.ceil(document.documentElement.getBoundingClientRect().height)"
    for _ in range(100):
        inside = frame.locator("html").evaluate(height)
        outside = frame.locator("html").evaluate("() => innerHeight")
        if inside == outside:
            return
        reader.wait_for_timeout(100)
    raise AssertionError(f"{outside} pixels for a page of {inside}")


def test_dashboard_is_framed_while_the_origin_is_listed(visit, blog):
    page, site = visit.page, visit.add_site("Embedded")
    track(visit.service, site_id=site, pathname="/pricing")
    visit.open(f"/sites/{site}/settings")
    page.get_by_role("button", name="Create private link").click()
    page.get_by_label("Add a website").fill(blog.origin)
    page.locator("#embed_origins").get_by_role("button", name="Add", exact=True).click()
    blog.body = page.locator("#frame").inner_text()

    [address] = re.findall(r'src="([^"?]*)[?]embed=on"', blog.body)
    assert f'<script defer src="{visit.service.base_url}/embed.js">' in blog.body
    # The example of docs/read/dashboard.md has further parameters.
    [example] = [one.code for one in snippets_of(ROOT / "docs/read/dashboard.md") if one.language == "html"]
    blog.body = example.replace("https://stats.example/share/0123456789ab/KEY", address)
    blog.body = blog.body.replace("https://stats.example", visit.service.base_url)

    # The same browser, with the owner signed in.
    reader = page.context.new_page()
    reader.goto(blog.origin)
    frame = reader.frame_locator("iframe")
    # A frame that is loaded lazily is an empty page at first.
    frame.locator("[data-panel]").first.wait_for()
    dark = "() => getComputedStyle(document.body).backgroundColor"
    assert frame.locator("body").evaluate(dark) == "rgb(20, 20, 20)"
    assert [one.get_attribute("id") for one in frame.locator("[data-panel]").all()] == ["goals", "pages"]
    fits(reader, frame)
    frame.get_by_text("Show as table").click()
    fits(reader, frame)
    frame.get_by_text("Show as table").click()
    fits(reader, frame)
    blog.body = f"<style>* {{ box-sizing: border-box }} iframe {{ padding: 3px }}</style>{blog.body}"
    reader.reload()
    fits(reader, frame)
    frame.get_by_role("link", name="/pricing").click()
    frame.get_by_role("link", name="remove this filter").wait_for()
    frame.get_by_role("region", name="Pages").get_by_role("link", name="Exit").click()
    expect(frame.get_by_role("region", name="Pages").locator("[aria-current]")).to_contain_text(["Exit"])
    assert frame.get_by_text("Sign out").count() == 0

    page.get_by_role("button", name=f"Remove {blog.origin}").click()
    page.get_by_text("Saved", exact=True).wait_for()
    reader.reload()

    expect(frame.get_by_role("region", name="Pages")).to_have_count(0)
