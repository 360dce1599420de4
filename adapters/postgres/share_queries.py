"""The questions what sessions and hits are made of, in SQL; `{…}` are attributes and sources, never input."""

from footfall.adapters.postgres.report_selection import PROJECTED, WITHIN
from footfall.domain.breakdown import OF_HITS, OF_SESSIONS, OUTBOUND
from footfall.domain.hit import HitType

# Hits of a session are those of its visitor from the hit that began it to the one that began the visitor's next.
OWNERS = """
    owner as materialized (
        select selected.visitor_id, selected.session_id, coalesce(next.session_id, 9223372036854775807) as until
        from selected
        left join lateral (
            select session.session_id
            from session
            where session.site_id = %(site_id)s and session.visitor_id = selected.visitor_id
                and session.session_id > selected.session_id
            order by session.session_id
            limit 1
        ) as next on true
    ),"""
_OF_OWNERS = (
    "join owner on owner.visitor_id = hit.visitor_id and position >= owner.session_id and position < until"
)

GAPS = """
    gap as materialized (
        select * from unnest(%(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[]) as gap ("from", "to")
    ),"""
# Whole rows are not put aside, each gap is looked up in the index, and what is of another kind goes no further.
_HITS_IN_GAPS = f"""
    gap
    cross join lateral (
        select *
        from hit
        where hit.site_id = %(site_id)s and occurred_at >= gap."from" and occurred_at < gap."to" and {PROJECTED}
            and {{kind}}
        offset 0
    ) as hit"""
_SESSIONS_IN_GAPS = """
    gap
    cross join lateral (
        select *
        from session
        where session.site_id = %(site_id)s and started_at >= gap."from" and started_at < gap."to"
        offset 0
    ) as session"""

_PAGE = """
    page as (select * from share order by count desc, value collate "C" limit %(limit)s offset %(offset)s),
    everything as (select count(*) as "values", coalesce(sum(count), 0)::bigint as total from share)
    select * from everything left join page on true order by count desc, value collate "C"
"""

# Of rows: `source` is the sessions or hits of the period.
COUNTED_ROWS = f"""
    share as materialized (select {{value}} as value, count(*) as count from {{source}} group by 1),
    {_PAGE}"""

# First by value and visitor, then by value: hashing twice is several times faster than count(distinct).
COUNTED_ROWS_AND_VISITORS = f"""
    each as (select {{value}} as value, visitor_id, count(*) as count from {{source}} group by 1, 2),
    share as materialized (
        select value, sum(count)::bigint as count, count(*) as visitors from each group by value
    ),
    {_PAGE}"""

# Sums of days that have been counted, and of rows in between. Sessions that reach into the period are those that were
# carried over its beginning; a session of a later day that began before it has been counted where it began.
_COUNTED_DAYS = f"""
    with {GAPS}
    part as (
        select value, count + case when day = %(first_day)s then carried else 0 end as count
        from day_share
        where site_id = %(site_id)s and dimension = '{{dimension}}' and day = any(%(days)s::timestamptz[])
        union all
        {{rows}}
    ),
    share as materialized (
        select value, sum(count)::bigint as count from part group by value having sum(count) > 0
    ),
    {_PAGE}"""
_SESSION_ROWS = f"""
    select {{value}}, count(*) from {_SESSIONS_IN_GAPS} group by 1
    union all
    select {{value}}, 1
    from session
    where %(first_day)s::timestamptz is null and session.site_id = %(site_id)s
        and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(start)s
        and ended_at >= %(start)s"""
_HIT_ROWS = f"select {{value}}, count(*) from {_HITS_IN_GAPS} group by 1"


def by_days(dimension: str) -> str:
    """Return the question with `days` and gaps for parameters."""
    rows = _SESSION_ROWS if dimension in OF_SESSIONS else _HIT_ROWS
    told_apart = {"value": _value(dimension), "kind": _of_kind(dimension)}
    return _COUNTED_DAYS.format(dimension=dimension, rows=rows.format(**told_apart))


def by_rows(dimension: str, *, filtered: bool, visitors: bool) -> str:
    """Return what follows on the common table expression `selected`."""
    if dimension in OF_SESSIONS:
        source, owners = "selected", ""
    else:
        source = hits_of(_of_kind(dimension), filtered=filtered)
        owners = OWNERS if filtered else ""
    template = COUNTED_ROWS_AND_VISITORS if visitors else COUNTED_ROWS
    return owners + template.format(value=_value(dimension), source=source)


def hits_in_gaps(kind: str) -> str:
    """Return a source of the hits between the days that are of a kind, after `GAPS`."""
    return _HITS_IN_GAPS.format(kind=kind)


def hits_of(kind: str, *, filtered: bool) -> str:
    """Return a source of the hits of the period that are of a kind."""
    # Without filters every hit of the period is in a session of it: nobody has to ask which one.
    owners = _OF_OWNERS if filtered else ""
    return f"(select hit.* from hit {owners} where {WITHIN} and {kind}) as those"


def _value(dimension: str) -> str:
    return "coalesce(properties ->> 'url', '')" if dimension == OUTBOUND else f"coalesce({dimension}, '')"


def _of_kind(dimension: str) -> str:
    return f"hit.type = '{OF_HITS.get(dimension, HitType.OUTBOUND)}'"
