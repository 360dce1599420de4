-- cells
-- Each cell of the clock lies in one piece: hash joins with cells place instants faster than searches among the edges.
cell as materialized (
    select unnest(places) as piece, unnest(range($first_cell::bigint, $first_cell::bigint + len(places))) as cell
    from (select from_json($cells, '["BIGINT"]') as places)
),
