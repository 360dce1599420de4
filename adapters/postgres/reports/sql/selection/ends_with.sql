-- ends_with
exists (select from unnest({values}::text[]) as given where right({text}, length(given)) = given)
