-- collect_moved_errors
-- The occurrences of the sessions that are formed anew, with the sessions that they are in now.
insert into new_errors
select
    own.site_id, own.message_id, own.digest, coalesce(regrouped.target_id, placed.target_id), own.position, own.occurred_at, '',
    true
from regrouped
cross join lateral (
    select occurrence.*, digest
    from error_occurrence as occurrence
    join error_message using (site_id, message_id)
    where occurrence.site_id = regrouped.site_id and occurred_at >= regrouped.started_at
        and occurred_at <= regrouped.ended_at and session_id = regrouped.session_id
    offset 0
) as own
left join placed on placed.kind = 'again' and placed.number = own.position
where sign < 0 and errors > 0
