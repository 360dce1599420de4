"""The figures of a node's files by column."""

from collections.abc import Mapping
from typing import Any, Protocol

from footfall.adapters.prometheus.families import (
    COLUMN_BYTES,
    COLUMN_DIRECTORIES,
    COLUMN_MISSING_DAYS,
    COLUMN_SPILL_BYTES,
    COLUMN_TROUBLE,
    READER_MEMORY_BYTES,
    REPORTS_RUNNING,
    REPORTS_WAITING,
)
from footfall.adapters.prometheus.metrics import SharedMetrics


class FileFigures(Protocol):
    """The files that a node has on its disk, and those it lacks."""

    @property
    def directories(self) -> int:
        """Number of directories of files."""

    @property
    def bytes(self) -> int:
        """Their size."""

    @property
    def missing_days(self) -> int:
        """Number of closed days without files."""

    @property
    def spill_bytes(self) -> int:
        """The size of intermediate results."""

    @property
    def trouble(self) -> str | None:
        """Why files cannot be made."""


def show_columns(metrics: SharedMetrics, cell: str, figures: FileFigures) -> None:
    """Show the figures of this node for a cell; only the worker that keeps its files knows them."""
    metrics.gauge(COLUMN_DIRECTORIES, figures.directories, cell)
    metrics.gauge(COLUMN_BYTES, figures.bytes, cell)
    metrics.gauge(COLUMN_MISSING_DAYS, figures.missing_days, cell)
    metrics.gauge(COLUMN_SPILL_BYTES, figures.spill_bytes, cell)
    metrics.gauge(COLUMN_TROUBLE, figures.trouble is not None, cell)


def show_reader(metrics: SharedMetrics, figures: Mapping[str, Any]) -> None:
    """Show the figures of the reading process; only the worker that keeps it running knows them."""
    metrics.gauge(READER_MEMORY_BYTES, figures["memory"])
    for kind, waiting in figures["waiting"].items():
        metrics.gauge(REPORTS_WAITING, waiting, kind)
    for kind, running in figures["running"].items():
        metrics.gauge(REPORTS_RUNNING, running, kind)
