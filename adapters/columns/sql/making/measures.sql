-- measures
-- The class of a measure, as `measure_class` in domain/traffic/web_vitals.py defines it, from the measure and its ten-thousandths.
create macro nearest_ten_thousandth(measure) as round_even(measure * {resolution}, 0);

create macro ten_thousandths(measure) as (
    case
        when measure > {largest} then {largest} * {resolution}
        else nearest_ten_thousandth(measure) + (nearest_ten_thousandth(measure) / {resolution} < measure)::integer
    end
)::bigint;

create macro class_of(measure, exact) as (case when measure is null then null {branches} end)::smallint
