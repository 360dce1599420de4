-- number
try_cast(
    case when regexp_full_match(one.decimal, '-?[0-9]{{1,18}}([.][0-9]+)?') then one.decimal end as decimal(28, 9)
)
