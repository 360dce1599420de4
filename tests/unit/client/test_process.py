"""The queue of a client when its process ends."""

import subprocess
import sys

import pytest

from tests.servers.scripted_server import KEY, refusal

PROGRAM = """
import asyncio, os, sys, time
from footfall.client import AsyncBackgroundFootfall, BackgroundFootfall
given = dict(analytics_host={url!r}, site_id=1, api_key={key!r}, retry_delay=0.01)
quick = dict(given, exit_timeout=0.3, flush_interval=0.01)

def wait_until_sent(client, *, and_heard):
    (entry,) = client._ledger.open
    while not (entry.attempts if and_heard else entry.under_way):
        time.sleep(0.01)
"""


@pytest.fixture
def run(server):
    def run(rest):
        source = PROGRAM.format(url=server.url, key=KEY) + rest
        return subprocess.run(
            [sys.executable, "-W", "error", "-c", source],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.mark.parametrize("end", ["", "sys.exit(0)"])
def test_a_program_that_ends_delivers_its_queue_first(server, run, end):
    ended = run(f"BackgroundFootfall(**given).pageview(); {end}")

    assert (ended.returncode, ended.stderr, len(server.stored)) == (0, "", 1)


@pytest.mark.parametrize("client", ["Footfall", "BackgroundFootfall"])
def test_a_client_that_lives_until_the_program_ends_prints_nothing(run, client):
    ended = run(f"""
from footfall.client import Footfall
client = {client}(given["analytics_host"], site_id=1, api_key="key")
def of_the_same_module(): ...
""")

    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_program_that_fails_delivers_its_queue_too(server, run):
    ended = run("BackgroundFootfall(**given).pageview(); 1 / 0")

    assert (ended.returncode, len(server.stored)) == (1, 1)
    assert ended.stderr.strip().endswith("ZeroDivisionError: division by zero")


def test_the_end_of_a_program_waits_no_longer_than_told_and_says_what_it_lost(server, run):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"})]

    ended = run("""
client = BackgroundFootfall(**quick)
client.pageview()
wait_until_sent(client, and_heard=True)
""")

    assert ended.returncode == 0
    assert (
        ended.stderr
        == "1 event(s) not delivered, the last one: The process ended before the event was sent\n"
    )


def test_a_hanging_service_does_not_keep_a_program_from_ending(server, run):
    server.script = ["store-then-hang"]

    ended = run("""
client = BackgroundFootfall(**quick)
client.pageview()
wait_until_sent(client, and_heard=False)
""")

    assert ended.returncode == 0
    assert "The process ended before the event was confirmed" in ended.stderr


def test_a_program_that_leaves_its_event_loop_unclosed_says_what_it_lost(server, run):
    ended = run("""
async def main():
    AsyncBackgroundFootfall(**given).pageview()
asyncio.run(main())
""")

    assert (ended.returncode, len(server.stored)) == (0, 0)
    assert (
        "1 event(s) not delivered, the last one: The process ended before the event was sent" in ended.stderr
    )


def test_an_exception_that_ends_a_program_is_printed_and_reported(server, run):
    ended = run("""
from footfall.client import report_uncaught
report_uncaught(BackgroundFootfall(**given))
1 / 0
""")

    assert ended.returncode == 1
    assert ended.stderr.endswith("\nZeroDivisionError: division by zero\n")
    assert [event["event_name"] for event in server.stored.values()] == ["ZeroDivisionError"]


def test_an_exception_of_a_forked_child_is_reported_by_the_child(server, run):
    ended = run("""
from footfall.client import report_uncaught
client = BackgroundFootfall(**given)
report_uncaught(client)
client.pageview()
client.flush()
if os.fork() == 0:
    [][0]
os.wait()
""")

    assert ended.returncode == 0
    assert sorted(event["type"] for event in server.stored.values()) == ["error", "pageview"]


def test_the_clients_need_nothing_of_the_server(run):
    ended = run("""
loaded = {name.partition(".")[0] for name in sys.modules}
others = {"falcon", "psycopg", "gunicorn", "orjson", "click", "cattrs", "geoip2", "django", "flask", "starlette"}
print(sorted(loaded & others))
print([name for name in sys.modules if name.startswith("footfall.") and not name.startswith("footfall.client")])
""")

    assert (ended.stdout, ended.stderr) == ("[]\n[]\n", "")
