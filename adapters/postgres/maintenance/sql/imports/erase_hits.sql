-- erase_hits
-- All hits that an import takes back are deleted by this statement, some of one day of its site at a time: a day
-- lies in one partition, so that places tell its rows apart.
delete from hit
where occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    and ctid = any(array(
        select ctid
        from hit
        where site_id = %(site_id)s and import_id = %(import_id)s
            and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        limit %(limit)s
    ))
