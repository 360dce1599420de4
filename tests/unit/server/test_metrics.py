"""Figures of several processes become one page for Prometheus."""

import os

import pytest
from prometheus_client.parser import text_string_to_metric_families

from footfall.adapters.memory.mail import MemoryOutbox
from footfall.adapters.prometheus.exposition import Exposition
from footfall.adapters.prometheus.families import CACHE_LOOKUPS, EVENTS, FAMILIES, WORKERS
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.prometheus.regions import Region, Regions, WorkerMetrics
from footfall.adapters.prometheus.sampler import Sampler
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.domain.examples import NOON
from tests.no_cells import NoCells


async def nothing_waits(_now):
    return await MemoryOutbox().status(NOON)


def exposition(worker_metrics, *, lag=Lag(0, 0.0), refresh=lambda: None, cell_lags=NoCells().lags):  # noqa: B008 - frozen values
    async def asked():
        if lag is None:
            raise StoreUnavailable
        return lag

    return Exposition(
        samples=worker_metrics.samples,
        refresh=refresh,
        lag=asked,
        cell_lags=cell_lags,
        mail_status=nothing_waits,
        now=lambda: NOON,
        version="1.2.3",
    )


async def page(worker_metrics, **arguments):
    """Return the value of every sample on the page, by its name and labels."""
    text, _ = await exposition(worker_metrics, **arguments).render("")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


async def test_the_requests_of_all_workers_are_added_up():
    regions = Regions(3)
    workers = [regions.worker_metrics(regions.acquire()) for _ in range(2)]
    for worker_metrics, number in zip(workers, (3, 4), strict=True):
        metrics = SharedMetrics(worker_metrics.own)
        for _ in range(number):
            metrics.request("GET", "/livez", 200, 0.004)

    figures = await page(workers[0])

    assert figures["footfall_http_requests_total", "GET", "/livez", "200"] == 7
    assert figures["footfall_http_request_seconds_bucket", "0.0025", "/livez"] == 0
    assert figures["footfall_http_request_seconds_bucket", "0.005", "/livez"] == 7
    assert figures["footfall_http_request_seconds_bucket", "+Inf", "/livez"] == 7
    assert figures["footfall_http_request_seconds_count", "/livez"] == 7
    assert figures["footfall_http_request_seconds_sum", "/livez"] == pytest.approx(0.028)
    assert figures["footfall_workers",] == 2


async def test_a_worker_takes_over_what_a_dead_one_has_counted_but_not_its_gauges():
    regions = Regions(1)
    SharedMetrics(regions.worker_metrics(number := regions.acquire()).own).commit(5, 0.1)
    regions.release(number)
    between = await page(regions.worker_metrics(0))

    SharedMetrics(regions.worker_metrics(regions.acquire()).own).commit(2, 0.1)

    figures = await page(regions.worker_metrics(0))
    assert (between["footfall_events_total", "stored", ""], between["footfall_workers",]) == (5, 0)
    assert (figures["footfall_events_total", "stored", ""], figures["footfall_workers",]) == (7, 1)
    assert figures["footfall_commit_hits_sum",] == 7


async def test_a_forked_process_counts_where_the_others_look():
    regions = Regions(2)
    mine, theirs = regions.acquire(), regions.acquire()
    child = os.fork()
    if child == 0:
        SharedMetrics(regions.worker_metrics(theirs).own).event("bot", "")
        os._exit(0)
    os.waitpid(child, 0)  # noqa: ASYNC222 - it ends at once

    figures = await page(regions.worker_metrics(mine))

    assert figures["footfall_events_total", "bot", ""] == 1


def test_there_are_no_more_regions_than_were_made():
    regions = Regions(1)

    numbers = [regions.acquire(), regions.acquire()]

    assert numbers == [0, None]
    assert next(iter(regions.worker_metrics(None).samples()), None) is None


def test_a_full_region_goes_on_without_the_samples_that_have_no_place():
    region = Region.private()
    for number in range(5000):
        region.values[region.slot(EVENTS, "outcome", f"a reason that has the number {number}")] += 1

    samples = list(region.samples())

    assert 1000 < len(samples) < 5000
    assert {values[0] for _, _, values in samples} == {1.0}
    assert region.slot(EVENTS, "outcome", "one more") == len(region.values) - 1


async def test_a_sampled_counter_continues_from_the_total_of_the_former_worker():
    regions = Regions(1)
    SharedMetrics(regions.worker_metrics(regions.acquire()).own).reached(
        CACHE_LOOKUPS, 10, "geolocation", "hit"
    )
    regions.release(0)
    metrics = SharedMetrics(regions.worker_metrics(regions.acquire()).own)
    for total in (2, 5):
        metrics.reached(CACHE_LOOKUPS, total, "geolocation", "hit")

    figures = await page(regions.worker_metrics(0))

    assert figures["footfall_cache_lookups_total", "geolocation", "hit"] == 15


async def test_pools_and_caches_are_looked_at_for_the_page():
    worker_metrics = WorkerMetrics.alone()
    sampler = Sampler(
        metrics=SharedMetrics(worker_metrics.own),
        intake_waiting=lambda: 12,
        pools=lambda: {"main": lambda: {"pool_size": 4, "pool_available": 1, "requests_num": 9}},
        caches={"user_agent": lambda: {"hits": 30, "misses": 2, "currsize": 2}},
    )

    figures = await page(worker_metrics, refresh=sampler.sample)

    assert figures["footfall_intake_waiting_hits",] == 12
    assert figures["footfall_pool_connections", "main", "idle"] == 1
    assert figures["footfall_pool_connections", "main", "used"] == 3
    assert figures["footfall_pool_requests_total", "main", "served"] == 9
    assert figures["footfall_cache_lookups_total", "user_agent", "hit"] == 30
    assert figures["footfall_cache_entries", "user_agent"] == 2


async def test_the_page_says_how_far_the_reports_are_behind():
    figures = await page(WorkerMetrics.alone(), lag=Lag(120, 0.75))

    assert figures["footfall_store_up",] == 1
    assert figures["footfall_projection_lag_events",] == 120
    assert figures["footfall_projection_lag_seconds",] == 0.75


async def test_the_page_is_there_while_the_store_is_not():
    figures = await page(WorkerMetrics.alone(), lag=None)

    assert figures["footfall_store_up",] == 0
    assert ("footfall_projection_lag_events",) not in figures
    assert figures["footfall_build_info", "1.2.3"] == 1


async def test_the_page_is_open_metrics_for_those_who_ask_for_it():
    text, content_type = await exposition(WorkerMetrics.alone()).render(
        "application/openmetrics-text; version=1.0.0"
    )

    assert content_type.startswith("application/openmetrics-text")
    assert text.endswith(b"# EOF\n")


def test_every_family_is_described_in_the_guide(project):
    guide = (project / "docs" / "internals" / "metrics.md").read_text()

    assert {name for name in FAMILIES if f"`{name}`" not in guide} == set()
    assert WORKERS.name in FAMILIES
