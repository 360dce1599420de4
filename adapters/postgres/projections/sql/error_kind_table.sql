-- error_kind_table
create temporary table if not exists error_kind (
    digest uuid not null, position bigint not null, fingerprint text, stack bigint
) on commit delete rows
