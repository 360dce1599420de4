-- seal_target
-- An address that has changed meanwhile stays.
update alert_target set url = %(url)s, secret = %(secret)s
where site_id = %(site_id)s and target = %(target)s and url = %(former)s
