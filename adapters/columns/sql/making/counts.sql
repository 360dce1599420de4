-- counts
select {counts}
from sessions
