-- mark_cuts
-- The runs of which some sessions go and others stay: those are cut by days. What stays first reaches to the cutoff and lasts at
-- most a day, or it begins soon after what goes last. The marks that are there already separate runs.
insert into session_mark (site_id, visitor_id, cutoff, first_at, last_at)
with recursive run as (
    select
        kept.site_id, kept.visitor_id, day_of(kept.started_at) as cutoff, gone.started_at as first_at,
        gone.ended_at as last_at
    from session as kept
    cross join lateral (
        select started_at, ended_at
        from session
        where session.site_id = kept.site_id and session.visitor_id = kept.visitor_id
            and session.started_at < kept.started_at
        order by session.started_at desc
        limit 1
    ) as gone
    where kept.site_id = %(site_id)s and kept.ended_at >= %(before)s
        and kept.started_at >= %(before)s::timestamptz - interval '24 hours'
        and kept.started_at <= %(before)s::timestamptz + interval '30 minutes'
        and gone.ended_at < %(before)s and gone.ended_at >= kept.started_at - interval '30 minutes'
        -- Not so where a former version formed sessions, which could overlap.
        and gone.ended_at < day_of(kept.started_at)
        and not exists (
            select from session_mark as mark
            where mark.site_id = kept.site_id and mark.visitor_id = kept.visitor_id
                and mark.cutoff > gone.ended_at and mark.cutoff <= kept.started_at
        )
    union all
    select run.site_id, run.visitor_id, run.cutoff, earlier.started_at, run.last_at
    from run
    cross join lateral (
        select started_at, ended_at
        from session
        where session.site_id = run.site_id and session.visitor_id = run.visitor_id
            and session.started_at < run.first_at
        order by session.started_at desc
        limit 1
    ) as earlier
    where earlier.ended_at >= run.first_at - interval '30 minutes'
        and not exists (
            select from session_mark as mark
            where mark.site_id = run.site_id and mark.visitor_id = run.visitor_id
                and mark.cutoff > earlier.ended_at and mark.cutoff <= run.first_at
        )
),
cut as (
    select site_id, visitor_id, cutoff, min(first_at) as first_at, min(last_at) as last_at
    from run
    group by site_id, visitor_id, cutoff
)
select
    cut.site_id, cut.visitor_id, cut.cutoff, least(cut.first_at, min(mark.first_at)), cut.last_at
from cut
left join session_mark as mark on mark.site_id = cut.site_id and mark.visitor_id = cut.visitor_id
    and mark.cutoff <= cut.first_at and cut.first_at <= mark.last_at + interval '30 minutes'
group by cut.site_id, cut.visitor_id, cut.cutoff, cut.first_at, cut.last_at
