-- starts_with
exists (select from unnest({values}::text[]) as given where starts_with({text}, given))
