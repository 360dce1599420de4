-- read_error_kinds
select slice.position, slice.event_name, slice.properties
from error_kind
join slice on slice.position = error_kind.position
where error_kind.position > %(after)s
order by error_kind.position
limit %(limit)s
