-- Sites, actions and conversions of Matomo. Tables stand with the prefix that Matomo proposes, in
-- the place of which that of the installation comes; {columns} are those that it has. Pages of rows are in the
-- order of Matomo's own indices on site and time. The site is a range of one, because MariaDB reads the rows of an equal
-- site from their first one on: a page would take the longer, the later it is.

-- Abandoned carts are left out: Matomo gives them later times, or makes orders of them.

-- name: columns
select table_name as table_name, column_name as column_name
from information_schema.columns
where table_schema = database()
    and table_name regexp '(log_action|log_conversion|log_link_visit_action|log_visit|custom_dimensions|goal|site)$'
order by table_name, ordinal_position

-- name: sites
select idsite, name from `matomo_site` order by idsite limit %(most)s

-- name: site
select currency, unix_timestamp(ts_created) as created from `matomo_site` where idsite = %(site)s

-- name: goals
select idgoal, name, match_attribute from `matomo_goal` where idsite = %(site)s

-- name: dimensions
select scope, `index` as number, name
from `matomo_custom_dimensions`
where idsite = %(site)s
order by idcustomdimension

-- name: until
-- The newest rows are left to the next import: others with an earlier time may not be there yet.
select date_sub(utc_timestamp(), interval 1 minute) as latest

-- name: count
select
    (
        select count(*)
        from `matomo_log_link_visit_action`
        where idsite = %(site)s and server_time < %(until)s and server_time <= %(up_to)s
    ) + (
        select count(*)
        from `matomo_log_conversion`
        where idsite = %(site)s and idgoal >= 0 and server_time < %(until)s and server_time <= %(up_to)s
    ) as counted

-- name: actions
select {columns}
from `matomo_log_link_visit_action`
where idsite >= %(site)s
    and idsite <= %(site)s
    and server_time < %(until)s
    and server_time >= %(server_time)s
    and (server_time > %(server_time)s or idlink_va > %(idlink_va)s)
order by idsite, server_time, idlink_va
limit %(most)s

-- name: conversions
select {columns}
from `matomo_log_conversion`
where idsite >= %(site)s
    and idsite <= %(site)s
    and idgoal >= 0
    and server_time < %(until)s
    and server_time >= %(server_time)s
    and (
        server_time > %(server_time)s
        or idvisit > %(idvisit)s
        or (idvisit = %(idvisit)s and (idgoal > %(idgoal)s or (idgoal = %(idgoal)s and buster > %(buster)s)))
    )
order by idsite, server_time, idvisit, idgoal, buster
limit %(most)s

-- name: visits
select {columns} from `matomo_log_visit` where idvisit in %(ids)s

-- name: names
select idaction, name, type, url_prefix from `matomo_log_action` where idaction in %(ids)s
