"""Which sessions a report is about, in SQL: those of a period that filters select."""

from collections.abc import Sequence
from typing import Any

from footfall.domain.filter import HIT_PARAMETERS, Filter, FilterType, filter_regex
from footfall.domain.period import Period
from footfall.domain.session import INACTIVITY

# A hit belongs to its visitor's latest session that began with it or before it in the log.
SESSION_OF_HIT = """
    cross join lateral (
        select session_id
        from session
        where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session_id <= hit.position
        order by session_id desc
        limit 1
    ) as its"""

# Hits that have been stored since the checkpoint have no sessions yet. That leaves out next to nothing, so the index on
# the position must not look like a way to find the rest.
PROJECTED = "hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')"

VISITOR = "coalesce(session.user_id, lpad(to_hex(session.visitor_id), 16, '0'))"

WITHIN = f"hit.site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {PROJECTED}"

_SPANNING = """
    started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(end)s and ended_at >= %(start)s"""

_ABOUT = f"""
    hit.site_id = %(site_id)s and {PROJECTED}
    and occurred_at >= %(start)s::timestamptz - interval '24 hours'
    and occurred_at < %(end)s::timestamptz + interval '24 hours'"""

_COMPARISONS = {
    FilterType.EQUALS: "{text} = any({values})",
    FilterType.CONTAINS: "exists (select from unnest({values}) as given where strpos({text}, given) > 0)",
    FilterType.STARTS_WITH: "exists (select from unnest({values}) as given where starts_with({text}, given))",
    FilterType.ENDS_WITH: "exists (select from unnest({values}) as given where right({text}, length(given)) = given)",
}


class Selection:
    """The common table expression `selected` and its parameters."""

    def __init__(self, site_id: int, period: Period, filters: Sequence[Filter]) -> None:
        self.parameters: dict[str, Any] = {"site_id": site_id, "start": period.start, "end": period.end}
        self.impatient = any(one.type.positive is FilterType.REGEX for one in filters)
        conditions = [self._condition(f"filter_{index}", one) for index, one in enumerate(filters)]
        # Consecutive hits of a session are at most 30 minutes apart: one that reaches over a longer period has hits
        # in it, of a shorter one only the log knows.
        surely = period.length >= INACTIVITY
        inside = (
            _SPANNING
            if surely
            else f"session_id in (select its.session_id from hit {SESSION_OF_HIT} where {WITHIN})"
        )
        where = " and ".join(["session.site_id = %(site_id)s", inside, *conditions])
        self.sessions = f"select session.* from session where {where}"
        self.expression = f"selected as materialized ({self.sessions})"

    def _condition(self, name: str, one: Filter) -> str:
        if one.parameter in HIT_PARAMETERS:
            comparison = self._comparison(name, one, f"coalesce(hit.{one.parameter}, '')")
            found = f"session_id in (select its.session_id from hit {SESSION_OF_HIT} where {_ABOUT} and {comparison})"
        else:
            column = VISITOR if one.parameter == "user_id" else f"coalesce(session.{one.parameter}, '')"
            found = self._comparison(name, one, column)
        return f"not ({found})" if one.type.negative else f"({found})"

    def _comparison(self, name: str, one: Filter, text: str) -> str:
        kind = one.type.positive
        if kind is not FilterType.REGEX:
            self.parameters[name] = list(one.values)
            return _COMPARISONS[kind].format(text=text, values=f"%({name})s::text[]")
        # One by one: PostgreSQL prepares an expression that is a constant once.
        names = [f"{name}_{index}" for index in range(len(one.values))]
        self.parameters |= {key: filter_regex(value) for key, value in zip(names, one.values, strict=True)}
        return "(" + " or ".join(f"{text} ~ %({key})s::text" for key in names) + ")"
