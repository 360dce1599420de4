-- holds_month
select exists (
    select from pg_inherits
    where inhparent = 'hit'::regclass
        and inhrelid = to_regclass('hit_' || to_char(make_date(%(year)s, %(month)s, 1), 'YYYYMM'))
) as held
