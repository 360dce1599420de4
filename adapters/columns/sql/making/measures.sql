-- measures
-- The class of a measure, as `measure_class` in domain/traffic/web_vitals.py defines it.
create macro nearest_ten_thousandth(measure) as round_even(measure * {resolution}, 0);

create macro ten_thousandths(measure) as (
    case
        when measure > {largest} then {largest} * {resolution}
        else nearest_ten_thousandth(measure) + (nearest_ten_thousandth(measure) / {resolution} < measure)::integer
    end
)::bigint;

create macro step_of(measure) as (case {branches} end);

create macro class_in_step(step, width, exact) as {classes} * step + (exact + width - 1) // width;

create macro class_of(measure) as (
    case when measure is not null
        then class_in_step(
            step_of(measure), list_extract({widths}::bigint[], step_of(measure) + 1), ten_thousandths(measure)
        )
    end
)::smallint
