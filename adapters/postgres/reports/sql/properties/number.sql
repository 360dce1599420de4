-- number
case
    when decimal_of(value) ~ '^-?[0-9]{{1,18}}([.][0-9]+)?$' then round(decimal_of(value)::numeric, 9)
end
