-- collect_error_kinds
-- Equal reports of a slice have one fingerprint, which is made once.
insert into error_kind (digest, position)
select {digest}, min(position)
from slice
where type = 'error' and not again
group by 1
