-- hit
select * from {schema}.hit where site_id = {site_id} and {is_shown} and occurred_at < {later_since}
