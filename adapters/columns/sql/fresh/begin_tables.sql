-- begin_tables
create {kind} table {name}_session as
{sessions};

create {kind} table {name}_hit as
{hits}
