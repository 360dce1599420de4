-- What pages are measured by, so that a thousand counts are added up in one addition. Beside the classes of a page and day
-- that has many of them stands a number for each metric, whose digits 12 n to 12 n + 11, from the right, say how often the
-- class occurred whose ordinal is n: the sum of such numbers is that of all their counts. Twelve digits hold more than any
-- site is measured, and all ordinals fit into a number.

-- Of 256 numbers in a step the first has 0 to 200, and all others have only 100 to 250 for classes: without the holes in
-- between the numbers are half as long.
create function ordinal_of_class(class integer) returns integer language sql immutable parallel safe as $$
    select class - class / 256 * 105
$$;

create function class_of_ordinal(ordinal integer) returns integer language sql immutable parallel safe as $$
    select ordinal + (ordinal - 100) / 151 * 105
$$;

create function counts_as_digits(classes integer[], counts integer[], metric integer) returns numeric
language sql immutable parallel safe as $$
    select coalesce(
        string_agg(lpad(count::text, 12, '0') || repeat('0', 12 * (ordinal - below - 1)), '' order by ordinal desc), '0'
    )::numeric
    from (
        select ordinal, count, lag(ordinal, 1, -1) over (order by ordinal) as below
        from (
            select ordinal_of_class(class % 16384) as ordinal, count
            from unnest(classes, counts) as occurring (class, count)
            where class / 16384 = metric
        ) as of_metric
    ) as occurring
$$;

-- All of them or none, which says that the classes are so few that they are added up one by one.
alter table day_vitals
    add column lcp numeric, add column cls numeric, add column inp numeric, add column fcp numeric,
    add column ttfb numeric;

-- Said from the row itself: a day that has been counted stays counted.
update day_vitals
set
    lcp = counts_as_digits(classes, counts, 0), cls = counts_as_digits(classes, counts, 1),
    inp = counts_as_digits(classes, counts, 2), fcp = counts_as_digits(classes, counts, 3),
    ttfb = counts_as_digits(classes, counts, 4)
where cardinality(classes) >= 500;

update projection_checkpoint set shape = shape + 1;
alter table projection_checkpoint alter column shape set default 3;
