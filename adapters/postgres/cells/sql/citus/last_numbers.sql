-- last_numbers
select
    greatest(
        (select max(position) from hit), (select max(position) from projection_checkpoint)
    ) as position,
    (select max(position) from event) as event,
    greatest((select max(import_id) from site_import), (select first_import - 1 from cell_home)) as import
