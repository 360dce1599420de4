-- hits_of_rules
-- No hit is read when no rule needs it.
{inside} where exists (select from asked)
