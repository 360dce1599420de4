-- begin_later
with sessions as (delete from session_delta),
conversions as (delete from conversion_delta),
matched as (delete from matches),
folded as (delete from slice)
select
