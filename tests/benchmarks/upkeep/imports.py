"""What importing from other services costs, in time and in memory, by source and by the number of rows."""

import resource
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.service import Service
from tests.integration.sources import odd_rows
from tests.peak import peak_of
from tests.programs import program
from tests.servers.mariadb import running_mariadb


def main():
    sizes = [int(size) for size in sys.argv[1:]] or [100_000, 1_000_000]
    print(
        f"{'source':12} {'rows':>10} {'stored':>10} {'seconds':>8} {'processor':>9} {'rows/s':>8} {'MiB':>6}"
    )
    for rows in sizes:
        with tempfile.TemporaryDirectory(prefix="footfall-bench-") as folder, ExitStack() as stack:
            measure(Path(folder), rows, stack)


def matomo_of(rows, stack):
    if program("mariadbd") is None:
        print("matomo is left out: mariadbd is not installed")
        return {}
    return {"matomo": odd_rows.matomo(stack.enter_context(running_mariadb()), rows)}


def measure(folder, rows, stack):
    service = Service(folder / "data")
    service.run("init", "--organization", "A", "--site", "A", "--domain", "shop.example")
    server = stack.enter_context(EmbeddedPostgres(service.data_dir))
    store = stack.enter_context(psycopg.connect(server.url, autocommit=True))
    of_umami = psycopg.conninfo.make_conninfo(server.url, user="postgres", dbname="umami")
    with psycopg.connect(server.url, user="postgres", dbname="postgres", autocommit=True) as owner:
        owner.execute("create database umami")
    sources = {
        "access-log": odd_rows.access_log(folder, rows),
        "goatcounter": odd_rows.goatcounter(folder, rows),
        "umami": odd_rows.umami(of_umami, rows),
        **matomo_of(rows, stack),
        **{
            name: known for (name, _), known in stack.enter_context(odd_rows.clickhouse(folder, rows)).items()
        },
    }
    for name, arguments in sources.items():
        begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = peak_of("import", "1", *arguments, environment=service.process_environment)
        seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        read, stored = store.execute(
            "select sum(rows), sum(rows) filter (where reason = '') from import_ledger"
            " join site_import using (import_id) where format = %s",
            (name,),
        ).fetchone()
        rate = int(read) / seconds
        print(
            f"{name:12} {read:10,} {stored:10,} {seconds:8.1f} {processor:9.1f} {rate:8,.0f} {peak / 1024:6.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
