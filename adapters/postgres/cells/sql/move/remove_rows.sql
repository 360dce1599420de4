-- remove_rows
delete from {table}
where ({key}) in (select {key} from jsonb_populate_recordset(null::{table}, %(keys)s::jsonb))
