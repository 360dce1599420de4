-- reached_last
select {step}, false, null, count(*), null from {here}
