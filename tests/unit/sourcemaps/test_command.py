"""`footfall sourcemaps`: its ledger, its requests, and what it does when a service refuses or fails."""

import gzip
import json
import socket
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from click.testing import CliRunner

from footfall.adapters.outgoing.client import HttpClient
from footfall.entrypoints.cli import cli
from footfall.entrypoints.sourcemaps.uploading import MAX_ANSWER, SourceMapClient, UploadFailed
from tests.servers.threads import served
from tests.source_maps import CODE, built, source_map
from tests.waiting import LONG

STORED = (201, {"success": True, "stored": True, "digest": "d"}, {})
DELETED = (200, {"success": True, "deleted": 2}, {})
BUSY = (503, {"success": False, "error": "Temporarily unavailable"}, {"Retry-After": "7"})


@contextmanager
def serving(*replies):
    """Serve these replies, the last one again and again; lend the origin and the requests that came."""
    seen, left = [], list(replies)

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            seen.append((self.command, self.path, dict(self.headers), body))
            status, document, headers = left.pop(0) if len(left) > 1 else left[0]
            content = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(content)

        do_GET = do_PUT = do_DELETE = answer  # noqa: N815 - names of the base class

        def log_message(self, *_arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with served(server):
        yield f"http://127.0.0.1:{server.server_port}", seen


def run(*arguments, key="ff_key"):
    environment = {"FOOTFALL_API_KEY": key, "FOOTFALL_URL": None}
    return CliRunner().invoke(cli, ["sourcemaps", *map(str, arguments)], env=environment)


def upload(folder, url, *more, **known):
    return run("upload", folder, "--site", "1", "--release", "1 & 2", "--url", url, *more, **known)


@pytest.fixture
def pauses():
    """The pauses of a client, which are not made."""
    return []


@pytest.fixture
def patient(pauses):
    """Make a client that makes no pauses, for a service at an address."""
    return lambda url, **more: SourceMapClient(url, "1", "ff_key", pause=pauses.append, **more)


def test_each_file_is_sent_with_its_map_and_has_its_line(tmp_path):
    built(tmp_path)
    built(tmp_path, "vendor.js", with_map=False)

    with serving(STORED) as (url, seen):
        done = upload(tmp_path, url, "--prefix", "/static/", "--json")

    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {
        "release": "1 & 2",
        "files": [
            {"file": "static/assets/app.js", "outcome": "uploaded", "detail": ""},
            {
                "file": "static/vendor.js",
                "outcome": "skipped",
                "detail": "its source map vendor.js.map is not there",
            },
        ],
        "counts": {"uploaded": 1, "skipped": 1},
    }
    [(method, path, headers, body)] = seen
    assert (method, path) == ("PUT", "/api/sites/1/source-maps?release=1+%26+2&file=static%2Fassets%2Fapp.js")
    assert (headers["Authorization"], headers["Content-Encoding"]) == ("Bearer ff_key", "gzip")
    sent = json.loads(gzip.decompress(body))
    assert sent["code"].startswith(CODE)
    assert sent["map"] == source_map()


def test_the_lines_for_people_end_with_their_sum(tmp_path):
    built(tmp_path)

    with serving((200, {"success": True, "stored": False, "digest": "d"}, {})) as (url, _):
        done = upload(tmp_path, url)

    assert "assets/app.js  unchanged" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 unchanged"


def test_a_refused_file_is_named_and_the_others_are_sent(tmp_path):
    for name in ("a.js", "b.js"):
        built(tmp_path, name)
    refusal = (413, {"error": "Payload too large", "details": {"formErrors": ["At most 32 MiB"]}}, {})

    with serving(refusal, STORED) as (url, seen):
        done = upload(tmp_path, url)

    assert done.exit_code == 1
    assert "Payload too large: At most 32 MiB" in done.stdout
    assert "the service refused 1 of the files" in done.stderr
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ((401, {"error": "Invalid API key"}, {}), "Invalid API key"),
        ((409, {"error": "The source maps of a site take at most 512 MiB"}, {}), "at most 512 MiB"),
        ((302, b"", {"Location": "http://127.0.0.1:1/"}), "answered 302"),
        ((404, b"<html>", {}), "answered 404"),
    ],
)
def test_a_refusal_that_all_files_would_meet_ends_the_command(tmp_path, reply, text):
    for name in ("a.js", "b.js"):
        built(tmp_path, name)

    with serving(reply) as (url, seen):
        done = upload(tmp_path, url)

    assert (done.exit_code, len(seen)) == (1, 1)
    assert text in done.stderr


