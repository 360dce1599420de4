-- end_vacuums
-- Keeps writers from nothing. The server ends vacuums of its own that hold up a lock, after a second each: now, and not when writers
-- are refused.
lock table {tables} in share update exclusive mode
