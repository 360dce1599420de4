-- reached_last
select {step}::integer, null, count(*), null from {here}
