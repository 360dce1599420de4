"""A period in days that have been counted, and the gaps around and between them that have not."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.snapshot import DAY
from footfall.domain.periods.period import Period


@frozen
class CountedDays:
    """The beginnings of the days in a period that have been counted, ascending."""

    period: Period
    days: Sequence[datetime]

    @property
    def gaps(self) -> list[tuple[datetime, datetime]]:
        """The parts of the period outside of these days."""
        edges = [(day, day + DAY) for day in self.days]
        around = [(self.period.start, self.period.start), *edges, (self.period.end, self.period.end)]
        return [(before, after) for (_, before), (after, _) in pairwise(around) if before < after]

    @property
    def parameters(self) -> dict[str, Any]:
        """Days and gaps as parameters of a statement; `first_day` is the period's start if that is one of the days."""
        gaps = self.gaps
        return {
            "days": list(self.days),
            "first_day": self.period.start if self.period.start in self.days[:1] else None,
            "gap_starts": [start for start, _ in gaps],
            "gap_ends": [end for _, end in gaps],
        }


async def counted_days(connection: AsyncConnection[DictRow], site_id: int, period: Period) -> CountedDays:
    """Return which days of a period have been counted."""
    values = {"site_id": site_id, "start": period.start, "end": period.end}
    cursor = await connection.execute(statement("reports/traffic/counted_days"), values)
    return CountedDays(period, [row["day"] for row in await cursor.fetchall()])
