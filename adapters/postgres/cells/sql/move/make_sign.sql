-- make_sign
create table {schema}.cell_moved (from_mark text not null, place text not null, mark text not null)
