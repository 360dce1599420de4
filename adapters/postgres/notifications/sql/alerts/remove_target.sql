-- remove_target
with gone as (
    delete from alert_request where site_id = %(site_id)s and target = %(target)s
)
delete from alert_target where site_id = %(site_id)s and target = %(target)s
