-- hits
-- Hits stored since the checkpoint have no sessions yet.
select {columns_of_hit}
from hit
where site_id = {site_id} and occurred_at >= {start}::timestamptz and occurred_at <= {end}::timestamptz
    and position + 0 <= (select position from projection_checkpoint where name = 'reports')
