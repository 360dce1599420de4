"""The limits of the queue of reports on a machine."""

import os

from footfall.application.reports.turns.report_queue import LEAST_SLOTS, QueueLimits


def queue_limits() -> QueueLimits:
    """Return the limits of the queue of a node, with a slot more than it has processors."""
    return QueueLimits(slots=max(LEAST_SLOTS, (os.cpu_count() or 1) + 1))
