-- values_among
value in (select unnest(from_json($among, '["VARCHAR"]')))
