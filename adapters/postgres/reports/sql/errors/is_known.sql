-- is_known
select exists (
    select from error_message
    where site_id = %(site_id)s and digest = sha256(convert_to(%(message)s, 'UTF8'))
) as known
