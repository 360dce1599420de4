-- regex
-- One value: PostgreSQL prepares an expression once that is a constant.
{text} ~ {values}::text
