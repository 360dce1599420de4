-- error_occurrence
select * from {schema}.error_occurrence
where site_id = {site_id} and {is_shown} and occurred_at < {later_since}
