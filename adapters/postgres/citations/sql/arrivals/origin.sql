-- origin
case
    when import_id is not null then 'imports'
    when received_at - occurred_at > interval '5 minutes' then 'late_events'
    else 'events'
end
