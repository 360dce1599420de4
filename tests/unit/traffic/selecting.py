"""The sessions of a log that filters select."""

from footfall.domain.traffic.filters import (
    selector,
)
from footfall.domain.traffic.session import visits
from tests.conditions import filter_of
from tests.histories import days

ALWAYS = days("2026-01-01", "2027-01-01")


def selected(log, *conditions):
    filters = [filter_of(parameter, kind, *values) for parameter, kind, values in conditions]
    chosen = selector(filters, ALWAYS)
    return [visit.session.session_id for visit in visits(log) if chosen(visit)]
