-- error_message
select * from {schema}.error_message as message
where site_id = {site_id}
    and not exists (
        select from {schema}.error_occurrence as later
        where later.site_id = message.site_id and later.message_id = message.message_id and later.position > {traffic}
    )
union all
select * from past_message
