-- unchanged
session_id not in (select unnest(from_json($changed, '["BIGINT"]')))
