-- placed
select
    session_id,
    (
        lead(epoch_us(occurred_at)) over (partition by session_id order by occurred_at, position) - epoch_us(occurred_at)
    )::integer as until_next,
    hits.* exclude (session_id)
from hits
