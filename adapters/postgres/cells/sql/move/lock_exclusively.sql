-- lock_exclusively
-- A writer that has found these tables already, and is about to be refused by their triggers, has ended before.
lock table {tables} in access exclusive mode
