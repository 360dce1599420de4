"""Every metric that there is: name, kind, labels, and what it means."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_COMMIT_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_COMMIT_HITS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)


class Kind(StrEnum):
    """How the numbers of several workers, and of one after the other, become one."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@frozen
class Family:
    """One metric; its samples are told apart by the values of its labels."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @property
    def width(self) -> int:
        """How many numbers a sample has: a histogram one for each bucket, one above them, and the sum."""
        return len(self.buckets) + 2 if self.kind is Kind.HISTOGRAM else 1


REQUESTS = Family(
    "footfall_http_requests_total",
    Kind.COUNTER,
    "Requests that were answered, by method, template of the route, and status.",
    ("method", "route", "status"),
)
REQUEST_SECONDS = Family(
    "footfall_http_request_seconds",
    Kind.HISTOGRAM,
    "Time from the head of a request to its answer.",
    ("route",),
    _REQUEST_SECONDS,
)
EVENTS = Family(
    "footfall_events_total",
    Kind.COUNTER,
    "Tracking events by what became of them, and why.",
    ("outcome", "reason"),
)
COMMIT_HITS = Family(
    "footfall_commit_hits", Kind.HISTOGRAM, "Hits that one commit of the intake stored.", (), _COMMIT_HITS
)
COMMIT_SECONDS = Family(
    "footfall_commit_seconds", Kind.HISTOGRAM, "Time that a commit of the intake took.", (), _COMMIT_SECONDS
)
INTAKE_WAITING = Family("footfall_intake_waiting_hits", Kind.GAUGE, "Hits that wait for the next commit.")
WORKERS = Family("footfall_workers", Kind.GAUGE, "Worker processes that answer.")
POOL_CONNECTIONS = Family(
    "footfall_pool_connections", Kind.GAUGE, "Connections of a pool, over all workers.", ("pool", "state")
)
POOL_WAITING = Family(
    "footfall_pool_waiting", Kind.GAUGE, "Requests that wait for a connection of a pool.", ("pool",)
)
POOL_REQUESTS = Family(
    "footfall_pool_requests_total", Kind.COUNTER, "Requests for a connection of a pool.", ("pool", "result")
)
CACHE_LOOKUPS = Family(
    "footfall_cache_lookups_total",
    Kind.COUNTER,
    "Look-ups in a cache, and whether it knew.",
    ("cache", "result"),
)
CACHE_ENTRIES = Family(
    "footfall_cache_entries", Kind.GAUGE, "Entries of a cache, over all workers.", ("cache",)
)
STORE_UP = Family("footfall_store_up", Kind.GAUGE, "Whether the store answered this scrape.")
LAG_EVENTS = Family(
    "footfall_projection_lag_events", Kind.GAUGE, "Stored hits that the reports do not show yet, at most."
)
LAG_SECONDS = Family(
    "footfall_projection_lag_seconds", Kind.GAUGE, "Age of the oldest hit that the reports do not show yet."
)
BUILD = Family("footfall_build_info", Kind.GAUGE, "Always 1; the version is the label.", ("version",))

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            REQUESTS,
            REQUEST_SECONDS,
            EVENTS,
            COMMIT_HITS,
            COMMIT_SECONDS,
            INTAKE_WAITING,
            WORKERS,
            POOL_CONNECTIONS,
            POOL_WAITING,
            POOL_REQUESTS,
            CACHE_LOOKUPS,
            CACHE_ENTRIES,
            STORE_UP,
            LAG_EVENTS,
            LAG_SECONDS,
            BUILD,
        )
    }
)
