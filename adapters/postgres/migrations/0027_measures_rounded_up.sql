-- The class of a measure rounds it up, and no longer to the nearest ten-thousandth first (docs/read/breakdowns.md#rounding).

-- Of a double, so that 0.0007 are 7 ten-thousandths, although 0.0007 * 10000 is more than 7: the nearest number is compared with the
-- measure as a quotient.
create or replace function ten_thousandths(measure double precision) returns bigint
language sql immutable parallel safe as $$
    select case
        when measure > 1e9 then 10000000000000
        else round(measure * 10000) + case when round(measure * 10000) / 10000 < measure then 1 else 0 end
    end::bigint
$$;

-- By the measure itself: an argument that is used twice is evaluated in place only if it costs little.
create function step_of(measure double precision) returns integer language sql immutable parallel safe as $$
    select width_bucket(measure, array[
        0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000,
        200000, 500000, 1000000, 2000000, 5000000, 10000000, 20000000, 50000000, 100000000, 200000000, 500000000,
        1000000000
    ]::double precision[])
$$;

create or replace function measure_class(measure double precision) returns integer
language sql immutable parallel safe as $$
    select class_in_step(ten_thousandths(measure), step_of(measure))
$$;

drop function step_of(bigint);

-- Counted days hold classes of the former rule: they are counted again, and read from rows until then.
update day_summary_state
set state = 'changed'
from vitals_day
where vitals_day.site_id = day_summary_state.site_id and vitals_day.day = day_summary_state.day
    and state in ('counting', 'counted');

-- A projector that counts days by the former rule would write such classes.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 6;
