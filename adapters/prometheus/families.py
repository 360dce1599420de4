"""All metrics: name, kind, labels and meaning."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_COMMIT_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_COMMIT_HITS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)


class MetricKind(StrEnum):
    """The way in which the numbers of several workers, and of successive ones, become one."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@frozen
class MetricFamily:
    """One metric; its samples are told apart by the values of its labels."""

    name: str
    kind: MetricKind
    help: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @property
    def width(self) -> int:
        """How many numbers a sample has: a histogram one for each bucket, one above them, and the sum."""
        return len(self.buckets) + 2 if self.kind is MetricKind.HISTOGRAM else 1


def _counter(name: str, text: str, *labels: str) -> MetricFamily:
    return MetricFamily(name, MetricKind.COUNTER, text, labels)


def _gauge(name: str, text: str, *labels: str) -> MetricFamily:
    return MetricFamily(name, MetricKind.GAUGE, text, labels)


def _histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> MetricFamily:
    return MetricFamily(name, MetricKind.HISTOGRAM, text, labels, buckets)


REQUESTS = _counter(
    "footfall_http_requests_total",
    "Requests that were answered, by method, template of the route, and status.",
    "method",
    "route",
    "status",
)
REQUEST_SECONDS = _histogram(
    "footfall_http_request_seconds",
    "Time from the head of a request to its answer.",
    _REQUEST_SECONDS,
    "route",
)
EVENTS = _counter("footfall_events_total", "Tracking events by outcome and reason.", "outcome", "reason")
REPORTS = _counter(
    "footfall_reports_total",
    "Reports that were read from files and fresh rows; with a reason those that could not be.",
    "reason",
)
COMMIT_HITS = _histogram("footfall_commit_hits", "Hits that one commit of the intake stored.", _COMMIT_HITS)
COMMIT_SECONDS = _histogram(
    "footfall_commit_seconds", "Time that a commit of the intake took.", _COMMIT_SECONDS
)
COLUMN_DIRECTORIES = _gauge(
    "footfall_column_directories", "Directories of files by column on this node.", "cell"
)
COLUMN_BYTES = _gauge("footfall_column_bytes", "Size of the files by column on this node.", "cell")
COLUMN_MISSING_DAYS = _gauge(
    "footfall_column_missing_days", "Closed days whose files this node has yet to make.", "cell"
)
COLUMN_SPILL_BYTES = _gauge(
    "footfall_column_spill_bytes", "Size of intermediate results of queries on the disk.", "cell"
)
COLUMN_TROUBLE = _gauge(
    "footfall_column_trouble", "1 while files by column cannot be made, as with a full disk.", "cell"
)
READER_MEMORY_BYTES = _gauge(
    "footfall_reader_memory_bytes", "Memory of DuckDB in the process that reads reports."
)
REPORTS_WAITING = _gauge(
    "footfall_reports_waiting", "Answers that wait for a turn, by kind of asker.", "kind"
)
REPORTS_RUNNING = _gauge("footfall_reports_running", "Answers that have a turn, by kind of asker.", "kind")
REFUSED_REPORTS = _counter(
    "footfall_reports_refused_total",
    "Answers that were refused with 503 since too many others wait, by kind of asker.",
    "kind",
)
INTAKE_WAITING = _gauge("footfall_intake_waiting_hits", "Hits that wait for the next commit.")
WORKERS = _gauge("footfall_workers", "Worker processes that answer.")
POOL_CONNECTIONS = _gauge(
    "footfall_pool_connections", "Connections of a pool, over all workers.", "pool", "state"
)
POOL_WAITING = _gauge("footfall_pool_waiting", "Requests that wait for a connection of a pool.", "pool")
POOL_REQUESTS = _counter(
    "footfall_pool_requests_total", "Requests for a connection of a pool.", "pool", "result"
)
CACHE_LOOKUPS = _counter(
    "footfall_cache_lookups_total", "Look-ups in a cache, and whether it knew.", "cache", "result"
)
CACHE_ENTRIES = _gauge("footfall_cache_entries", "Entries of a cache, over all workers.", "cache")
STORE_UP = _gauge("footfall_store_up", "Whether the store answered this scrape.")
LAG_EVENTS = _gauge(
    "footfall_projection_lag_events", "Stored hits that the reports do not show yet, at most."
)
LAG_SECONDS = _gauge(
    "footfall_projection_lag_seconds", "Age of the oldest hit that the reports do not show yet."
)
CELL_UP = _gauge("footfall_cell_up", "Whether the store of a cell answered this scrape.", "cell")
CELL_LAG_EVENTS = _gauge(
    "footfall_cell_projection_lag_events",
    "Stored hits of a cell that its reports do not show yet, at most.",
    "cell",
)
CELL_LAG_SECONDS = _gauge(
    "footfall_cell_projection_lag_seconds",
    "Age of the oldest hit of a cell that its reports do not show yet.",
    "cell",
)
MAILS = _counter(
    "footfall_mails_total", "Attempts to send a mail, by outcome: sent, delayed or given_up.", "outcome"
)
MAIL_WAITING = _gauge("footfall_mail_waiting", "Mails that wait to be sent.")
MAIL_WAITING_SECONDS = _gauge(
    "footfall_mail_waiting_seconds", "Age of the oldest mail that waits to be sent."
)
BUILD = _gauge("footfall_build_info", "Always 1; the version is the label.", "version")

# In the order of the page.
FAMILIES: Mapping[str, MetricFamily] = MappingProxyType(
    {family.name: family for family in [*globals().values()] if isinstance(family, MetricFamily)}
)