def test_a_busy_service_is_asked_again_after_the_pause_that_it_names(patient, pauses):
    with serving(BUSY, BUSY, DELETED) as (url, seen):
        deleted = patient(url).delete({"release": "1"})

    assert (deleted, len(seen), pauses) == (2, 3, [7.0, 7.0])


def test_a_service_that_is_away_is_named(patient, pauses):
    with serving(STORED) as (url, _):
        pass

    with pytest.raises(UploadFailed) as failure:
        patient(url).delete({"release": "1"})

    assert str(failure.value).startswith(f"{url} cannot be reached: Connection refused")
    assert pauses == [1.0, 3.0, 9.0]


def test_a_service_that_is_silent_is_left_after_its_time(patient, pauses):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = HttpClient(wait_seconds=LONG, seconds=0.2, most_bytes=MAX_ANSWER)
        with pytest.raises(UploadFailed) as failure:
            patient(url, client=client).delete({"release": "1"})

    assert str(failure.value) == f"{url} takes too long: more than 0.2 seconds"
    assert len(pauses) == 3


def test_an_answer_that_is_too_long_is_not_read_to_its_end(tmp_path):
    built(tmp_path)

    with serving((200, b"[" + b"0," * MAX_ANSWER, {})) as (url, seen):
        done = upload(tmp_path, url)

    assert (done.exit_code, len(seen)) == (1, 1)
    assert "answered 200 without a message" in done.stderr


@pytest.mark.parametrize("key", ["two\nlines", "schl\u00fcssel \u20ac"])
def test_a_key_that_cannot_be_sent_is_refused_without_its_text(tmp_path, key):
    built(tmp_path)

    with serving(STORED) as (url, seen):
        done = upload(tmp_path, url, key=key)

    assert (done.exit_code, seen) == (1, [])
    assert key not in done.stderr


def test_a_dry_run_sends_nothing_and_needs_no_key(tmp_path):
    built(tmp_path)

    done = upload(tmp_path, "http://127.0.0.1:1", "--dry-run", key="")

    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 found")


def test_a_directory_without_maps_is_refused(tmp_path):
    done = upload(tmp_path, "http://127.0.0.1:1")

    assert (done.exit_code, "has a source map" in done.stderr) == (1, True)


def test_without_a_key_nothing_is_sent(tmp_path):
    built(tmp_path)

    done = upload(tmp_path, "http://127.0.0.1:1", key="")

    assert (done.exit_code, "FOOTFALL_API_KEY must hold an API key" in done.stderr) == (1, True)


def test_kept_files_are_listed_and_deleted():
    kept = {
        "release": "1.0",
        "file": "app.js",
        "digest": "d",
        "bytes": 1,
        "storedBytes": 1,
        "uploadedAt": "x",
    }
    with serving((200, {"data": [kept], "meta": {}}, {}), (200, {"success": True, "deleted": 3}, {})) as (
        url,
        seen,
    ):
        listed = run("list", "--site", "1", "--url", url, "--json")
        deleted = run("delete", "--site", "1", "--release", "1.0", "--url", url, "--json")

    assert json.loads(listed.stdout) == [kept]
    assert json.loads(deleted.stdout) == {"deleted": 3}
    assert [method for method, *_ in seen] == ["GET", "DELETE"]
