-- hits_of_rules
-- No hit is read when no rule needs it.
{goals/inside} and exists (select from asked)
