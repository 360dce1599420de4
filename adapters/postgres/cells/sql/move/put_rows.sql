-- put_rows
insert into {table} ({columns}) overriding system value
select {columns} from jsonb_populate_recordset(null::{table}, %(rows)s::jsonb)
