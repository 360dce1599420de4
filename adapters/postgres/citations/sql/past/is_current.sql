-- is_current
-- Whether a replay up to the checkpoint holds now: no later hit came where earlier ones are, and none to a changed session.
select not exists ({touched} and last_position > %(checkpoint)s) and (hits, open_at_start) = (%(hits)s, %(open_at_start)s)
    as is_current
from (select {growing}) as now
