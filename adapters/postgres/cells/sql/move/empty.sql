-- empty
-- The migrations put first rows into some tables.
truncate {tables}
