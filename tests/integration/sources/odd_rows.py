"""Sources of every format, of any size, with every odd thing that each of them allows."""

import csv
import gzip
import random
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlencode

import duckdb
import orjson
import psycopg

from tests.integration.sources.clickhouse_store import FILL_PLAUSIBLE, FILL_RYBBIT, PLAUSIBLE, RYBBIT, serve
from tests.integration.sources.matomo_store import fill as fill_matomo
from tests.integration.sources.umami_store import WEBSITE, fill

FIRST = datetime(2019, 12, 31, 23, tzinfo=UTC)
DAYS = 150
AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "-",
    'ünïcode \\xe6\\x97\\xa5 \\"quoted\\"',
)
PATHS = (
    "/",
    "/blog/{}",
    "/caf%C3%A9?utm_source=news",
    "/app.js",
    "/%F0%9F%92%A9",
    "/%ff%00",
    "*",
    "/a//b/../c",
)
ZONES = tuple(timezone(timedelta(minutes=minutes)) for minutes in (0, -570, 345, 840))


def _times(rows, chance):
    at = FIRST
    for _ in range(rows):
        at += timedelta(seconds=chance.random() * 2 * 60 * 60 * 24 * DAYS / rows)
        # One in seven is late, as the rows of two servers are.
        yield at - timedelta(hours=3) * (chance.random() < 1 / 7)


def access_log(folder, rows):
    """Write logs of two servers and return the arguments that import them."""
    chance = random.Random(rows)
    paths = [folder / "one.log", folder / "two.log"]
    with paths[0].open("w") as one, paths[1].open("w") as two:
        for number, at in enumerate(_times(rows, chance)):
            local = at.astimezone(chance.choice(ZONES))
            request = (
                f"GET {chance.choice(PATHS).format(number)} HTTP/1.1" if number % 90 else r"\x16\x03\x01"
            )
            host = chance.choice(("", "shop.example:443 ", "other.example "))
            (one if number % 2 else two).write(
                f"{host}192.0.2.{chance.randrange(250)} - - [{local:%d/%b/%Y:%H:%M:%S %z}]"
                f' "{request}" {chance.choice((200, 200, 200, 304, 404))} 1'
                f' "{chance.choice(("-", "https://www.google.com/", "android-app://x"))}" "{chance.choice(AGENTS)}"\n'
            )
            if number % 1_000 == 0:
                one.write("\n")
    return ["--from", "access-log", *map(str, paths)]


EVENTS = (
    "page_view",
    "page_view",
    "page_view",
    "scroll",
    "session_start",
    "click",
    "file_download",
    "purchase",
    "käufe 💩",
    "",
)
GA4_PATHS = ("/", "/blog/{}", "/caf%C3%A9?utm_source=news#x", "/%F0%9F%92%A9", "/a//b/../c")


def ga4(folder, rows):
    """Write exports of days in JSON lines and in Parquet, and return the arguments that import them."""
    chance = random.Random(rows)
    lines = [
        orjson.dumps(_ga4_event(number, at, chance)) + b"\n"
        for number, at in enumerate(_times(rows, chance), 1)
    ]
    paths = [folder / f"events-{rows}-{part}" for part in ("a.json.gz", "b.parquet")]
    paths[0].write_bytes(gzip.compress(b"".join(lines[::2]) + b"\n"))
    other = folder / f"events-{rows}-b.json"
    other.write_bytes(b"".join(lines[1::2]))
    duckdb.sql(
        f"copy (select * from read_json('{other}', format='newline_delimited', sample_size=-1))"
        f" to '{paths[1]}' (format parquet)"
    )
    return ["--from", "ga4", "--source-site", "7", *map(str, paths)]


