-- types
-- In the order of their names, which is that of the hits in a file.
create type hit_type as enum ({types})
