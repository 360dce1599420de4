-- error_sighting
select * from {schema}.error_sighting
where site_id = {site_id} and {is_shown} and occurred_at < {later_since}