def _ga4_event(number, at, chance):
    name = chance.choice(EVENTS)
    host = chance.choice(("https://shop.example", "http://[odd", "https://other.example:8443"))
    params = [
        {"key": "page_location", "value": {"string_value": host + chance.choice(GA4_PATHS).format(number)}},
        {"key": "page_title", "value": {"string_value": chance.choice(("", "日本語", "x" * 600, "a\0b"))}},
        {"key": "ga_session_id", "value": {"int_value": str(number)}},
        {"key": "value", "value": {"double_value": number / 4}},
        {"key": "empty", "value": {}},
    ]
    if number % 3 == 0:
        params.append({"key": "link_url", "value": {"string_value": "https://elsewhere.example/"}})
    return {
        "event_timestamp": str(int(at.timestamp() * 1_000_000)),
        "event_name": name,
        "event_params": params if number % 101 else [],
        "user_pseudo_id": chance.choice((None, "", f"{number // 4}.1")),
        "user_id": chance.choice((None, f"customer-{number % 7}")),
        "stream_id": "8" if number % 97 == 0 else "7",
        "device": {
            "category": chance.choice(("desktop", "mobile", "smart tv", "(not set)")),
            "operating_system": chance.choice(("Web", "Macintosh", "<Other>")),
            "language": chance.choice(("en-us", "", "zh-hans-cn")),
            "web_info": {"browser": chance.choice(("Chrome", "Böse\\", None)), "browser_version": "120"},
        },
        "geo": {
            "country": chance.choice(("Germany", "Türkiye", "(not set)", "Nowhere", "")),
            "region": chance.choice(("Bavaria", "Nowhere", None)),
            "city": chance.choice(("München", "(not set)")),
        },
        "collected_traffic_source": {"manual_source": chance.choice((None, "news", "(direct)"))},
        "batch_event_index": str(number % 5),
    }


def goatcounter(folder, rows):
    """Write an export and return the arguments that import it."""
    chance = random.Random(rows)
    path = folder / "goatcounter.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        file.write(
            "2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,"
            "FirstVisit,Date\n"
        )
        for number, at in enumerate(_times(rows, chance)):
            is_event = number % 9 == 0
            writer.writerow(
                (
                    chance.choice(("kauf", "", "💩 €")) if is_event else chance.choice(PATHS).format(number),
                    chance.choice(("", 'A "quoted",\ntitle', "日本語")),
                    str(is_event).lower(),
                    "",
                    chance.choice(("Chrome 86.0", "Mobile Safari 17", "", "Böse\\")),
                    chance.choice(("Windows 10", "Linux", "")),
                    f"{number // 4:x}-{number // 4 % 7:x}" if number % 11 else chance.choice(("", "0-0")),
                    7 if number % 13 == 0 else 0,
                    chance.choice(("", "www.reddit.com/r/x", "Email", "news")),
                    chance.choice(("h", "o", "g", "c", "")),
                    chance.choice(("1280,0,1", "390,844,3", "", "x,y")),
                    chance.choice(("US-TX", "DE", "", "Nowhere")),
                    chance.choice(("true", "false")),
                    at.astimezone(chance.choice(ZONES)).isoformat(),
                )
            )
    return ["--from", "goatcounter", str(path)]


def matomo(server, rows):
    """Fill a database and return the arguments that import it."""
    database = f"matomo_{rows}"
    server.run(f"drop database if exists {database}")
    fill_matomo(server, database, rows)
    return ["--from", "matomo", "--source-site", "1", server.url(database)]


def umami(url, rows):
    """Fill a database and return the arguments that import it."""
    fill(url, rows)
    parts = psycopg.conninfo.conninfo_to_dict(url)
    name = parts.pop("dbname")
    return ["--from", "umami", "--source-site", WEBSITE, f"postgresql:///{name}?{urlencode(parts)}"]


@contextmanager
def clickhouse(folder, *sizes):
    """Lend the arguments, by source and number of rows, for Plausible over HTTP and Rybbit as TSV.

    One process has one ClickHouse.
    """
    from chdb.session import Session  # noqa: PLC0415 - a heavy import, for these tests only

    session = Session(str(folder / "clickhouse"))
    server, urls = serve(session, *(f"services_{rows}" for rows in sizes))
    arguments = {}
    try:
        for rows, url in zip(sizes, urls, strict=True):
            session.query(f"create database services_{rows}")
            session.query(f"use services_{rows}")
            for statement in (PLAUSIBLE, FILL_PLAUSIBLE, RYBBIT, FILL_RYBBIT):
                session.query(statement.format(rows=rows) if "insert" in statement else statement)
            path = folder / f"events-{rows}.tsv"
            path.write_bytes(session.query("select * from events", "TSVWithNames").bytes())
            arguments["plausible", rows] = ["--from", "plausible", "--source-site", "7", url]
            arguments["rybbit", rows] = ["--from", "rybbit", "--source-site", "7", str(path)]
        yield arguments
    finally:
        server.shutdown()
        server.server_close()
        session.close()
