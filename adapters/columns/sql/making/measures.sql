-- measures
-- The class of a measure, as `measure_class` in domain/traffic/web_vitals.py defines it, from the measure in ten-thousandths.
create macro ten_thousandths(measure) as round_even(
    case when measure > {largest} then {largest} else measure end * {resolution}, 0
)::bigint;

create macro class_of(exact) as (case when exact is null then null {branches} end)::smallint
