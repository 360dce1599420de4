-- begin_added
-- What later hits have added to the sums comes next: these hits, and the changed sessions as they are now, less those of the
-- past, with their conversions.
with sessions as (delete from session_delta),
conversions as (delete from conversion_delta),
matched as (delete from matches),
folded as (delete from slice)
select
