-- contains
exists (select from unnest({values}::text[]) as given where strpos({text}, given) > 0)
