"""Sources of every format, of any size, with every odd thing that each of them allows."""

import csv
import random
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlencode

import psycopg

from tests.integration.sources.clickhouse_store import FILL_PLAUSIBLE, FILL_RYBBIT, PLAUSIBLE, RYBBIT, serve
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
