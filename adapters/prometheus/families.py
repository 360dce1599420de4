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
class Family:
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


REQUESTS = Family(
    "footfall_http_requests_total",
    MetricKind.COUNTER,
    "Requests that were answered, by method, template of the route, and status.",
    ("method", "route", "status"),
)
REQUEST_SECONDS = Family(
    "footfall_http_request_seconds",
    MetricKind.HISTOGRAM,
    "Time from the head of a request to its answer.",
    ("route",),
    _REQUEST_SECONDS,
)
EVENTS = Family(
    "footfall_events_total",
    MetricKind.COUNTER,
    "Tracking events by outcome and reason.",
    ("outcome", "reason"),
)
COMMIT_HITS = Family(
    "footfall_commit_hits",
    MetricKind.HISTOGRAM,
    "Hits that one commit of the intake stored.",
    (),
    _COMMIT_HITS,
)
COMMIT_SECONDS = Family(
    "footfall_commit_seconds",
    MetricKind.HISTOGRAM,
    "Time that a commit of the intake took.",
    (),
    _COMMIT_SECONDS,
)
REPORTS = Family(
    "footfall_reports_total",
    MetricKind.COUNTER,
    "Reports that were read from files and fresh rows; with a reason those that could not be.",
    ("reason",),
)
COLUMN_DIRECTORIES = Family(
    "footfall_column_directories", MetricKind.GAUGE, "Directories of files by column on this node.", ("cell",)
)
COLUMN_BYTES = Family(
    "footfall_column_bytes", MetricKind.GAUGE, "Size of the files by column on this node.", ("cell",)
)
COLUMN_MISSING_DAYS = Family(
    "footfall_column_missing_days",
    MetricKind.GAUGE,
    "Closed days whose files this node has yet to make.",
    ("cell",),
)
COLUMN_SPILL_BYTES = Family(
    "footfall_column_spill_bytes",
    MetricKind.GAUGE,
    "Size of intermediate results of queries on the disk.",
    ("cell",),
)
READER_MEMORY_BYTES = Family(
    "footfall_reader_memory_bytes", MetricKind.GAUGE, "Memory of DuckDB in the process that reads reports."
)
REPORTS_WAITING = Family(
    "footfall_reports_waiting", MetricKind.GAUGE, "Answers that wait for a turn, by kind of asker.", ("kind",)
)
REPORTS_RUNNING = Family(
    "footfall_reports_running", MetricKind.GAUGE, "Answers that have a turn, by kind of asker.", ("kind",)
)
REFUSED_REPORTS = Family(
    "footfall_reports_refused_total",
    MetricKind.COUNTER,
    "Answers that were refused with 503 since too many others wait, by kind of asker.",
    ("kind",),
)
COLUMN_TROUBLE = Family(
    "footfall_column_trouble",
    MetricKind.GAUGE,
    "1 while files by column cannot be made, as with a full disk.",
    ("cell",),
)
INTAKE_WAITING = Family(
    "footfall_intake_waiting_hits", MetricKind.GAUGE, "Hits that wait for the next commit."
)
WORKERS = Family("footfall_workers", MetricKind.GAUGE, "Worker processes that answer.")
POOL_CONNECTIONS = Family(
    "footfall_pool_connections",
    MetricKind.GAUGE,
    "Connections of a pool, over all workers.",
    ("pool", "state"),
)
POOL_WAITING = Family(
    "footfall_pool_waiting", MetricKind.GAUGE, "Requests that wait for a connection of a pool.", ("pool",)
)
POOL_REQUESTS = Family(
    "footfall_pool_requests_total",
    MetricKind.COUNTER,
    "Requests for a connection of a pool.",
    ("pool", "result"),
)
CACHE_LOOKUPS = Family(
    "footfall_cache_lookups_total",
    MetricKind.COUNTER,
    "Look-ups in a cache, and whether it knew.",
    ("cache", "result"),
)
CACHE_ENTRIES = Family(
    "footfall_cache_entries", MetricKind.GAUGE, "Entries of a cache, over all workers.", ("cache",)
)
STORE_UP = Family("footfall_store_up", MetricKind.GAUGE, "Whether the store answered this scrape.")
LAG_EVENTS = Family(
    "footfall_projection_lag_events",
    MetricKind.GAUGE,
    "Stored hits that the reports do not show yet, at most.",
)
LAG_SECONDS = Family(
    "footfall_projection_lag_seconds",
    MetricKind.GAUGE,
    "Age of the oldest hit that the reports do not show yet.",
)
CELL_UP = Family(
    "footfall_cell_up", MetricKind.GAUGE, "Whether the store of a cell answered this scrape.", ("cell",)
)
CELL_LAG_EVENTS = Family(
    "footfall_cell_projection_lag_events",
    MetricKind.GAUGE,
    "Stored hits of a cell that its reports do not show yet, at most.",
    ("cell",),
)
CELL_LAG_SECONDS = Family(
    "footfall_cell_projection_lag_seconds",
    MetricKind.GAUGE,
    "Age of the oldest hit of a cell that its reports do not show yet.",
    ("cell",),
)
MAILS = Family(
    "footfall_mails_total",
    MetricKind.COUNTER,
    "Attempts to send a mail, by outcome: sent, delayed or given_up.",
    ("outcome",),
)
MAIL_WAITING = Family("footfall_mail_waiting", MetricKind.GAUGE, "Mails that wait to be sent.")
MAIL_WAITING_SECONDS = Family(
    "footfall_mail_waiting_seconds", MetricKind.GAUGE, "Age of the oldest mail that waits to be sent."
)
BUILD = Family("footfall_build_info", MetricKind.GAUGE, "Always 1; the version is the label.", ("version",))

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            REQUESTS,
            REQUEST_SECONDS,
            EVENTS,
            REPORTS,
            COMMIT_HITS,
            COMMIT_SECONDS,
            COLUMN_DIRECTORIES,
            COLUMN_BYTES,
            COLUMN_MISSING_DAYS,
            COLUMN_SPILL_BYTES,
            COLUMN_TROUBLE,
            READER_MEMORY_BYTES,
            REPORTS_WAITING,
            REPORTS_RUNNING,
            REFUSED_REPORTS,
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
            CELL_UP,
            CELL_LAG_EVENTS,
            CELL_LAG_SECONDS,
            MAILS,
            MAIL_WAITING,
            MAIL_WAITING_SECONDS,
            BUILD,
        )
    }
)
