-- all
select * from site_import order by import_id
