-- find
select * from site_import where site_id = %(site_id)s and format = %(format)s and source_key = %(source_key)s
