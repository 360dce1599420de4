-- count_differences
-- The rows that only one of the two sets has.
select count(*) as rows
from (
    ({rows} except all {copied_rows})
    union all
    ({copied_rows} except all {rows})
) as different
